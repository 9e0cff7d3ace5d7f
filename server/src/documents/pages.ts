import type { Ingested, PageText, RenderWidth } from "@countersign/pdf/pool";
import { Type } from "typebox";
import { named } from "../http/shapes.ts";

/** The pages of a document, as the engine reports them and as responses show them. */

/** What the engine reports for each page. */
export type Pages = Ingested["pages"];

export const presentPages = (pages: Pages) =>
  pages.map(({ w_pt, h_pt, rotate, has_text, scan_dpi }) => ({ w_pt, h_pt, rotate, has_text, scan_dpi }));

const widths: { readonly [w: string]: RenderWidth } = { "204": 204, "1224": 1224, "2448": 2448 };

export const PageWidth = Type.Optional(Type.Enum(["204", "1224", "2448"], { description: "Width in pixels; default 1224" }));
export const WidthQuery = Type.Object({ w: PageWidth });
/** The width that a request asks for. */
export const widthOf = (w = "1224"): RenderWidth => widths[w] ?? 1224;

export const PageTextView = named(
  "PageText",
  Type.Object({
    page: Type.Integer(),
    blocks: Type.Array(Type.String(), { description: "In reading order" }),
    places: Type.Array(named("PageTextPlace", Type.Object({ top: Type.Number({ minimum: 0, maximum: 1 }), is_heading: Type.Boolean() })), {
      description: "For each block: where it begins on the page, from 0 at the top to 1 at the bottom, and whether it is a heading",
    }),
    has_text: Type.Boolean({ description: "Whether the page has a text layer" }),
  }),
);

export const presentText = ({ page, blocks, places, has_text }: PageText) => ({ page, blocks: [...blocks], places: [...places], has_text });
