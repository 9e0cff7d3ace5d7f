import { chooseRecipients, refuseUndrawable, refuseUnfillableGroups, refuseUnfinished } from "../envelopes/choose-recipients.ts";
import type { EnvelopeField } from "../envelopes/document-store.ts";
import type { RecipientInput } from "../envelopes/recipient-input.ts";
import { type Detail, invalidField, Problem } from "../shared/problems.ts";
import type { Field } from "../signing/field.ts";
import { rolesOf } from "../signing/field.ts";
import type { Template } from "../templates/template.ts";
import type { FormSettings } from "./form.ts";

// The role of a visitor if the document names no roles.
const ONLY_ROLE = "Signer";

// Stands for any visitor while the other recipients are checked.
const ANY_VISITOR = { kind: "signer", email: "visitor@form.invalid", name: "Visitor" } as const;

export type WantedSettings = { readonly [S in keyof FormSettings]?: FormSettings[S] | undefined };

export interface Fitting {
  readonly template: Template;
  readonly fields: readonly Field[];
  readonly require_mailed_link: boolean;
  readonly min_identity_level: number;
}

/** Completes the settings, and throws 422 for a form whose envelopes could not be sent or signed. Reports mistakes at their places. */
export function fitSettings(wanted: WantedSettings, { template, fields, require_mailed_link, min_identity_level }: Fitting): FormSettings {
  const { recipients = [], verify_email = true, max_per_day = 100, max_total = null, closes_at = null, success_text = null } = wanted;
  const visitor_role = wanted.visitor_role ?? freeRole(fields, recipients);
  if (template.defaults.kba_required === true) throw invalidField("template_id", "conflict", NO_QUESTIONS);
  if (min_identity_level > FORM_LEVEL) throw invalidField("template_id", "identity_level_too_low", TOO_LOW);
  if (require_mailed_link) refuseHandedOver(recipients, verify_email);
  const filled = fields.map((field): EnvelopeField => ({ ...field, prefilled: null }));
  // The visitor is last here, so that the others keep their places in what is reported.
  const people = [...recipients, { ...ANY_VISITOR, role: visitor_role, ...(isStepped(recipients) && { step: 1 }) }];
  at("settings", () => chooseRecipients({ field: "recipients", people }, [], null, filled, rolesOf(fields)), recipients.length);
  at("template", () => {
    refuseUnfinished(filled);
    refuseUnfillableGroups(filled);
    refuseUndrawable(filled, template);
  });
  return {
    visitor_role,
    recipients: recipients.map(keptRecipient),
    verify_email,
    max_per_day,
    max_total,
    closes_at: closes_at === null ? null : new Date(closes_at).toISOString(),
    success_text: success_text === null || success_text.trim() === "" ? null : success_text,
  };
}

const isStepped = (recipients: readonly RecipientInput[]): boolean =>
  recipients.some(({ kind, step }) => kind !== "cc" && typeof step === "number");

/** The first role of the document that no other person has. */
function freeRole(fields: readonly Field[], recipients: readonly RecipientInput[]): string {
  const taken = recipients.map(({ role }) => role);
  return rolesOf(fields).find((role) => !taken.includes(role)) ?? ONLY_ROLE;
}

/** Listed member by member, so that nothing else of the request is stored. */
const keptRecipient = ({ kind, email, name, role, step, locale, message, delivery }: RecipientInput): RecipientInput => ({
  kind,
  email,
  name,
  ...(typeof role === "string" && { role }),
  ...(typeof step === "number" && { step }),
  ...(typeof locale === "string" && { locale }),
  ...(typeof message === "string" && message !== "" && { message }),
  ...(delivery === "link" && { delivery }),
});

const NO_QUESTIONS = "its signers answer identity questions, and a form has none for visitors";
// A code by e-mail is all that visitors can be asked for.
const FORM_LEVEL = 1;
const TOO_LOW = "your organization demands identity level 2, and a form has neither access codes nor questions for visitors";
const ONLY_MAILED = "your organization accepts only links in our e-mails";

function refuseHandedOver(recipients: readonly RecipientInput[], verify_email: boolean): void {
  if (!verify_email) throw invalidField("settings.verify_email", "mailed_link_required", ONLY_MAILED);
  const linked = recipients.findIndex(({ delivery }) => delivery === "link");
  if (linked >= 0) throw invalidField(`settings.recipients[${linked}].delivery`, "mailed_link_required", ONLY_MAILED);
}

/** Runs a check of sending, and names the places of its mistakes as the request of a form has them. */
function at(part: "settings" | "template", check: () => unknown, visitor = -1): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Problem) || error.details === undefined) throw error;
    const placed = error.details.map((detail) => (part === "settings" ? inSettings(detail, visitor) : inTemplate(detail)));
    throw new Problem(error.code, "form", { details: placed, cause: error });
  }
}

function inSettings(detail: Detail, visitor: number): Detail {
  const isVisitor = detail.field?.startsWith(`recipients[${visitor}].`) === true;
  return { ...detail, field: isVisitor ? "settings.visitor_role" : `settings.${detail.field}` };
}

/** A value that the sender gives before sending is one that no form can have. */
const inTemplate = (detail: Detail): Detail => ({
  ...detail,
  field: "template_id",
  message: `the field ${detail.field?.replace(/^prefilled_data\./, "") ?? ""} ${detail.message}`,
});
