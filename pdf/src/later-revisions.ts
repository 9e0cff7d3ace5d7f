// Checks what was appended after a signature (ISO 32000-2, 12.8.2.2). Additional signatures, their fields and validation data are
// allowed; anything else makes it a different document from the one that was signed. Both revisions are compared from the catalog down,
// by meaning and not by object number, because a producer may rewrite an object unchanged.

import { type PDF, PdfArray, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream, PdfString } from "@libpdf/core";
import { numbers, resolve } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";

// The largest document that can be opened has 500,000 objects, each with a few values.
const MAX_PAIRS = 5_000_000;

// Validation data and its declaration (PAdES, EN 319 142-1, 5.4.2), which draw nothing.
const CATALOG_MAY_CHANGE: ReadonlySet<string> = new Set(["DSS", "Extensions"]);
// The entries that a form gets with its first signature field.
const NEW_FORM_MAY_HAVE: ReadonlySet<string> = new Set(["Fields", "SigFlags", "DA", "DR"]);
// The entries that signing an empty field adds to it.
const SIGNING_MAY_CHANGE: ReadonlySet<string> = new Set(["V", "AP", "M", "F", "MK", "P"]);

type Pair = { readonly before: PdfObject | undefined; readonly after: PdfObject | undefined };

/** Whether everything visible in `after` was already in `before`, except for added signatures. */
export function addsOnlySignatures(before: PDF, after: PDF): boolean {
  return new Comparison(before, after).run();
}

class Comparison {
  readonly #before: PDF;
  readonly #after: PDF;
  readonly #open: Pair[] = [];
  readonly #visited = new Set<string>();
  readonly #pages: ReadonlySet<PdfDict>;
  readonly #form: PdfObject | null;

  constructor(before: PDF, after: PDF) {
    this.#before = before;
    this.#after = after;
    this.#pages = pagesOf(before);
    this.#form = resolve({ pdf: before }, before.context.catalog.getDict().get("AcroForm"));
  }

