// Checks what was appended after a signature (ISO 32000-2, 12.8.2.2). Additional signatures, their fields and validation data are
// allowed; anything else makes it a different document from the one that was signed. Both revisions are compared from the catalog down,
// by meaning and not by object number, because a producer may rewrite an object unchanged.

import { type PDF, PdfArray, PdfDict, PdfName, type PdfObject, PdfRef, PdfStream, PdfString } from "@libpdf/core";
import { numbers, resolve } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { signedFields } from "./signed-fields.ts";

// The largest document that can be opened has 500,000 objects, each with a few values.
const MAX_PAIRS = 5_000_000;

// Validation data and its declaration (PAdES, EN 319 142-1, 5.4.2), which draw nothing.
const CATALOG_MAY_CHANGE: ReadonlySet<string> = new Set(["DSS", "Extensions"]);
// The entries that a form gets with its first signature field.
const NEW_FORM_MAY_HAVE: ReadonlySet<string> = new Set(["Fields", "SigFlags", "DA", "DR"]);
// The entries that signing an empty field adds to it.
const SIGNING_MAY_CHANGE: ReadonlySet<string> = new Set(["V", "AP", "M", "F", "MK", "P"]);

type Pair = { readonly before: PdfObject | undefined; readonly after: PdfObject | undefined };

/** The SubFilter of a document time stamp. */
export const TIME_STAMP = "ETSI.RFC3161";

// The entries of /DSS (ISO 32000-2, table 261).
const VALIDATION_MAY_HAVE: ReadonlySet<string> = new Set(["Type", "VRI", "Certs", "CRLs", "OCSPs"]);

/**
 * What `after` has that `before` has not. validation: only validation data and invisible document time stamps. signatures: also other
 * signatures. changed: anything else.
 */
export type Appended = "validation" | "signatures" | "changed";

/** Compares two revisions of a file. */
export function appendedBetween(before: PDF, after: PDF): Appended {
  return new Comparison(before, after).run();
}

class Comparison {
  readonly #before: PDF;
  readonly #after: PDF;
  readonly #open: Pair[] = [];
  readonly #visited = new Set<string>();
  readonly #pages: ReadonlySet<PdfDict>;
  readonly #form: PdfObject | null;
  /** The signature fields that are in the reports. */
  readonly #signed: ReadonlySet<PdfDict>;
  #onlyValidation = true;

  constructor(before: PDF, after: PDF) {
    this.#before = before;
    this.#after = after;
    this.#pages = pagesOf(before);
    this.#form = resolve({ pdf: before }, before.context.catalog.getDict().get("AcroForm"));
    this.#signed = new Set(signedFields({ pdf: after }).map(({ field }) => field));
  }

  run(): Appended {
    const [older, newer] = [this.#before.context.info.trailer, this.#after.context.info.trailer];
    this.#open.push({ before: older.get("Root"), after: newer.get("Root") }, { before: older.get("Info"), after: newer.get("Info") });
    for (let pair = this.#open.pop(); pair !== undefined; pair = this.#open.pop()) {
      if (!this.#isVisited(pair) && !this.#isSame(pair)) return "changed";
    }
    return this.#onlyValidation ? "validation" : "signatures";
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
    const isCatalog = a === this.#before.context.catalog.getDict();
    if (isCatalog && !this.#hasPlainValidation(a, b)) this.#onlyValidation = false;
    const mayChange = this.#mayChange(a, b);
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

  #mayChange(a: PdfDict, b: PdfDict): ReadonlySet<string> {
    if (a === this.#before.context.catalog.getDict()) return CATALOG_MAY_CHANGE;
    // As long as the field is empty, it must stay as it is: an appearance alone could cover the page.
    if (!isEmptySignatureField(this.#before, a) || !this.#isSigned(b)) return new Set();
    this.#onlyValidation = false;
    return SIGNING_MAY_CHANGE;
  }

  // Validation data may be added to, but not removed or put to another use.
  #hasPlainValidation(a: PdfDict, b: PdfDict): boolean {
    const dss = resolve({ pdf: this.#after }, b.get("DSS"));
    if (dss === null) return resolve({ pdf: this.#before }, a.get("DSS")) === null;
    return dss instanceof PdfDict && [...dss.keys()].every((key) => VALIDATION_MAY_HAVE.has(key.value));
  }

  /** The field or its widget belongs to a signature in the reports. */
  #isSigned(dict: PdfDict): boolean {
    const parent = resolve({ pdf: this.#after }, dict.get("Parent"));
    return this.#signed.has(dict) || (parent instanceof PdfDict && this.#signed.has(parent));
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
      .every((value) => this.#isNewSignature(value));
  }

  // An unsigned field could be drawn over the page by anyone. A signed field is in the report, with its signer.
  #isNewSignature(value: PdfObject): boolean {
    const pdf = this.#after;
    const dict = resolve({ pdf }, value);
    if (!(dict instanceof PdfDict) || inherited(pdf, dict, "FT") !== "Sig") return false;
    const kids = resolve({ pdf }, dict.get("Kids"));
    const widgets = kids instanceof PdfArray ? kids.toArray().map((kid) => resolve({ pdf }, kid)) : [];
    const all = [dict, ...widgets];
    const signed = this.#isSigned(dict);
    if (!signed || !isTimeStamp(pdf, dict) || !all.every((each) => each instanceof PdfDict && drawsNothing(pdf, each))) {
      this.#onlyValidation = false;
    }
    return all.every((each) => each instanceof PdfDict && hasNoAction(each) && (signed || drawsNothing(pdf, each)));
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

function isTimeStamp(pdf: PDF, dict: PdfDict): boolean {
  const signature = inherited(pdf, dict, "V");
  const kind = signature instanceof PdfDict ? resolve({ pdf }, signature.get("SubFilter")) : null;
  return kind instanceof PdfName && kind.value === TIME_STAMP;
}

const hasNoAction = (dict: PdfDict): boolean => !dict.has("A") && !dict.has("AA");

function drawsNothing(pdf: PDF, widget: PdfDict): boolean {
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = numbers({ pdf }, widget.get("Rect")) ?? [];
  return !widget.has("AP") || x1 === x2 || y1 === y2;
}
