import type { Tx } from "../../db/sql.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { DetailCode } from "../../shared/problems.ts";
import { isFilledAtSigning, isMark, isTick } from "../field.ts";
import { heldBy, isBlank } from "../field-value.ts";
import type { Entered } from "../mark.ts";
import type { SealingDeps } from "../sealed-columns.ts";
import { inReadingOrder, type Step, stepsOf, ticksOf } from "../steps.ts";
import type { Recipient, SentDocument } from "../submission.ts";
import { type Draft, findDraft } from "./store.ts";
import { drawnCharacters, MAX_DRAWN_CHARACTERS, misfitOf } from "./value-fit.ts";

/** A signer's or an approver's steps with their values, as typed and as they would be signed. */
export interface Filled {
  readonly draft: Draft;
  /** in reading order */
  readonly steps: readonly FilledStep[];
}

export interface FilledStep {
  readonly step: Step;
  /** as the page shows it: text, a tick, or whether the mark is applied; null if it is empty */
  readonly value: string | boolean | null;
  /** null if it is empty or cannot be signed */
  readonly entered: Entered | null;
  readonly fault: Fault | null;
}

export interface Fault {
  readonly code: Extract<DetailCode, "required" | "invalid_value" | "does_not_fit">;
  readonly message: string;
}

/** `zone`: the signer's time zone, as far as it is known, for the day of signing. */
export async function filledIn(
  deps: SealingDeps,
  tx: Tx,
  org: OrgId,
  you: Recipient,
  document: SentDocument,
  zone?: string,
): Promise<Filled> {
  return fill(await findDraft(deps, tx, org, you.slug), you, document, dayIn(tx.now, zone));
}

/** The day of a moment as YYYY-MM-DD: in the zone, otherwise in UTC. */
export function dayIn(at: Date, zone = "UTC"): string {
  const form = { timeZone: zone, calendar: "gregory", numberingSystem: "latn", year: "numeric", month: "2-digit", day: "2-digit" } as const;
  const parts = new Intl.DateTimeFormat("en", form).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year")}-${part("month")}-${part("day")}`;
}

/** `today`: what fields that are filled in at signing would get now. */
export function fill(
  draft: Draft,
  { role }: Pick<Recipient, "role">,
  document: Pick<SentDocument, "fields" | "pages">,
  today: string,
): Filled {
  const own = document.fields.filter((field) => field.role === role);
  let drawn = 0;
  const steps = inReadingOrder(stepsOf(own)).map((step) => {
    if (isMark(step)) return fillMark(step, draft);
    if (isFilledAtSigning(step)) return { step, value: today, entered: { text: today }, fault: null };
    const filled = fillText(step, draft);
    if (filled.entered === null || !("text" in filled.entered)) return filled;
    drawn += drawnCharacters(step, filled.entered.text);
    const misfit = drawn > MAX_DRAWN_CHARACTERS ? TOO_MUCH : misfitOf(step, filled.entered.text, document);
    return misfit === null ? filled : { ...filled, entered: null, fault: misfit };
  });
  return { draft, steps: withGroups(steps) };
}

/** Checks how many boxes of each group are ticked. The fault is shown at the first one that the signer can change. */
function withGroups(steps: readonly FilledStep[]): FilledStep[] {
  return steps.map((one) => {
    const { group: name } = one.step.settings;
    const group = name === undefined ? [] : steps.filter(({ step }) => step.settings.group === name);
    if (one !== group.find(({ step }) => !step.readonly) || one.fault !== null) return one;
    const { min = 0, max = Number.POSITIVE_INFINITY } = ticksOf(
      one.step,
      steps.map(({ step }) => step),
    );
    const ticked = group.filter(({ value }) => value === true).length;
    if (ticked < Number(min)) return { ...one, fault: missing(`needs at least ${min} of its group ticked`) };
    return ticked > Number(max)
      ? { ...one, fault: { code: "invalid_value", message: `can have at most ${max} of its group ticked` } }
      : one;
  });
}

const TOO_MUCH: Fault = { code: "does_not_fit", message: "is too large: the document cannot hold all values" };

function fillMark(step: Step, draft: Draft): FilledStep {
  const mark = step.type === "signature" ? draft.signature : draft.initials;
  const applied = draft.values[step.field_id];
  const entered = mark === null || typeof applied !== "string" ? null : { mark, at: new Date(applied) };
  const fault = entered === null && step.required ? missing(step.type === "signature" ? "must be signed" : "must be initialled") : null;
  return { step, value: entered !== null, entered, fault };
}

function fillText(step: Step, draft: Draft): FilledStep {
  const typed = step.readonly ? step.given : Object.hasOwn(draft.values, step.field_id) ? draft.values[step.field_id] : step.given;
  const isEmpty = typed === null || typed === undefined || (typeof typed === "string" && isBlank(typed));
  const value = isEmpty ? null : isTick(step) ? shownTick(typed) : String(typed);
  const step_ = { step, value };
  if (isEmpty) return { ...step_, entered: null, fault: step.required ? missing("must be filled in") : null };
  const held = heldBy(step, typed);
  if (typeof held !== "string") return { ...step_, entered: null, fault: { code: "invalid_value", message: held.message } };
  if (isTick(step) && held === "false") {
    return { ...step_, entered: { text: held }, fault: step.required ? missing("must be ticked") : null };
  }
  // A locked value is signed as it was sent, even if a new one would be stored in another form.
  return { ...step_, entered: { text: step.readonly ? String(typed) : held }, fault: null };
}

const shownTick = (typed: unknown): string | boolean =>
  typed === true || typed === "true" ? true : typed === false || typed === "false" ? false : String(typed);

const missing = (message: string): Fault => ({ code: "required", message });

/** Counts required steps only. The others are optional. */
export function progressOf({ steps }: Filled): { done: number; total: number } {
  const required = steps.filter(({ step }) => step.required);
  return { done: required.filter(({ fault }) => fault === null).length, total: required.length };
}
