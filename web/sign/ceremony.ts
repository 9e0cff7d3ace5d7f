import type { Mark, MarkInput, OpenedSigning, SigningField, SigningFieldProblem } from "@countersign/client/pages";
import { type Control, otherControls } from "@countersign/fields/pages";
import { printed } from "@countersign/fields/print";
import { batch, computed, type Signal, signal } from "@preact/signals";
import { locale, words } from "../i18n/i18n.ts";

/** The state of the signing ceremony: the last answer of the service and what was entered since. */

export const opened = signal<OpenedSigning | null>(null);
/** page 1 has been displayed; consent is only possible after that */
export const firstPageSeen = signal(false);
export const isReviewing = signal(false);
/** the notice above the task, about what just happened */
export const note = signal<"withdrawn" | "stale" | "rejected" | "interrupted" | "questions_wrong" | "questions_over" | null>(null);
/** who has signed since this page was opened */
export const joined = signal<readonly string[]>([]);

export type Ending =
  | "not_found"
  | "voided"
  | "expired"
  | "declined"
  | "declined_by_you"
  | "not_you"
  | "not_your_task"
  | "record_mismatch"
  | "problem";
/** set when nothing more can be done on this page */
export const ending = signal<{ readonly why: Ending; readonly reference?: string; readonly said?: string | null } | null>(null);

export type Stage =
  | "loading"
  | "ended"
  | "waiting"
  | "mailed_link_required"
  | "locked"
  | "identity_unavailable"
  | "questions"
  | "consent"
  | "agreement"
  | "fields"
  | "review"
  | "signed"
  | "recipient"
  | "approved"
  | "confirmed"
  | "read_only";

export const stage = computed<Stage>(() => {
  if (ending.value !== null) return "ended";
  const now = opened.value;
  if (now === null) return "loading";
  if (now.state !== "ready") return now.state;
  if (now.identity.state === "required" || now.identity.state === "expired") return "questions";
  // Approvers and viewers sign nothing, so they are not asked for consent. What they decide follows their fields, if they have any.
  if (now.consent === null) return isReviewing.value || steps.value.length === 0 ? "recipient" : "fields";
  if (now.consent.accepted_at === null) return "consent";
  if (now.agreement !== null && now.agreement.accepted_at === null) return "agreement";
  return isReviewing.value ? "review" : "fields";
});

export type Value = SigningField["value"];
export type Fault = SigningFieldProblem["code"];

export const isFault = (code = ""): code is Fault => Object.hasOwn(words.value.errors, code);

/** A field with its current value. It stays the same object in every answer, because a dialog or a save may hold it. */
export interface Entry {
  field: SigningField;
  readonly value: Signal<Value>;
  readonly error: Signal<Fault | null>;
  /** the characters that cannot be drawn, as the service names them */
  readonly undrawable: Signal<string>;
  /** changed on this page and not saved yet */
  isUnsaved: boolean;
}

export const entries = signal<readonly Entry[]>([]);
export const current = signal<Entry | null>(null);
/** From the service, or created on this page. */
export type AnyMark = Mark | MarkInput;
export const marks = { signature: signal<AnyMark | null>(null), initials: signal<AnyMark | null>(null) };
export const revision = signal(0);

/** What a field of this type is filled in with. */
export const controlOf = (type: SigningField["type"]): Control => otherControls[type] ?? (type as Control);

export type MarkType = keyof typeof marks;
export const isMark = (field: SigningField): field is SigningField & { readonly type: MarkType } => field.type in marks;

export function isFilled({ field, value }: Entry): boolean {
  if (isMark(field) || (controlOf(field.type) === "checkbox" && field.required)) return value.value === true;
  return typeof value.value === "string" ? value.value.trim() !== "" : value.value !== null;
}

/** The language in which this signer's numbers and dates are written into the document: that of the sentence above the button. */
export const printLanguage = computed(() => opened.value?.intent?.locale ?? locale.value);

/** The value as it is written into the document. */
export function drawnValue({ field: { type, readonly, settings }, value: { value } }: Entry): Value {
  if (typeof value !== "string" || readonly || opened.value?.document?.prints_by_language !== true) return value;
  return printed(controlOf(type), value, printLanguage.value, settings.unit);
}

