// Makes values part of the page, in three steps: plan each value for its area and reject those that do not fit; draw everything page by
// page; embed the fonts in use. Nothing is changed before everything is planned.

import { PADDING_PT } from "@countersign/fields/fit";
import { type Area, clipArea, fromDisplayedPoints } from "./area.ts";
import { mapBox } from "./content/matrix.ts";
import type { Doc, Page } from "./doc.ts";
import { StampFault } from "./errors.ts";
import { displayedPage, displayedSize } from "./page-tree.ts";
import { prepareCaption, type Signing } from "./stamp/caption.ts";
import { drawCross, drawDisc } from "./stamp/draw-choice.ts";
import { type Drawing, prepareSignature, type SignatureValue } from "./stamp/draw-signature.ts";
import { drawText } from "./stamp/draw-text.ts";
import { openFontBook } from "./stamp/embed-fonts.ts";
import { layOut, textBox } from "./stamp/fit-text.ts";
import type { Fonts } from "./stamp/fonts.ts";
import type { Shaped } from "./stamp/shape.ts";
import { type Box, drawTagged, openSheet, type Sheet } from "./stamp/sheet.ts";
import type { Tag } from "./stamp/structure-tree.ts";

/** A field's value and its areas. An empty value, an unchecked box and a missing choice are not drawn. */
export type Mark = {
  readonly field: string;
  readonly signer: string;
  readonly areas: readonly Area[];
  /** The field's name, which screen readers say before its value. */
  readonly label?: string;
} & (
  | { readonly kind: "text"; readonly value: string }
  | { readonly kind: "cross"; readonly value: boolean }
  /** If there is one area per option, the selected one is filled; otherwise the option is written as text. */
  | { readonly kind: "disc"; readonly options: readonly string[]; readonly value: string | null }
  | ({ readonly kind: "mark"; readonly value: SignatureValue; readonly initials?: boolean } & Signing)
);

/** One area in which something was drawn; `name` and `time` are those of a signature. `box` is in fractions of the displayed page. */
export type Stamped = {
  readonly field: string;
  readonly signer: string;
  readonly kind: Mark["kind"];
  readonly name: string | null;
  readonly time: Date | null;
  readonly page: number;
  readonly box: Omit<Area, "page">;
};

/**
 * font_missing: `characters` were drawn as U+FFFD, because no font has them. script_not_shaped: letters are drawn side by side although
 * the script joins or stacks them. In both cases the extracted text is complete.
 */
export type StampWarning =
  | { readonly code: "font_missing"; readonly field: string; readonly characters: readonly string[]; readonly message: string }
  | { readonly code: "script_not_shaped"; readonly field: string; readonly message: string };

export type Stamping = { readonly stamped: readonly Stamped[]; readonly warnings: readonly StampWarning[] };

/** `stamped` is null if nothing is drawn, but screen readers are told so. */
type Plan = { readonly page: Page; readonly box: Box; readonly draw: (sheet: Sheet, box: Box) => void; readonly stamped: Stamped | null };

type Place = { readonly page: Page; readonly area: Area; readonly box: Box };

/**
 * Draws the values onto the pages of `doc`, which `save` then writes. Throws StampFault for a value that does not fit its area,
 * RangeError for a page that does not exist, and UnreadablePdf for an image that is not a PNG; in these cases nothing is drawn.
 * @example const { stamped } = await stamp(doc, [{ kind: "text", field: "Date", signer: "Ann", areas: [area], value: "2026-03-01" }],
 * openFonts())
 */
export async function stamp(doc: Doc, marks: readonly Mark[], fonts: Fonts): Promise<Stamping> {
  const warnings: StampWarning[] = [];
  const plans: Plan[] = [];
  // Initials are often on every page: marks with the same value share one drawing.
  const drawings: Drawings = new Map();
  for (const mark of marks) plans.push(...(await planMark(doc, mark, fonts, warnings, drawings)));
  const book = openFontBook(doc);
  for (const page of new Set(plans.map((plan) => plan.page))) {
    const sheet = openSheet(doc, page, book);
    for (const plan of plans) if (plan.page === page) plan.draw(sheet, plan.box);
    sheet.finish();
  }
  book.finish();
  return { stamped: plans.map((plan) => plan.stamped).filter((stamped) => stamped !== null), warnings };
}

type Drawings = Map<SignatureValue, Map<string, Drawing>>;

async function planMark(doc: Doc, mark: Mark, fonts: Fonts, warnings: StampWarning[], drawings: Drawings): Promise<Plan[]> {
  const places = mark.areas.map((area) => placeOf(doc, mark.field, area));
  switch (mark.kind) {
    case "text":
      return planText(mark, mark.value, places, fonts, warnings);
    case "cross":
      return planCross(doc, mark, places);
    case "disc":
      return planDisc(mark, places, fonts, warnings);
    case "mark":
      return planSignature(doc, mark, places, fonts, warnings, drawings);
  }
}

function placeOf(doc: Doc, field: string, area: Area): Place {
  const page = doc.pages[area.page - 1];
  if (page === undefined) throw new RangeError(`no page ${area.page}`);
  const shown = clipArea(area)?.area;
  if (shown === undefined) throw new StampFault(field);
  const size = displayedSize(displayedPage(doc, page.dict));
  const { w_pt, h_pt } = textBox(shown, size);
  return { page, area: shown, box: { x: shown.x * size.w_pt, y: shown.y * size.h_pt, w: w_pt, h: h_pt } };
}

