import type { SendEnvelopeRequest } from "@countersign/client/types";
import { certificationOf } from "../envelopes/acceptance.tsx";
import { questionsInput } from "../envelopes/question.ts";
import type { Draft } from "./api.ts";
import { recipientsOf } from "./order.ts";
import { acts, keyOf, orderOf, peopleOf } from "./people.ts";
import type { Memory } from "./wizard.ts";

/** Repeats everything that was reviewed, so that exactly this is sent even if someone else changed the draft in the meantime. */
export function sendBody(draft: Draft, { questions, acceptance }: Memory): SendEnvelopeRequest {
  const { kba_required, auto_vault_enabled, message, mail_subject, expires_in_days, reminders } = draft.envelope.metadata;
  const order = orderOf(draft);
  return {
    recipients: recipientsOf(peopleOf(draft, questions), order).map((person) => {
      const own = kba_required && acts(person) ? questions[keyOf(person.email)] : undefined;
      return own === undefined ? person : { ...person, kba: { questions: questionsInput(own) } };
    }),
    message,
    mail_subject,
    ...(order !== "steps" && { signing_order: order }),
    expires_in_days,
    reminders,
    ...(auto_vault_enabled && acceptance.isAccepted && { certification: certificationOf(acceptance) }),
  };
}

/** For display: answers are never shown. */
export function withoutAnswers(body: SendEnvelopeRequest): SendEnvelopeRequest {
  const recipients = body.recipients?.map(({ kba, ...person }) =>
    kba === undefined ? person : { ...person, kba: { questions: kba.questions.map(({ text }) => ({ text, answer: "…" })) } },
  );
  return { ...body, recipients };
}
