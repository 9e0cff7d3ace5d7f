import { hasInk, type SignatureFont, sharedFonts, undrawableIn } from "@countersign/pdf/fit";
import { NotAPdf, sniff, UnreadablePdf } from "@countersign/pdf/pool";
import type { Tx } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { type Detail, invalidField, Problem } from "../../shared/problems.ts";
import { sha256 } from "../../shared/secrets.ts";
import type { Slug } from "../../shared/slugs.ts";
import { isFilledAtSigning, isMark } from "../field.ts";
import { heldBy } from "../field-value.ts";
import type { AdoptedMark } from "../mark.ts";
import { notingMismatch } from "../noting-mismatch.ts";
import { type Step, stepsOf } from "../steps.ts";
import type { SigningDeps } from "../submission.ts";
import { consented, fillable, look, recipientOf } from "./ceremony.ts";
import { dayIn, type Filled, fill } from "./filled.ts";
import { ensureOpened } from "./open-signing.ts";
import { type Draft, insertMarks, type LockedDraft, lockDraft, saveDraft } from "./store.ts";

/** A signature or initials as the page sends them. */
export type GivenMark =
  | { readonly kind: "drawn"; readonly w: number; readonly h: number; readonly strokes: readonly (readonly (readonly number[])[])[] }
  | { readonly kind: "typed"; readonly text: string; readonly font: SignatureFont }
  | { readonly kind: "uploaded"; readonly png: string };

export interface FieldsSaved {
  readonly values?: readonly { readonly field_id: string; readonly value: string | number | boolean | null }[];
  readonly adopt?: { readonly signature?: GivenMark; readonly initials?: GivenMark };
}

export interface CheckedMarks {
  readonly signature?: AdoptedMark;
  readonly initials?: AdoptedMark;
}

const MARKS = ["signature", "initials"] as const;

/** Reads uploaded images, and refuses those that cannot be drawn. Outside the transaction of the save, because the engine reads them. */
export async function checkUploads(deps: SigningDeps, who: WidgetCaller, { adopt = {} }: FieldsSaved): Promise<CheckedMarks> {
  if (MARKS.every((type) => adopt[type]?.kind !== "uploaded")) return {};
  const { org } = who;
  recipientOf(who);
  // Images are only processed for people who can sign.
  await deps.db.tx(org, async (tx) => consented(await look(deps, tx, who)));
  const checked: { -readonly [type in keyof CheckedMarks]: AdoptedMark } = {};
  for (const type of MARKS) {
    const given = adopt[type];
    if (given?.kind === "uploaded") checked[type] = markOf("uploaded", await uploaded(deps, org, given.png, `adopt.${type}`));
  }
  return checked;
}

/** Refuses marks that cannot be drawn now instead of after the last signature. */
function checkedMark(type: (typeof MARKS)[number], given: GivenMark, uploads: CheckedMarks): AdoptedMark {
  const field = `adopt.${type}`;
  if (given.kind === "drawn") return markOf("drawn", drawn(given, field));
  if (given.kind === "typed") return markOf("typed", typed(given, field));
  const image = uploads[type];
  if (image === undefined) throw new Error("an uploaded mark was not checked before it was saved");
  return image;
}

// Much finer than any hand. A signature with this many points would take a whole minute to draw.
const MAX_POINTS = 4_000;
const MAX_PNG_BYTES = 512 * 1024;
// The page scales images to 1000 by 400. An original camera image would only take longer to decode.
const MAX_PNG_PIXELS = 2_000_000;

function markOf(method: AdoptedMark["method"], content: Uint8Array): AdoptedMark {
  return { method, content, sha256: sha256(content).toString("hex") };
}

function drawn({ w, h, strokes }: Extract<GivenMark, { kind: "drawn" }>, field: string): Uint8Array {
  const points = strokes.reduce((sum, stroke) => sum + stroke.length, 0);
  if (points === 0) throw invalidField(`${field}.strokes`, "required", "must have at least one point");
  if (points > MAX_POINTS) throw invalidField(`${field}.strokes`, "too_long", `must have at most ${MAX_POINTS} points`);
  return Buffer.from(JSON.stringify({ w, h, strokes }));
}

function typed({ text, font }: Extract<GivenMark, { kind: "typed" }>, field: string): Uint8Array {
  if (!hasInk(text, sharedFonts())) throw invalidField(`${field}.text`, "required", "must contain at least one visible character");
  const missing = undrawableIn(text, sharedFonts());
  if (missing !== null) throw invalidField(`${field}.text`, "invalid_value", `${missing}. Draw your signature instead`);
  return Buffer.from(JSON.stringify({ text, font }));
}

