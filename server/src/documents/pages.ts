import type { Ingested, PageText } from "@countersign/pdf/pool";
import { Type } from "typebox";
import { named } from "../http/shapes.ts";

/** The pages of a document, as the engine reports them and as responses show them. */

/** What the engine reports for each page. */
export type Pages = Ingested["pages"];

export const presentPages = (pages: Pages) =>
  pages.map(({ w_pt, h_pt, rotate, has_text, scan_dpi }) => ({ w_pt, h_pt, rotate, has_text, scan_dpi }));

export const PageWidth = Type.Optional(Type.Enum(["1224", "2448"], { description: "Width in pixels; default 1224" }));
export const WidthQuery = Type.Object({ w: PageWidth });

export const PageTextView = named(
  "PageText",
  Type.Object({
    page: Type.Integer(),
    blocks: Type.Array(Type.String(), { description: "In reading order" }),
    has_text: Type.Boolean({ description: "Whether the page has a text layer" }),
  }),
);

export const presentText = ({ page, blocks, has_text }: PageText) => ({ page, blocks: [...blocks], has_text });
