import type { Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";
import { type Detail, Problem } from "../shared/problems.ts";
import { dayIn, type FilledStep, fill } from "../signing/builtin/filled.ts";
import { findDraft } from "../signing/builtin/store.ts";
import { isFilledAtSigning, isMark } from "../signing/field.ts";
import { type Step, stepsOf } from "../signing/steps.ts";
import type { Recipient, SentDocument, SigningDeps } from "../signing/submission.ts";

/** By the name of the field, as `prefilled_data` of a sender. */
export type GivenValues = Readonly<Record<string, string | number | boolean | null>>;

export interface FieldValue {
  readonly field_id: string;
  readonly value: string | number | boolean | null;
}

/** Those for the fields that a recipient fills in. */
export function valuesFor({ role }: Recipient, document: Pick<SentDocument, "fields">, given: GivenValues): FieldValue[] {
  return enteredSteps(document, role).flatMap(({ field_id, name }) => {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    return value === undefined ? [] : [{ field_id, value }];
  });
}

const enteredSteps = ({ fields }: Pick<SentDocument, "fields">, role: string | null): Step[] =>
  role === null ? [] : stepsOf(fields.filter((field) => field.role === role)).filter(isEntered);

const isEntered = (step: Step): boolean => !step.readonly && !isMark(step) && !isFilledAtSigning(step);

/**
 * Throws 422 with everything that is wrong, before anyone signs: a value of no field, a required field without a value, and a value that its
 * field cannot hold. A person's own draft and the sender's values count.
 */
export async function refuseUnfillable(
  deps: SigningDeps,
  tx: Tx,
  org: OrgId,
  recipients: readonly Recipient[],
  document: SentDocument,
  given: GivenValues,
): Promise<void> {
  const names = new Set(recipients.flatMap(({ role }) => enteredSteps(document, role).map(({ name }) => name)));
  const unknown = Object.keys(given).filter((name) => !names.has(name));
  const details = unknown.map((name) => detailOf(name, "unknown_field", "is not a field that these recipients fill in"));
  for (const you of recipients) {
    const draft = await findDraft(deps, tx, org, you.slug);
    const own = Object.fromEntries(valuesFor(you, document, given).map(({ field_id, value }) => [field_id, value]));
    const { steps } = fill({ ...draft, values: { ...draft.values, ...own } }, you, document, dayIn(tx.now));
    details.push(...steps.flatMap(faultOf));
  }
  if (details.length > 0) throw new Problem("invalid_request", "values", { details });
}

const faultOf = ({ step, fault }: FilledStep): Detail[] =>
  fault === null || isMark(step) ? [] : [detailOf(step.name, fault.code, fault.message)];

const detailOf = (name: string, code: Detail["code"], message: string): Detail => ({
  location: "body",
  field: `values.${name}`,
  code,
  message,
});