export const hasSettings = computed(() => entries.value.some(({ field }) => Object.keys(field.settings).length > 0));

/** The sentences about settings; null until they are loaded. */
export const requirement = signal<typeof import("./requirement.ts").requirement | null>(null);

/** What the field takes, in a sentence; null if it has no limits. */
export const requirementOf = ({ field }: Entry): string | null => requirement.value?.(field, locale.value) ?? null;

export const isNeeded = (entry: Entry): boolean => entry.field.required || isOnlySignature(entry);

/** A value that cannot be signed as it is. */
export const isWrong = ({ error }: Entry): boolean => error.value !== null && error.value !== "required";

/** What prevents signing at this field, including an empty required field. */
export function faultOf(entry: Entry): Fault | null {
  if (isWrong(entry)) return entry.error.value;
  return (isNeeded(entry) && !isFilled(entry)) || isGroupShort(entry) ? "required" : null;
}

/** Too few boxes of its group are ticked. The first one that is not locked says so. */
function isGroupShort(entry: Entry): boolean {
  const { group, min = 0 } = entry.field.settings;
  const boxes = entries.value.filter(({ field }) => group !== undefined && field.settings.group === group);
  return boxes.find(({ field }) => !field.readonly) === entry && boxes.filter(({ value }) => value.value === true).length < Number(min);
}

/** A document cannot be signed without a signature: if all signature fields are optional, the first one is treated as required. */
function isOnlySignature(entry: Entry): boolean {
  const signatures = entries.value.filter(({ field }) => field.type === "signature" && !field.readonly);
  return signatures[0] === entry && signatures.every(({ field, value }) => !field.required && value.value !== true);
}

/** The fields that the signer can fill in, in reading order. */
export const steps = computed(() => entries.value.filter(({ field }) => !field.readonly));

/** Counts required fields only. Optional fields are steps too, but are not counted. */
export const progress = computed(() => {
  const required = steps.value.filter(({ field }) => field.required);
  return { done: required.filter((entry) => faultOf(entry) === null).length, total: required.length };
});

export const missing = computed(() => steps.value.filter((entry) => faultOf(entry) !== null));

export const hasSignature = computed(() => entries.value.some(({ field, value }) => field.type === "signature" && value.value === true));

/** Applies an answer of the service. Unsaved entries are kept. */
export function applyOpened(fresh: OpenedSigning): void {
  batch(() => {
    opened.value = fresh;
    const known = new Map(entries.peek().map((entry) => [entry.field.field_id, entry]));
    entries.value = (fresh.fields ?? []).map((field) => entryOf(field, known.get(field.field_id)));
    const at = current.peek()?.field.field_id;
    current.value = entries.peek().find(({ field }) => field.field_id === at) ?? null;
    marks.signature.value = fresh.signature;
    marks.initials.value = fresh.initials;
    revision.value = fresh.revision ?? 0;
    ending.value = null;
    if (fresh.state !== "ready") isReviewing.value = false;
  });
}

function entryOf(field: SigningField, known: Entry | undefined): Entry {
  const error = field.error === null || field.error.code === "required" ? null : field.error.code;
  const undrawable = namedIn(field.error?.message);
  if (known === undefined)
    return { field, value: signal(field.value), error: signal<Fault | null>(error), undrawable: signal(undrawable), isUnsaved: false };
  if (!known.isUnsaved) {
    known.undrawable.value = undrawable;
    known.value.value = field.value;
    known.error.value = error ?? (known.error.peek() === "required" ? "required" : null);
  }
  known.field = field;
  return known;
}

/** `😀 (U+1F600), U+09BF`: the characters that a message of the service names; empty for other messages. */
export const namedIn = (message = ""): string => (message.match(/(\S \()?U\+[0-9A-F]{4,6}\)?/gu) ?? []).join(", ");

/** Clears everything after a token of another signer has arrived. */
export function clearCeremony(): void {
  batch(() => {
    opened.value = null;
    entries.value = [];
    current.value = null;
    marks.signature.value = null;
    marks.initials.value = null;
    revision.value = 0;
    isReviewing.value = false;
    firstPageSeen.value = false;
    note.value = null;
    joined.value = [];
    ending.value = null;
  });
}