function planCross(doc: Doc, mark: Mark & { kind: "cross" }, places: readonly Place[]): Plan[] {
  const tag = fieldTag(mark, "cb", mark.value ? "on" : "off", mark.value ? "checked" : "not checked");
  if (mark.value) return places.map((place) => planOf(mark, place, (sheet, box) => drawTagged(sheet, tag, () => drawCross(sheet, box))));
  // An empty box is part of the page already, so only its state is added to the structure.
  if (!doc.catalog.has("StructTreeRoot")) return [];
  return places.map((place) => ({ ...planOf(mark, place, (sheet) => drawTagged(sheet, tag, () => undefined)), stamped: null }));
}

/** A choice is described by its state, because its content is a drawing. */
function fieldTag({ label }: Mark, role: "cb" | "rb", checked: "on" | "off", state: string): Tag {
  const field = { role, checked, ...(label === undefined ? {} : { label }) };
  return { kind: "Form", alt: label === undefined ? state : `${label}: ${state}`, field };
}

const textTag = ({ label }: Mark, text: string): Tag => ({
  kind: "Form",
  text,
  field: { role: "tv", ...(label === undefined ? {} : { label }) },
});

function planText(mark: Mark, value: string, places: readonly Place[], fonts: Fonts, warnings: StampWarning[]): Plan[] {
  if (value.trim() === "") return [];
  return places.map((place, index) => {
    const layout = layOut(value, { w_pt: place.box.w, h_pt: place.box.h }, fonts);
    if (layout === null) throw new StampFault(mark.field);
    if (index === 0) warnings.push(...warningsOf(mark.field, layout.shaped));
    const tag = textTag(mark, value);
    return planOf(mark, place, (sheet, box) => drawTagged(sheet, tag, () => drawText(sheet, value, layout, box)));
  });
}

function planDisc(mark: Mark & { kind: "disc" }, places: readonly Place[], fonts: Fonts, warnings: StampWarning[]): Plan[] {
  const { options, value } = mark;
  if (value === null) return [];
  if (!options.includes(value)) throw new Error("the value of a choice is not one of its options");
  if (places.length !== options.length) return planText(mark, value, places, fonts, warnings);
  return places
    .slice(options.indexOf(value))
    .slice(0, 1)
    .map((place) => {
      const tag = fieldTag(mark, "rb", "on", `${value}, selected`);
      return planOf(mark, place, (sheet, box) => drawTagged(sheet, tag, () => drawDisc(sheet, value, box)));
    });
}

async function planSignature(
  doc: Doc,
  mark: Mark & { kind: "mark" },
  places: readonly Place[],
  fonts: Fonts,
  warnings: StampWarning[],
  drawings: Drawings,
): Promise<Plan[]> {
  const known = drawings.get(mark.value) ?? new Map<string, Drawing>();
  const signature = known.get(mark.name) ?? (await prepareSignature(doc, mark.value, mark.name, fonts));
  drawings.set(mark.value, known.set(mark.name, signature));
  if (signature.shaped !== undefined) warnings.push(...warningsOf(mark.field, signature.shaped));
  return places.map((place) => {
    const tag = signatureTag(doc, mark, place);
    return planOf(mark, place, (sheet, box) => drawSigned(sheet, box, signature, { tag, signing: mark }, fonts));
  });
}

/** A figure states where it is, in the page's own space (ISO 32000-2, table 379). */
function signatureTag(doc: Doc, { initials, name }: Mark & { kind: "mark" }, { page, box }: Place): Tag {
  const space = fromDisplayedPoints(displayedPage(doc, page.dict));
  const bounds = mapBox(space, [box.x, box.y, box.x + box.w, box.y + box.h]);
  return { kind: "Figure", alt: `${initials === true ? "Initials" : "Signature"} of ${name}`, bounds };
}

type Described = { readonly tag: Tag; readonly signing: Signing };

function drawSigned(sheet: Sheet, area: Box, signature: Drawing, { tag, signing }: Described, fonts: Fonts): void {
  const padding = Math.min(PADDING_PT, area.w / 10, area.h / 10);
  const box = { x: area.x + padding, y: area.y + padding, w: area.w - 2 * padding, h: area.h - 2 * padding };
  const caption = prepareCaption(signing, { w: box.w, h: area.h }, fonts);
  const below = caption?.h_pt ?? 0;
  drawTagged(sheet, tag, () => signature.draw(sheet, { ...box, h: box.h - below }));
  if (caption !== null) drawTagged(sheet, { kind: "P" }, () => caption.draw(sheet, { ...box, y: box.y + box.h - below, h: below }));
}

function planOf(mark: Mark, { page, area, box }: Place, draw: Plan["draw"]): Plan {
  const { page: number, ...fractions } = area;
  const signing = "time" in mark ? { name: mark.name, time: mark.time } : { name: null, time: null };
  const { field, signer, kind } = mark;
  return { page, box, draw, stamped: { field, signer, kind, ...signing, page: number, box: fractions } };
}

function warningsOf(field: string, { missing, unshaped }: Shaped): StampWarning[] {
  const warnings: StampWarning[] = [];
  if (missing.length > 0) {
    const message = `Characters of ${field} are drawn as \ufffd, because no font has them: ${missing.join(" ")}`;
    warnings.push({ code: "font_missing", field, characters: missing, message });
  }
  if (unshaped) warnings.push({ code: "script_not_shaped", field, message: `The letters of ${field} are drawn one by one, not joined` });
  return warnings;
}
