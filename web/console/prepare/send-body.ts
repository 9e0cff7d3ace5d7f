import type { SendEnvelopeRequest } from "@countersign/client/types";
import { certificationOf } from "../envelopes/acceptance.tsx";
import { isBlank, questionsInput } from "../envelopes/question.ts";
import type { Draft } from "./api.ts";
import { authenticationOf, withoutCodes } from "./identity.ts";
import { recipientsOf } from "./order.ts";
import { acts, orderOf, peopleOf } from "./people.ts";
import type { Memory } from "./wizard.ts";

/** Repeats the people and options that were reviewed, also people who are only suggested so far. */
export function sendBody(draft: Draft, { checks, acceptance }: Memory): SendEnvelopeRequest {
  const { kba_required, auto_vault_enabled, message, mail_subject, expires_in_days, reminders } = draft.envelope.metadata;
  const order = orderOf(draft);
  const people = peopleOf(draft, checks);
  return {
    recipients: recipientsOf(people, order).map((kept, index) => {
      const person = people[index];
      if (person === undefined || !acts(person)) return kept;
      const { questions, identity } = person;
      return {
        ...kept,
        ...(kba_required && !isBlank(questions) && { kba: { questions: questionsInput(questions) } }),
        ...(identity.check !== "none" && { authentication: authenticationOf(identity) }),
      };
    }),
    message,
    mail_subject,
    ...(order !== "steps" && { signing_order: order }),
    expires_in_days,
    reminders,
    ...(auto_vault_enabled && acceptance.isAccepted && { certification: certificationOf(acceptance) }),
  };
}

/** For display: answers and codes are never shown. */
export function withoutAnswers(body: SendEnvelopeRequest): SendEnvelopeRequest {
  const recipients = body.recipients?.map(({ kba, authentication, ...person }) => ({
    ...person,
    ...(kba !== undefined && { kba: { questions: kba.questions.map(({ text }) => ({ text, answer: "…" })) } }),
    ...(authentication !== undefined && { authentication: withoutCodes(authentication) }),
  }));
  return { ...body, recipients };
}