async function uploaded(deps: SigningDeps, org: string, base64: string, field: string): Promise<Uint8Array> {
  const png = Buffer.from(base64, "base64");
  if (png.length > MAX_PNG_BYTES) throw invalidField(`${field}.png`, "too_big", "must have at most 512 KB");
  // Read from the header before decoding. A file that is not a PNG is refused below.
  const pixels = png.length < 24 ? 0 : png.readUInt32BE(16) * png.readUInt32BE(20);
  if (sniff(png) === "png" && pixels > MAX_PNG_PIXELS) throw invalidField(`${field}.png`, "too_big", "must have at most 2 megapixels");
  const { bytes, blank } = await deps.pdf.picture(png, {}, { key: org, priority: "interactive" }).catch((error: unknown) => {
    const isTheirs = error instanceof NotAPdf || error instanceof UnreadablePdf;
    throw isTheirs ? invalidField(`${field}.png`, "invalid_value", "must be a readable PNG") : error;
  });
  if (blank) throw invalidField(`${field}.png`, "required", "must not be blank or all white");
  return bytes;
}

/** Saves what a signer has entered so far. Values that cannot be signed are stored too, and returned with what is wrong with them. */
export function saveFields(
  deps: SigningDeps,
  who: WidgetCaller,
  { values = [], adopt: given = {} }: FieldsSaved,
  uploads: CheckedMarks,
): Promise<Filled> {
  const { org, holder } = who;
  const slug = recipientOf(who);
  const save = async (tx: Tx): Promise<Filled> => {
    const ceremony = await look(deps, tx, who);
    const you = fillable(ceremony);
    const marks = MARKS.flatMap((type) => {
      const mark = given[type];
      if (mark === undefined) return [];
      consented(ceremony);
      return [{ type, mark: checkedMark(type, mark, uploads) }];
    });
    await ensureOpened(deps, tx, who, ceremony);
    const document = await deps.findDocument(tx, org, holder.envelope_id);
    const steps = stepsOf(document.fields.filter(({ role }) => role === you.role));
    const before = await lockDraft(deps, tx, org, slug);
    const adopted = await adopt(deps, tx, who, slug, before, marks, steps);
    const draft = { ...adopted, values: { ...adopted.values, ...entered(values, steps, adopted, tx.now) }, revision: before.revision + 1 };
    await saveDraft(deps, tx, org, slug, draft);
    return fill(draft, you, document, dayIn(tx.now));
  };
  return notingMismatch(deps, org, () => deps.db.tx(org, save));
}

/** A new mark is not applied anywhere yet. Each place must be clicked again. */
async function adopt(
  deps: SigningDeps,
  tx: Tx,
  { org }: WidgetCaller,
  slug: Slug,
  before: LockedDraft,
  marks: readonly { readonly type: "signature" | "initials"; readonly mark: AdoptedMark }[],
  steps: readonly Step[],
): Promise<LockedDraft> {
  const adopted = marks.filter(({ type, mark }) => mark.sha256 !== before[type]?.sha256);
  await insertMarks(
    deps,
    tx,
    org,
    slug,
    adopted.map(({ mark }) => mark),
  );
  let draft = before;
  for (const { type, mark } of adopted) {
    const pressed = new Set(steps.filter((step) => step.type === type).map(({ field_id }) => field_id));
    const values = Object.fromEntries(Object.entries(draft.values).filter(([field_id]) => !pressed.has(field_id)));
    draft = { ...draft, values, [type]: mark };
  }
  return draft;
}

/** As it will be signed, so that the page shows what is written into the document. A value that cannot be signed stays as it is. */
function inNormalForm(step: Step, value: string | number | boolean | null): string | number | boolean | null {
  if (typeof value === "boolean" || value === null || value === "") return value;
  const held = heldBy(step, value);
  return typeof held === "string" ? held : value;
}

/** The values by field id, as they are stored. Throws 422 with all mistakes. */
function entered(
  values: NonNullable<FieldsSaved["values"]>,
  steps: readonly Step[],
  draft: Draft,
  now: Date,
): Record<string, string | number | boolean | null> {
  const details: Detail[] = [];
  const kept: Record<string, string | number | boolean | null> = {};
  for (const [index, { field_id, value }] of values.entries()) {
    const refuse = (code: Detail["code"], message: string, part = "value") =>
      void details.push({ location: "body", field: `values[${index}].${part}`, code, message });
    const step = steps.find((one) => one.field_id === field_id);
    if (step === undefined) refuse("unknown_field", "is no field of yours", "field_id");
    else if (step.readonly) refuse("read_only", "is locked by the sender", "field_id");
    else if (isFilledAtSigning(step)) refuse("read_only", "is filled in when you sign", "field_id");
    else if (!isMark(step)) kept[field_id] = inNormalForm(step, value);
    else if (value !== true && value !== false && value !== null) refuse("invalid_type", "must be true to apply the mark, or false");
    else if (value !== true) kept[field_id] = null;
    else if (draft[step.type as "signature" | "initials"] === null) refuse("adopt_first", `adopt your ${step.type} first`);
    else kept[field_id] = now.toISOString();
  }
  if (details.length > 0) throw new Problem("invalid_request", "fields", { details });
  return kept;
}
