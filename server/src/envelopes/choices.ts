import { type Static, Type } from "typebox";
import { named } from "../http/shapes.ts";
import { refuseBadTexts } from "../mail/texts/text.ts";
import { signingOrders } from "../signing/submission.ts";
import type { Envelope } from "./envelope.ts";

/**
 * What a sender can choose in addition to the signers. The draft keeps it, and `send` uses it for everything that its request leaves
 * out.
 */

// One type with two kinds of members instead of a union, so that a mistake is reported by its own rule and at its own place.
const Message = Type.Unsafe<string | null>({
  type: ["string", "null"],
  maxLength: 2_000,
  description: "Shown to each signer; null removes it",
});
const MailSubject = Type.Unsafe<string | null>({
  type: ["string", "null"],
  minLength: 1,
  maxLength: 200,
  description:
    "The subject of the e-mail that asks for the signature. It can contain the placeholders {{recipient_name}}, {{sender_name}}, {{organization}}, {{envelope_name}}, {{message}} and {{expires_at}}; null uses the organization's subject",
});
const reminders = Type.Object({
  every_days: Type.Integer({ minimum: 1, maximum: 30 }),
  first_after_days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 90, description: "Days from sending to the first reminder. The default is `every_days`" }),
  ),
  last_days_before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 30,
      description: "The last reminder is sent this many days before the envelope expires. By default they go on until it expires",
    }),
  ),
});
const Reminders = named(
  "EnvelopeReminders",
  Type.Unsafe<Static<typeof reminders> | null>({
    ...reminders,
    type: ["object", "null"],
    description: "Automatic reminders for signers whose turn it is; null turns them off",
  }),
);

export const choices = {
  message: Message,
  mail_subject: MailSubject,
  signing_order: named(
    "SigningOrder",
    Type.Enum([...signingOrders], {
      description:
        "For recipients without steps. With steps, answers say what they amount to: `steps` if some act together and others after them",
    }),
  ),
  expires_in_days: Type.Integer({ minimum: 1, maximum: 365, description: "Counted from the moment the envelope is sent" }),
  reminders: Reminders,
};
export const Choices = Type.Partial(Type.Object(choices));
export type Choices = Static<typeof Choices>;

export type ReminderColumns = Pick<Envelope, "remind_every_days" | "remind_first_after_days" | "remind_last_days_before">;
export type Chosen = Pick<Envelope, "message" | "mail_subject" | "signing_order" | "expires_in_days"> & ReminderColumns;

/** Only the members that were given. Null clears a choice. Throws a 422 for a placeholder that does not exist. */
export function chosenOf({ message, mail_subject, signing_order, expires_in_days, reminders }: Choices): Partial<Chosen> {
  refuseBadTexts({ mail_subject });
  return {
    ...(message !== undefined && { message }),
    ...(mail_subject !== undefined && { mail_subject }),
    ...(signing_order !== undefined && { signing_order }),
    ...(expires_in_days !== undefined && { expires_in_days }),
    ...(reminders !== undefined && reminderColumns(reminders)),
  };
}

/** A request replaces the three as one: what it leaves out is not kept. */
export const reminderColumns = (given: Choices["reminders"]): ReminderColumns => ({
  remind_every_days: given?.every_days ?? null,
  remind_first_after_days: given?.first_after_days ?? null,
  remind_last_days_before: given?.last_days_before ?? null,
});

/** As requests have them. Null: none are sent. */
export function remindersOf({ remind_every_days, remind_first_after_days, remind_last_days_before }: ReminderColumns) {
  if (remind_every_days === null) return null;
  return {
    every_days: remind_every_days,
    ...(remind_first_after_days !== null && { first_after_days: remind_first_after_days }),
    ...(remind_last_days_before !== null && { last_days_before: remind_last_days_before }),
  };
}
