// Adds what is drawn onto a page to the structure of a tagged document (ISO 32000-2, 14.7 and 14.8), so that screen readers read it.
// The structure comes from an upload and may be damaged: where it cannot be extended, the drawing is left out of it, as in a document
// without structure.

import { PdfArray, PdfDict, PdfName, PdfNull, PdfNumber, type PdfObject, PdfRef, PdfString } from "@libpdf/core";
import { cachingDecoder, pageSource } from "../content/sources.ts";
import { type Doc, type Page, register, resolve } from "../doc.ts";

/** The value of a form field on paper (ISO 32000-2, 14.8.5.6): a text, a check box or a radio button. */
type PrintField = { readonly role: "tv" | "cb" | "rb"; readonly checked?: "on" | "off"; readonly label?: string };

/** How a drawing is read: `alt` describes a picture, `text` replaces the content. Both are in English or in the signer's words. */
export type Tag = {
  readonly kind: "Form" | "Figure" | "P";
  readonly alt?: string;
  readonly text?: string;
  readonly field?: PrintField;
  /** Where a figure is: left, bottom, right and top in the page's own space. */
  readonly bounds?: readonly number[];
};

export type PageTags = {
  /** Adds an element, and returns the number that marks its content on the page. */
  readonly add: (tag: Tag) => number;
};

// Real trees have about 5 levels; these limits stop cycles and hostile trees.
const MAX_DEPTH = 64;
const MAX_NODES = 100_000;
const MAX_PIECES = 1_000_000;

type Holder = Pick<Doc, "pdf">;

/** Null if the document has no structure. */
export function pageTags(doc: Doc, page: Page): PageTags | null {
  const ref = doc.catalog.get("StructTreeRoot");
  const root = resolve(doc, ref);
  if (!(root instanceof PdfDict) || !(ref instanceof PdfRef)) return null;
  let opened: Opened | null = null;
  const open = (): Opened => {
    const parents = parentsOf(doc, page, root);
    const above = containerOf(doc, root, ref);
    return { parents, above, next: firstFreeId(doc, page, parents), after: kidOf(doc, parents, above) };
  };
  return {
    add(tag) {
      opened ??= open();
      const { parents, above } = opened;
      const id = opened.next++;
      const element = register(doc, elementOf(tag, above.ref, page.ref, id));
      while (parents.length < id) parents.push(PdfNull.instance);
      parents.push(element);
      const kids = kidsOf(doc, above.dict);
      const { after } = opened;
      const at = after === null ? -1 : kids.findLastIndex((kid) => isSame(kid, after));
      kids.splice(at === -1 ? kids.length : at + 1, 0, element);
      above.dict.set("K", new PdfArray(kids));
      opened.after = element;
      return id;
    },
  };
}

/** `next` is the next free number, `after` the element that new ones follow. */
type Opened = { readonly parents: PdfArray; readonly above: Container; next: number; after: PdfRef | null };

const isSame = (a: PdfObject, b: PdfRef): boolean =>
  a instanceof PdfRef && a.objectNumber === b.objectNumber && a.generation === b.generation;

function elementOf({ kind, alt, text, field, bounds }: Tag, above: PdfRef, page: PdfRef, id: number): PdfDict {
  const element = PdfDict.of({
    Type: PdfName.of("StructElem"),
    S: PdfName.of(kind),
    P: above,
    Pg: page,
    K: PdfNumber.of(id),
  });
  if (text !== undefined) element.set("ActualText", PdfString.fromString(text));
  if (alt !== undefined) {
    element.set("Alt", PdfString.fromString(alt));
    // The document may be in another language than our words.
    element.set("Lang", PdfString.fromString("en"));
  }
  if (field !== undefined) element.set("A", fieldAttributes(field));
  if (bounds !== undefined) element.set("A", PdfDict.of({ O: PdfName.of("Layout"), BBox: rounded(bounds) }));
  return element;
}

function fieldAttributes({ role, checked, label }: PrintField): PdfDict {
  const attributes = PdfDict.of({ O: PdfName.of("PrintField"), Role: PdfName.of(role) });
  if (checked !== undefined) attributes.set("checked", PdfName.of(checked));
  if (label !== undefined) attributes.set("Desc", PdfString.fromString(label));
  return attributes;
}

const rounded = (values: readonly number[]): PdfArray => new PdfArray(values.map((value) => PdfNumber.of(Math.round(value * 100) / 100)));

/** The elements of the page's pieces of content, by number (ISO 32000-2, 14.7.5.4); made if the page has none. */
function parentsOf(doc: Doc, page: Page, root: PdfDict): PdfArray {
  const key = resolve(doc, page.dict.get("StructParents"));
  const tree = resolve(doc, root.get("ParentTree"));
  const found = key instanceof PdfNumber && tree instanceof PdfDict ? search(doc, tree, key.value) : null;
  if (found?.value instanceof PdfArray && found.value.length <= MAX_PIECES) return found.value;
  const made = new PdfArray();
  const own = tree instanceof PdfDict ? tree : new PdfDict();
  const next = Math.max(numberIn(doc, root, "ParentTreeNextKey"), largestKey(doc, own) + 1, 0);
  addEntry(doc, own, next, register(doc, made));
  if (own !== tree) root.set("ParentTree", register(doc, own));
  root.set("ParentTreeNextKey", PdfNumber.of(next + 1));
  page.dict.set("StructParents", PdfNumber.of(next));
  return made;
}

