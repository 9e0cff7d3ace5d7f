// Annotations and fields that carry content but are not shown: hidden, in a layer that is off, or outside the page.

import type { PdfDict } from "@libpdf/core";
import { normalAppearance } from "../content/appearances.ts";
import { layersOff } from "../content/layers.ts";
import type { Doc, Page } from "../doc.ts";
import { ANNOTATIONS_REMOVED } from "../sanitize/rules.ts";
import { hasValue } from "./draw-fields.ts";
import { readForm } from "./field.ts";
import { isHidden, isOnPage } from "./shown.ts";
import { cornersIn, nameIn } from "./values.ts";

// A popup shows the text of another annotation, and a link shows nothing.
const WITHOUT_CONTENT = new Set(["Popup", "Link", ...ANNOTATIONS_REMOVED]);
// Drawn only inside their rectangle. With an appearance, what is outside the page is found with the content of the page.
const IN_RECTANGLE = new Set(["FreeText", "Stamp", "Widget"]);

/**
 * Returns a function that tells whether an annotation has content that no viewer shows. Replies to notes have none, and neither have
 * fields that are not filled in: forms are full of hidden ones.
 */
export function hidesContent(doc: Doc): (page: Page, annotation: PdfDict) => boolean {
  const form = readForm(doc);
  const isOff = layersOff(doc);
  return (page, annotation) => {
    const subtype = nameIn(doc, annotation.get("Subtype")) ?? "";
    if (WITHOUT_CONTENT.has(subtype) || (subtype === "Text" && annotation.has("IRT"))) return false;
    const rect = IN_RECTANGLE.has(subtype) && normalAppearance(doc, annotation) === null ? cornersIn(doc, annotation.get("Rect")) : null;
    const isOutside = rect !== null && !isOnPage(doc, page, rect);
    if (!isHidden(doc, annotation) && !isOff(annotation.get("OC")) && !isOutside) return false;
    return subtype !== "Widget" || hasValue(doc, form.fieldOf(annotation));
  };
}
