import type { DocumentToPlaceOn } from "@countersign/client/types";
import type { Frozen } from "../../operation.ts";
import type { Area } from "./geometry.ts";

/** The documents. The builder counts pages through all of them; the API counts within each. */
export interface Part {
  readonly no: number;
  readonly name: string;
  /** its first page among all pages */
  readonly first: number;
  readonly pages: number;
}

type Listed = Frozen<Pick<DocumentToPlaceOn, "document_no" | "name" | "pages">>;

export function partsOf(documents: readonly Listed[]): readonly Part[] {
  let next = 1;
  return documents.map(({ document_no, name, pages }) => {
    const first = next;
    next += pages.length;
    return { no: document_no, name, first, pages: pages.length };
  });
}

/** The document that has this page. */
export function partAt(parts: readonly Part[], page: number): Part {
  return parts.findLast(({ first }) => first <= page) ?? parts[0] ?? { no: 1, name: "", first: 1, pages: page };
}

/** With the page counted within its document. */
export const inPart = <A extends Area>(parts: readonly Part[], area: A): A => ({
  ...area,
  page: area.page - partAt(parts, area.page).first + 1,
});

/** With the page counted through all documents. */
export function inWhole<A extends Area>(parts: readonly Part[], document: number, area: A): A {
  const first = parts.find(({ no }) => no === document)?.first ?? 1;
  return { ...area, page: area.page + first - 1 };
}
