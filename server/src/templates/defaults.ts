import { type Static, Type } from "typebox";
import { named } from "../http/shapes.ts";

/** The choices of a sender that envelopes from a template start with. A request for an envelope can name others. */
const choice = {
  message: Type.String({ minLength: 1, maxLength: 2_000, description: "Shown to each signer" }),
  mail_subject: Type.String({ minLength: 1, maxLength: 200, description: "The subject of the e-mail that asks for the signature" }),
  signing_order: Type.Enum(["sequential", "parallel"], { description: "For people without steps" }),
  expires_in_days: Type.Integer({ minimum: 1, maximum: 365, description: "Counted from the moment the envelope is sent" }),
  reminders: named(
    "TemplateReminders",
    Type.Object({
      every_days: Type.Integer({ minimum: 1, maximum: 30 }),
      first_after_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 90 })),
      last_days_before: Type.Optional(Type.Integer({ minimum: 1, maximum: 30 })),
    }),
  ),
  kba_required: Type.Boolean({ description: "Signers answer identity questions first" }),
  auto_vault_enabled: Type.Boolean({ description: "The signed document is stored in the vault" }),
};
export const TemplateDefaults = named(
  "TemplateDefaults",
  Type.Object(Type.Partial(Type.Object(choice)).properties, {
    description: "What envelopes from this template start with, where their request says nothing else",
  }),
);
export type TemplateDefaults = Static<typeof TemplateDefaults>;

/** Listed member by member, so that nothing else of the request is stored. */
export function keptDefaults(given: TemplateDefaults): TemplateDefaults {
  const { message, mail_subject, signing_order, expires_in_days, reminders, kba_required, auto_vault_enabled } = given;
  return {
    ...(message !== undefined && { message }),
    ...(mail_subject !== undefined && { mail_subject }),
    ...(signing_order !== undefined && { signing_order }),
    ...(expires_in_days !== undefined && { expires_in_days }),
    ...(reminders !== undefined && { reminders }),
    ...(kba_required !== undefined && { kba_required }),
    ...(auto_vault_enabled !== undefined && { auto_vault_enabled }),
  };
}
