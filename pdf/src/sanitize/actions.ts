// The actions that a cleaned document may keep (ISO 32000-2, 12.6.4): going to a place in it, turning a page, and a link that
// says where it leads. The list is closed: what is not on it goes, whether we have heard of it or not.

import { PdfDict, PdfName, type PdfObject, PdfStream, PdfString } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";

const NAMED = new Set(["NextPage", "PrevPage", "FirstPage", "LastPage"]);

// Relative links depend on where the file lies, and every other scheme on what the reader's machine does with it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const LINK = /^(?:https?:\/\/|mailto:|tel:)[^\x00-\x1f\x7f]+$/i;

const KEYS: Readonly<Record<string, ReadonlySet<string>>> = {
  GoTo: new Set(["Type", "S", "D", "SD"]),
  URI: new Set(["Type", "S", "URI", "IsMap"]),
  Named: new Set(["Type", "S", "N"]),
};

const KNOWN = new Set(
  "GoToR GoToE GoToDp Launch Thread Sound Movie Hide SubmitForm ResetForm ImportData JavaScript SetOCGState Rendition Trans GoTo3DView RichMediaExecute".split(
    " ",
  ),
);

/** Whether the value is an action of the allow-list. Keys that it must not have are another matter: `surplusKeys`. */
export function isAllowed(doc: Pick<Doc, "pdf">, value: PdfObject | null): value is PdfDict {
  if (!(value instanceof PdfDict) || value instanceof PdfStream) return false;
  const verb = verbOf(doc, value);
  if (verb === "GoTo") return true;
  if (verb === "Named") return NAMED.has(nameOf(doc, value.get("N")) ?? "");
  const uri = verb === "URI" ? resolve(doc, value.get("URI")) : null;
  return uri instanceof PdfString && LINK.test(Buffer.from(uri.bytes).toString("latin1"));
}

/** Of an allowed action: everything beyond its own entries, so `Next`, which chains another action to it. */
export function surplusKeys(doc: Pick<Doc, "pdf">, action: PdfDict): string[] {
  const own = KEYS[verbOf(doc, action) ?? ""];
  return [...action.keys()].map((key) => key.value).filter((key) => own?.has(key) !== true);
}

/** How the count of what was removed names an action. The file's own word is used only if the standard knows it. */
export function actionLabel(doc: Pick<Doc, "pdf">, value: PdfObject | null): string {
  const verb = value instanceof PdfDict ? verbOf(doc, value) : null;
  return verb !== null && (KNOWN.has(verb) || Object.hasOwn(KEYS, verb)) ? verb : "other";
}

/** A forbidden action, by its looks alone, wherever it stands. A structure element has an /S of its own choosing, and a parent. */
export function looksForbidden(doc: Pick<Doc, "pdf">, dict: PdfDict): boolean {
  const type = nameOf(doc, dict.get("Type"));
  if (type !== null ? type !== "Action" : dict.has("P")) return false;
  return KNOWN.has(verbOf(doc, dict) ?? "");
}

function verbOf(doc: Pick<Doc, "pdf">, action: PdfDict): string | null {
  return nameOf(doc, action.get("S"));
}

export function nameOf(doc: Pick<Doc, "pdf">, value: PdfObject | undefined): string | null {
  const name = resolve(doc, value);
  return name instanceof PdfName ? name.value : null;
}