function numberIn(doc: Holder, dict: PdfDict, key: string): number {
  const value = resolve(doc, dict.get(key));
  return value instanceof PdfNumber && Number.isSafeInteger(value.value) ? value.value : 0;
}

/** The entries of a number tree (ISO 32000-2, 7.9.7), in any order. */
function* entriesOf(doc: Holder, tree: PdfDict): Generator<{ key: number; value: PdfObject | null }> {
  const seen = new Set<PdfDict>();
  const open: PdfObject[] = [tree];
  for (let next = open.pop(); next !== undefined && seen.size < MAX_NODES; next = open.pop()) {
    const node = resolve(doc, next);
    if (!(node instanceof PdfDict) || seen.has(node)) continue;
    seen.add(node);
    const kids = resolve(doc, node.get("Kids"));
    if (kids instanceof PdfArray) open.push(...kids.toArray().slice(0, MAX_NODES));
    const numbers = resolve(doc, node.get("Nums"));
    if (!(numbers instanceof PdfArray)) continue;
    for (let i = 0; i + 1 < numbers.length; i += 2) {
      const key = resolve(doc, numbers.at(i));
      if (key instanceof PdfNumber) yield { key: key.value, value: resolve(doc, numbers.at(i + 1)) };
    }
  }
}

function search(doc: Holder, tree: PdfDict, key: number): { readonly value: PdfObject | null } | null {
  for (const entry of entriesOf(doc, tree)) if (entry.key === key) return entry;
  return null;
}

function largestKey(doc: Holder, tree: PdfDict): number {
  let largest = -1;
  for (const { key } of entriesOf(doc, tree)) if (Number.isSafeInteger(key)) largest = Math.max(largest, key);
  return largest;
}

// The key is larger than all others, so it comes last.
function addEntry(doc: Holder, tree: PdfDict, key: number, value: PdfRef): void {
  const entry = [PdfNumber.of(key), value];
  const kids = resolve(doc, tree.get("Kids"));
  if (kids instanceof PdfArray) {
    const limits = new PdfArray([PdfNumber.of(key), PdfNumber.of(key)]);
    kids.push(register(doc, PdfDict.of({ Limits: limits, Nums: new PdfArray(entry) })));
    return;
  }
  const numbers = resolve(doc, tree.get("Nums"));
  tree.set("Nums", new PdfArray([...(numbers instanceof PdfArray ? numbers.toArray() : []), ...entry]));
}

type Container = { readonly dict: PdfDict; readonly ref: PdfRef };

// Kinds that may contain anything (ISO 32000-2, 14.8.4.3).
const GROUPS: ReadonlySet<string> = new Set(["Document", "Part", "Art", "Sect", "Div"]);

/** The element for the whole document, if there is one; otherwise the root. */
function containerOf(doc: Holder, root: PdfDict, ref: PdfRef): Container {
  const [only, ...others] = kidsOf(doc, root);
  const element = resolve(doc, only);
  const kind = element instanceof PdfDict ? resolve(doc, element.get("S")) : null;
  const isWhole = others.length === 0 && kind instanceof PdfName && GROUPS.has(kind.value);
  return isWhole && only instanceof PdfRef && element instanceof PdfDict ? { dict: element, ref: only } : { dict: root, ref };
}

function kidsOf(doc: Holder, element: PdfDict): PdfObject[] {
  const kids = element.get("K");
  const value = resolve(doc, kids);
  if (value === null || kids === undefined) return [];
  return value instanceof PdfArray ? value.toArray() : [kids];
}

/** The child of the container with the page's last piece of content: what we draw is read after it. */
function kidOf(doc: Holder, parents: PdfArray, above: Container): PdfRef | null {
  for (let i = parents.length - 1; i >= 0; i--) {
    let ref = parents.at(i);
    for (let depth = 0; ref instanceof PdfRef && depth < MAX_DEPTH; depth++) {
      const element = resolve(doc, ref);
      const parent: PdfObject | undefined = element instanceof PdfDict ? element.get("P") : undefined;
      if (parent instanceof PdfRef && isSame(parent, above.ref)) return ref;
      ref = parent;
    }
  }
  return null;
}

// Content may be numbered beyond the parent tree, and our numbers must not repeat one.
function firstFreeId(doc: Doc, page: Page, parents: PdfArray): number {
  const content = Buffer.from(pageSource(doc, page, cachingDecoder(doc)).bytes).toString("latin1");
  let next = parents.length;
  for (const [, id] of content.matchAll(/\/MCID\s+(\d{1,7})\b/g)) next = Math.max(next, Number(id) + 1);
  return next <= MAX_PIECES ? next : parents.length;
}
