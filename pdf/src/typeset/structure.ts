// The structure of our documents: headings, paragraphs, lists and tables in reading order, for screen readers (ISO 32000-2, 14.7 and
// 14.8). The setting of a block adds its elements; drawing a page adds the pieces of content that belong to each.

import { type PDF, PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, type PdfObject, type PdfRef, PdfString } from "@libpdf/core";
import { register } from "../doc.ts";
import { RIGHT_TO_LEFT } from "../stamp/shape.ts";
import type { Box } from "../stamp/sheet.ts";

type Kind = "Document" | "H1" | "H2" | "H3" | "H4" | "P" | "L" | "LI" | "Lbl" | "LBody" | "Table" | "TR" | "TH" | "TD" | "Div" | "Figure";

/** One piece of a page's content, by its number there. */
type Piece = { readonly page: number; readonly id: number };

export type Element = {
  readonly kind: Kind;
  /** What a header cell is the header of. */
  readonly scope?: "Row" | "Column";
  readonly children: (Element | Piece)[];
  /** What to read aloud instead of the content. */
  text?: string;
  /** What a figure shows, and where it was drawn on its page. */
  alt?: string;
  box?: Box;
};

export const documentElement = (): Element => ({ kind: "Document", children: [] });

/** Adds an element at the end of `above`. */
export function addElement(above: Element, kind: Kind, scope?: Element["scope"]): Element {
  const element: Element = { kind, children: [], ...(scope === undefined ? {} : { scope }) };
  above.children.push(element);
  return element;
}

/**
 * States the text where the content does not: words at the end of a line and at the start of the next are not separated there, and
 * letters of right-to-left scripts are in the order in which they are drawn.
 */
export function stateText(element: Element, text: string, lines: readonly unknown[]): void {
  if (lines.length > 1 || RIGHT_TO_LEFT.test(text)) element.text = text;
}

/** The list that `above` ends with, or a new one: items that follow each other belong to one list. */
export function openList(above: Element): Element {
  const last = above.children.at(-1);
  return last !== undefined && "kind" in last && last.kind === "L" ? last : addElement(above, "L");
}

export type PageMarker = {
  /** What is drawn next belongs to the element, or is decoration. */
  readonly next: (element: Element | null) => void;
  readonly end: () => void;
  /** The elements of the page's pieces, by their numbers. */
  readonly pieces: readonly Element[];
};

/** Marks the content of one page. */
export function openMarker(add: (operators: string) => void, page: number): PageMarker {
  const pieces: Element[] = [];
  let current: Element | null | undefined;
  const end = (): void => {
    if (current !== undefined) add("EMC");
    current = undefined;
  };
  return {
    pieces,
    end,
    next(element) {
      if (element === current) return;
      end();
      current = element;
      if (element === null) return add("/Artifact BMC");
      const id = pieces.push(element) - 1;
      element.children.push({ page, id });
      add(`/${element.kind} << /MCID ${id} >> BDC`);
    },
  };
}

/** A figure states where it is (ISO 32000-2, table 379). */
function layoutOf({ x, y, w, h }: Box, paper_h_pt: number): PdfDict {
  const sides = [x, paper_h_pt - y - h, x + w, paper_h_pt - y].map((side) => PdfNumber.of(Math.round(side * 100) / 100));
  return PdfDict.of({ O: PdfName.of("Layout"), BBox: new PdfArray(sides) });
}

/** Writes the tree into the catalog; `pieces` are those of each page, whose StructParents is its index. */
export function writeStructure(
  doc: { readonly pdf: PDF },
  catalog: PdfDict,
  root: Element,
  pages: readonly { readonly ref: PdfRef; readonly pieces: readonly Element[] }[],
  paper_h_pt: number,
): void {
  const tree = PdfDict.of({ Type: PdfName.of("StructTreeRoot") });
  const treeRef = register(doc, tree);
  const refs = new Map<Element, PdfRef>();
  const write = (element: Element, above: PdfRef): PdfRef => {
    // Without the optional Type: a long audit trail has 50,000 elements.
    const dict = PdfDict.of({ S: PdfName.of(element.kind), P: above });
    const ref = register(doc, dict);
    refs.set(element, ref);
    const first = element.children.find((child): child is Piece => "page" in child);
    if (first !== undefined) dict.set("Pg", pages[first.page]?.ref as PdfRef);
    const kids = element.children.map((child): PdfObject => {
      if ("kind" in child) return write(child, ref);
      if (child.page === first?.page) return PdfNumber.of(child.id);
      return PdfDict.of({ Type: PdfName.of("MCR"), Pg: pages[child.page]?.ref as PdfRef, MCID: PdfNumber.of(child.id) });
    });
    const [only] = kids;
    if (only !== undefined) dict.set("K", kids.length === 1 ? only : new PdfArray(kids));
    if (element.text !== undefined) dict.set("ActualText", PdfString.fromString(element.text));
    if (element.alt !== undefined) dict.set("Alt", PdfString.fromString(element.alt));
    if (element.box !== undefined) dict.set("A", layoutOf(element.box, paper_h_pt));
    if (element.scope !== undefined) dict.set("A", PdfDict.of({ O: PdfName.of("Table"), Scope: PdfName.of(element.scope) }));
    return ref;
  };
  tree.set("K", new PdfArray([write(root, treeRef)]));
  const numbers = pages.flatMap(({ pieces }, index): PdfObject[] => [
    PdfNumber.of(index),
    register(doc, new PdfArray(pieces.map((element) => refs.get(element) as PdfRef))),
  ]);
  tree.set("ParentTree", register(doc, PdfDict.of({ Nums: new PdfArray(numbers) })));
  tree.set("ParentTreeNextKey", PdfNumber.of(pages.length));
  catalog.set("StructTreeRoot", treeRef);
  catalog.set("MarkInfo", PdfDict.of({ Marked: PdfBool.of(true) }));
}
