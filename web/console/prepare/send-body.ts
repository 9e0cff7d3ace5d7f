import type { SendEnvelopeRequest } from "@countersign/client/types";
import { certificationOf } from "../envelopes/acceptance.tsx";
import { questionsInput } from "../envelopes/questions.tsx";
import type { Draft } from "./api.ts";
import { keyOf, peopleOf, signersOf } from "./people.ts";
import type { Memory } from "./wizard.ts";

/** Repeats everything that was reviewed, so that exactly this is sent even if someone else changed the draft in the meantime. */
export function sendBody(draft: Draft, { questions, acceptance }: Memory): SendEnvelopeRequest {
  const { kba_required, auto_vault_enabled, message, mail_subject, signing_order, expires_in_days, reminders } = draft.envelope.metadata;
  return {
    signers: signersOf(peopleOf(draft, questions)).map((signer) => {
      const own = kba_required ? questions[keyOf(signer.email)] : undefined;
      return own === undefined ? signer : { ...signer, kba: { questions: questionsInput(own) } };
    }),
    message,
    mail_subject,
    signing_order,
    expires_in_days,
    reminders,
    ...(auto_vault_enabled && acceptance.isAccepted && { certification: certificationOf(acceptance) }),
  };
}

/** For display: answers are never shown. */
export function withoutAnswers(body: SendEnvelopeRequest): SendEnvelopeRequest {
  const signers = body.signers?.map(({ kba, ...signer }) =>
    kba === undefined ? signer : { ...signer, kba: { questions: kba.questions.map(({ text }) => ({ text, answer: "…" })) } },
  );
  return { ...body, signers };
}
