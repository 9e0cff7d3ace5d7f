import { certificationOf } from "../envelopes/acceptance.tsx";
import { askedOf } from "../envelopes/questions.tsx";
import type { Draft } from "./api.ts";
import type { Notes } from "./notes.ts";
import { keyOf, peopleOf, signersOf } from "./people.ts";
import type { Memory } from "./wizard.ts";

/** All that was reviewed, said once more: what is sent is what was seen, whoever changed the draft meanwhile. */
export function sendBody(draft: Draft, notes: Notes, { questions, acceptance }: Memory) {
  const { kba_required, auto_vault_enabled } = draft.envelope.metadata;
  return {
    signers: signersOf(peopleOf(draft, notes, questions)).map((signer) => {
      const own = kba_required ? questions[keyOf(signer.email)] : undefined;
      return own === undefined ? signer : { ...signer, kba: { questions: askedOf(own) } };
    }),
    signing_order: notes.order,
    ...(notes.message.trim() !== "" && { message: notes.message.trim() }),
    ...(notes.expires_in_days !== "" && { expires_in_days: Number(notes.expires_in_days) }),
    ...(notes.remind_every_days !== "" && { reminders: { every_days: Number(notes.remind_every_days) } }),
    ...(auto_vault_enabled && acceptance.isAccepted && { certification: certificationOf(acceptance) }),
  };
}

/** For the eye: answers are never shown. */
export function withoutAnswers(body: ReturnType<typeof sendBody>) {
  const signers = body.signers.map((signer) =>
    "kba" in signer ? { ...signer, kba: { questions: signer.kba.questions.map(({ text }) => ({ text, answer: "…" })) } } : signer,
  );
  return { ...body, signers };
}