  run(): boolean {
    const [older, newer] = [this.#before.context.info.trailer, this.#after.context.info.trailer];
    this.#open.push({ before: older.get("Root"), after: newer.get("Root") }, { before: older.get("Info"), after: newer.get("Info") });
    for (let pair = this.#open.pop(); pair !== undefined; pair = this.#open.pop()) {
      if (!this.#isVisited(pair) && !this.#isSame(pair)) return false;
    }
    return true;
  }

  // Objects contain reference cycles (a page refers to its parent), so each pair of references is compared once.
  #isVisited({ before, after }: Pair): boolean {
    if (!(before instanceof PdfRef) || !(after instanceof PdfRef)) return false;
    const key = `${before.toString()} ${after.toString()}`;
    if (this.#visited.has(key)) return true;
    if (this.#visited.size > MAX_PAIRS) throw new UnreadablePdf("too_complex", "too many objects to compare two revisions");
    this.#visited.add(key);
    return false;
  }

  /** Compares one level and queues deeper values. */
  #isSame(pair: Pair): boolean {
    const a = resolve({ pdf: this.#before }, pair.before);
    const b = resolve({ pdf: this.#after }, pair.after);
    if (a === null || b === null) return a === b;
    if (a.type !== b.type) return false;
    if (a instanceof PdfDict && b instanceof PdfDict) return this.#sameDict(a, b);
    if (a instanceof PdfArray && b instanceof PdfArray) return a.length === b.length && this.#queue(a, b);
    if (a instanceof PdfString && b instanceof PdfString) return Buffer.compare(a.bytes, b.bytes) === 0;
    if (a.type === "raw" || b.type === "raw") return false;
    return "value" in a && "value" in b && a.value === b.value;
  }

  #queue(a: PdfArray, b: PdfArray): true {
    for (let i = 0; i < a.length; i++) this.#open.push({ before: a.at(i), after: b.at(i) });
    return true;
  }

  #sameDict(a: PdfDict, b: PdfDict): boolean {
    if (a instanceof PdfStream && b instanceof PdfStream && Buffer.compare(a.data, b.data) !== 0) return false;
    const mayChange = this.#mayChange(a);
    const isCatalog = a === this.#before.context.catalog.getDict();
    const isForm = a === this.#form;
    for (const key of new Set([...a.keys(), ...b.keys()].map((name) => name.value))) {
      if (mayChange.has(key)) continue;
      if (isCatalog && key === "AcroForm") {
        if (!this.#sameForm(a, b)) return false;
      } else if ((isForm && key === "Fields") || (key === "Annots" && this.#pages.has(a))) {
        if (!this.#onlyAddsSignatures(a.get(key), b.get(key))) return false;
      } else if (!(isForm && key === "SigFlags")) {
        this.#open.push({ before: a.get(key), after: b.get(key) });
      }
    }
    return true;
  }

  #mayChange(a: PdfDict): ReadonlySet<string> {
    if (a === this.#before.context.catalog.getDict()) return CATALOG_MAY_CHANGE;
    return isEmptySignatureField(this.#before, a) ? SIGNING_MAY_CHANGE : new Set();
  }

  #sameForm(a: PdfDict, b: PdfDict): boolean {
    if (this.#form !== null) {
      this.#open.push({ before: a.get("AcroForm"), after: b.get("AcroForm") });
      return true;
    }
    const made = resolve({ pdf: this.#after }, b.get("AcroForm"));
    if (!(made instanceof PdfDict) || [...made.keys()].some((key) => !NEW_FORM_MAY_HAVE.has(key.value))) return false;
    return this.#onlyAddsSignatures(undefined, made.get("Fields"));
  }

  // The existing items are unchanged and in the same order, and the new ones belong to signatures.
  #onlyAddsSignatures(before: PdfObject | undefined, after: PdfObject | undefined): boolean {
    const a = resolve({ pdf: this.#before }, before) ?? new PdfArray();
    const b = resolve({ pdf: this.#after }, after) ?? new PdfArray();
    if (!(a instanceof PdfArray) || !(b instanceof PdfArray) || b.length < a.length) return false;
    this.#queue(a, b);
    return b
      .toArray()
      .slice(a.length)
      .every((value) => isNewSignature(this.#after, value));
  }
}

function pagesOf(pdf: PDF): Set<PdfDict> {
  const pages = new Set<PdfDict>();
  const seen = new Set<PdfDict>();
  const open: (PdfObject | undefined)[] = [pdf.context.catalog.getDict().get("Pages")];
  while (open.length > 0) {
    const node = resolve({ pdf }, open.pop());
    if (!(node instanceof PdfDict) || seen.has(node)) continue;
    seen.add(node);
    const kids = resolve({ pdf }, node.get("Kids"));
    if (kids instanceof PdfArray) open.push(...kids);
    else pages.add(node);
  }
  return pages;
}

// The field or its widget; type and value can be in either.
function isEmptySignatureField(pdf: PDF, dict: PdfDict): boolean {
  return inherited(pdf, dict, "FT") === "Sig" && inherited(pdf, dict, "V") === null;
}

function inherited(pdf: PDF, dict: PdfDict, key: string): PdfObject | string | null {
  const parent = resolve({ pdf }, dict.get("Parent"));
  const value = resolve({ pdf }, dict.get(key)) ?? (parent instanceof PdfDict ? resolve({ pdf }, parent.get(key)) : null);
  return value instanceof PdfName ? value.value : value;
}

// An unsigned field could be drawn over the page by anyone. A signed field is in the report, with its signer.
function isNewSignature(pdf: PDF, value: PdfObject): boolean {
  const dict = resolve({ pdf }, value);
  if (!(dict instanceof PdfDict) || inherited(pdf, dict, "FT") !== "Sig") return false;
  const kids = resolve({ pdf }, dict.get("Kids"));
  const widgets = kids instanceof PdfArray ? kids.toArray().map((kid) => resolve({ pdf }, kid)) : [];
  const signed = inherited(pdf, dict, "V") instanceof PdfDict;
  return [dict, ...widgets].every((each) => each instanceof PdfDict && hasNoAction(each) && (signed || drawsNothing(pdf, each)));
}

const hasNoAction = (dict: PdfDict): boolean => !dict.has("A") && !dict.has("AA");

function drawsNothing(pdf: PDF, widget: PdfDict): boolean {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers({ pdf }, widget.get("Rect")) ?? [];
  return !widget.has("AP") || x1 === x2 || y1 === y2;
}
