// Creates our own documents from plain data. The same model gives the same bytes.

import { PDF } from "@libpdf/core";
import { createBudget } from "pako";
import { UnreadablePdf } from "./errors.ts";
import { MAX_PAGES } from "./page-tree.ts";
import { prepareSignature, type SignatureValue, type Target } from "./stamp/draw-signature.ts";
import type { Fonts } from "./stamp/fonts.ts";
import { type Block, type DocumentModel, type PictureCell, picturesIn } from "./typeset/model.ts";
import { paginate } from "./typeset/paginate.ts";
import { setCallout } from "./typeset/set-callout.ts";
import { setPairs, setTable } from "./typeset/set-rows.ts";
import { setHeading, setItem, setParagraph, setRule, setTitle } from "./typeset/set-text.ts";
import type { Strip } from "./typeset/strip.ts";
import { MARGIN_PT, PAPER_PT } from "./typeset/styles.ts";
import { note, openSetter, type Setter } from "./typeset/text-lines.ts";
import { writeDocument } from "./typeset/write-document.ts";

/**
 * font_missing: `characters` were drawn as U+FFFD. script_not_shaped: letters are drawn side by side although the script joins or stacks
 * them.
 */
export type TypesetWarning =
  | { readonly code: "font_missing"; readonly characters: readonly string[] }
  | { readonly code: "script_not_shaped" };

export type Typeset = { readonly bytes: Uint8Array; readonly pages: number; readonly warnings: readonly TypesetWarning[] };

/**
 * Creates a PDF. Throws UnreadablePdf `too_complex` if the model needs more than 2,000 pages.
 * @example const { bytes } = await typeset({ title: "Note", language: "en", paper: "a4", footer, blocks: [{ kind: "title", text: "Note"
 * }] }, openFonts())
 */
export async function typeset(model: DocumentModel, fonts: Fonts): Promise<Typeset> {
  const { w, h } = PAPER_PT[model.paper];
  const doc = { pdf: PDF.create(), budget: createBudget() };
  const setter = openSetter(fonts, doc, await preparePictures(doc, model.blocks, fonts));
  for (const { shaped } of setter.pictures.values()) if (shaped !== undefined) note(setter.problems, shaped);
  const strips = model.blocks.flatMap((block) => setBlock(setter, block, w - 2 * MARGIN_PT.side));
  const pages = paginate(strips, h - MARGIN_PT.top - MARGIN_PT.bottom);
  if (pages.length > MAX_PAGES) throw new UnreadablePdf("too_complex", `more than ${MAX_PAGES.toLocaleString("en")} pages`);
  // A document needs at least one page.
  const shown = pages.length === 0 ? [[]] : pages;
  return { bytes: await writeDocument(model, shown, setter), pages: shown.length, warnings: warningsOf(setter) };
}

/** Throws if one cannot be drawn; those of signers were checked when they were made. */
async function preparePictures(doc: Target, blocks: readonly Block[], fonts: Fonts): Promise<Setter["pictures"]> {
  const prepared = picturesIn(blocks).map(async (cell) => [cell, await prepareSignature(doc, signatureIn(cell), cell.alt, fonts)] as const);
  return new Map(await Promise.all(prepared));
}

const signatureIn = ({ picture }: PictureCell): SignatureValue =>
  picture.kind === "uploaded" ? { kind: picture.kind, png: Buffer.from(picture.png, "base64") } : picture;

function setBlock(setter: Setter, block: Block, width: number): Strip[] {
  switch (block.kind) {
    case "title":
      return setTitle(setter, block, width);
    case "heading":
      return setHeading(setter, block, width);
    case "paragraph":
      return setParagraph(setter, block, width);
    case "item":
      return setItem(setter, block, width);
    case "pairs":
      return setPairs(setter, block, width);
    case "table":
      return setTable(setter, block, width);
    case "callout":
      return setCallout(setter, block, width);
    case "rule":
      return setRule(width);
  }
}

function warningsOf({ problems }: Setter): TypesetWarning[] {
  return [
    ...(problems.missing.size > 0 ? [{ code: "font_missing" as const, characters: [...problems.missing].sort() }] : []),
    ...(problems.unshaped ? [{ code: "script_not_shaped" as const }] : []),
  ];
}
