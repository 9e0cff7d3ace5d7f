// The actions that a cleaned document may keep (ISO 32000-2, 12.6.4): jumps within the document, page turns, and links with a visible
// address. This is an allow-list: everything else is removed, known or not.

import { PdfDict, PdfName, type PdfObject, PdfStream, PdfString } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";

const NAMED = new Set(["NextPage", "PrevPage", "FirstPage", "LastPage"]);

// Relative links depend on where the file is stored, and other schemes on what the reader's machine does with them.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must exclude them
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

/** Whether the value is an action on the allow-list. `surplusKeys` finds keys that it must not have. */
export function isAllowed(doc: Pick<Doc, "pdf">, value: PdfObject | null): value is PdfDict {
  if (!(value instanceof PdfDict) || value instanceof PdfStream) return false;
  const verb = verbOf(doc, value);
  if (verb === "GoTo") return true;
  if (verb === "Named") return NAMED.has(nameOf(doc, value.get("N")) ?? "");
  const uri = verb === "URI" ? resolve(doc, value.get("URI")) : null;
  return uri instanceof PdfString && LINK.test(Buffer.from(uri.bytes).toString("latin1"));
}

/** The keys of an allowed action beyond its own entries, such as `Next`, which chains another action. */
export function surplusKeys(doc: Pick<Doc, "pdf">, action: PdfDict): string[] {
  const own = KEYS[verbOf(doc, action) ?? ""];
  return [...action.keys()].map((key) => key.value).filter((key) => own?.has(key) !== true);
}

/** The name of an action in the counts of removed items. The file's own word is used only if it is in the standard. */
export function actionLabel(doc: Pick<Doc, "pdf">, value: PdfObject | null): string {
  const verb = value instanceof PdfDict ? verbOf(doc, value) : null;
  return verb !== null && (KNOWN.has(verb) || Object.hasOwn(KEYS, verb)) ? verb : "other";
}

/** Whether a dictionary looks like a forbidden action, wherever it is. A structure element may have any /S, but it has a parent. */
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
