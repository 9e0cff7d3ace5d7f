import type { Customer } from "../customers/customer.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { misfitOf } from "../signing/builtin/value-fit.ts";
import { isFilledAtSigning, isMark, isShown, rolesOf, type SentField } from "../signing/field.ts";
import { heldBy, isBlank } from "../signing/field-value.ts";
import { type Step, stepsOf, ticksOf } from "../signing/steps.ts";
import { type EnvelopeDocument, type EnvelopeField, withRoles } from "./document-store.ts";
import {
  type GivenRecipients,
  isShort,
  type RecipientInput,
  refuseUnfitRecipients,
  refuseUnknownRecipientRoles,
  type SavedRecipient,
  savedRecipients,
} from "./recipient-input.ts";

/** Whom it is sent to: the people of the request, otherwise the saved ones, otherwise the customer if the document has at most one role. */

// The role of the signer if the document has no roles.
const ONLY_ROLE = "Signer";

export function chooseRecipients(
  given: GivenRecipients | undefined,
  saved: readonly SavedRecipient[],
  customer: Pick<Customer, "email" | "name"> | null,
  fields: readonly EnvelopeField[],
  /** the roles that the document's tags or its template name */
  named: readonly string[],
): GivenRecipients {
  const roles = rolesOf(withRoles(fields));
  const chosen = given ?? (saved.length > 0 ? fromDraft(saved) : { field: "signers", people: derived(customer, roles) });
  if (!chosen.people.some(({ kind }) => kind === "signer")) {
    const message =
      roles.length > 1 ? `the document has the roles ${roles.join(", ")}: name a signer for each` : "name at least one signer";
    throw new Problem("invalid_request", "no signers", {
      details: [{ location: "body", field: chosen.field, code: "required", message }],
    });
  }
  refuseUnfitRecipients(chosen, "body");
  refuseUnknownRecipientRoles(chosen, { named, placed: roles }, "body");
  refuseUnfilledRoles(chosen, roles);
  refuseSigningApprovers(chosen, fields);
  return chosen;
}

const fromDraft = (saved: readonly SavedRecipient[]): GivenRecipients => ({
  field: isShort(saved) ? "signers" : "recipients",
  people: savedRecipients(saved),
});

function derived(customer: Pick<Customer, "email" | "name"> | null, roles: readonly string[]): RecipientInput[] {
  if (customer?.email == null || roles.length > 1) return [];
  return [{ kind: "signer", email: customer.email, name: customer.name ?? customer.email, role: roles[0] ?? ONLY_ROLE }];
}

/** Fields of a role without a person would stay empty forever. */
function refuseUnfilledRoles({ field, people }: GivenRecipients, roles: readonly string[]): void {
  const who = field === "signers" ? "a signer" : "a signer or an approver";
  const details = roles
    .filter((role) => !people.some((person) => person.role === role))
    .map((role): Detail => ({ location: "body", field, code: "required", message: `must include ${who} with the role ${role}` }));
  if (details.length > 0) throw new Problem("invalid_request", "unfilled roles", { details });
}

/** An approver fills in fields and signs nothing. */
function refuseSigningApprovers({ field, people }: GivenRecipients, fields: readonly EnvelopeField[]): void {
  const details = people.flatMap(({ kind, role }, index): Detail[] => {
    const signs = kind === "approver" && fields.some((one) => one.role === role && isMark(one));
    const message = "has signatures or initials, and an approver does not sign";
    return signs ? [{ location: "body", field: `${field}[${index}].role`, code: "conflict", message }] : [];
  });
  if (details.length > 0) throw new Problem("invalid_request", "signing approvers", { details });
}

/** The signers without a signature field. Each signer needs a place to sign. `signers`: in signing order. */
export function withoutSignature<S extends { readonly role: string }>(signers: readonly S[], fields: readonly EnvelopeField[]): S[] {
  return signers.filter(({ role }, index) => {
    const theirs = fields.filter((field) => (field.role === null ? index === 0 : field.role === role));
    return !theirs.some((field) => field.type === "signature");
  });
}

/** Why the sender must fill in the field; null if the field can stay empty. */
function neededFromSender(field: EnvelopeField): string | null {
  if (isShown(field)) return "is a label without a text";
  if (field.settings.sender_fills === true) return "must be filled in by the sender";
  return field.required && field.readonly ? "is required, locked for signers, and has no value" : null;
}

/** Refuses locked values that cannot be drawn. The signers could not change them, so the document could never be finished. */
export function refuseUndrawable(fields: readonly EnvelopeField[], document: Pick<EnvelopeDocument, "pages">): void {
  const placed = fields.map((field, position): SentField => ({ ...field, role: field.role ?? "", position }));
  const details = stepsOf(placed).flatMap((step): Detail[] => {
    const sample = isFilledAtSigning(step) ? SAMPLE_DAY : step.readonly ? step.given : null;
    const misfit = sample === null ? null : misfitOf(step, sample, document);
    return misfit === null
      ? []
      : [{ location: "body", field: `prefilled_data.${step.name}`, code: "does_not_fit", message: misfit.message }];
  });
  if (details.length > 0) throw new Problem("invalid_request", "undrawable", { details });
}

// As wide as any day.
const SAMPLE_DAY = "2028-09-28";

/**
 * Refuses fields that are locked for signers and have no value although one is needed, or a value that they cannot hold: settings may have
 * changed since it was given. The signers could never complete them.
 */
export function refuseUnfinished(fields: readonly EnvelopeField[]): void {
  const details = fields.flatMap((field): Detail[] => {
    const place = { location: "body", field: `prefilled_data.${field.name}` } as const;
    const given = field.prefilled ?? field.default_value ?? "";
    if (isBlank(given)) {
      const message = neededFromSender(field);
      return message === null ? [] : [{ ...place, code: "required", message }];
    }
    const held = field.readonly ? heldBy(field, given) : given;
    return typeof held === "string" ? [] : [{ ...place, code: "invalid_value", message: held.message }];
  });
  if (details.length > 0) throw new Problem("invalid_request", "locked fields", { details });
}

/** Refuses groups of checkboxes of which their signer could never tick as many as they must, or as few. */
export function refuseUnfillableGroups(fields: readonly EnvelopeField[]): void {
  const steps = stepsOf(fields.map((field, position): SentField => ({ ...field, role: field.role ?? "", position })));
  const details = steps.flatMap((step, index): Detail[] => {
    const { role, settings } = step;
    const isSame = (one: Step) => settings.group !== undefined && one.role === role && one.settings.group === settings.group;
    if (steps.findIndex(isSame) !== index) return [];
    const group = steps.filter(isSame);
    const { min = 0, max = group.length } = ticksOf(step, steps);
    const [ticked, open] = [
      group.filter((one) => one.readonly && one.given === "true").length,
      group.filter((one) => !one.readonly).length,
    ];
    const refusal = (message: string): Detail[] => [{ location: "body", field: `prefilled_data.${step.name}`, code: "conflict", message }];
    if (ticked + open < Number(min))
      return refusal(`the group ${settings.group} needs ${min} ticks, and at most ${ticked + open} are possible`);
    if (ticked > Number(max)) return refusal(`the group ${settings.group} can have ${max} ticks, and ${ticked} are locked`);
    const required = group.filter((one) => one.required && !one.readonly).length;
    const most = ticked + required;
    return most > Number(max) ? refusal(`the group ${settings.group} can have ${max} ticks, and ${most} are required or locked`) : [];
  });
  if (details.length > 0) throw new Problem("invalid_request", "groups", { details });
}
