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
const everyDays = Type.Object({ every_days: Type.Integer({ minimum: 1, maximum: 30 }) });
const Reminders = named(
  "EnvelopeReminders",
  Type.Unsafe<Static<typeof everyDays> | null>({
    ...everyDays,
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

export type Chosen = Pick<Envelope, "message" | "mail_subject" | "signing_order" | "expires_in_days" | "remind_every_days">;

/** Only the members that were given. Null clears a choice. Throws a 422 for a placeholder that does not exist. */
export function chosenOf({ message, mail_subject, signing_order, expires_in_days, reminders }: Choices): Partial<Chosen> {
  refuseBadTexts({ mail_subject });
  return {
    ...(message !== undefined && { message }),
    ...(mail_subject !== undefined && { mail_subject }),
    ...(signing_order !== undefined && { signing_order }),
    ...(expires_in_days !== undefined && { expires_in_days }),
    ...(reminders !== undefined && { remind_every_days: reminders?.every_days ?? null }),
  };
}
