// Joins cleaned documents into one: their pages in order, a bookmark for each, their layers as they are shown, and their structure for
// screen readers. Claims about a whole file (PDF/A, metadata) are left out, because they would have to be true of every part.

import { createHash } from "node:crypto";
import { PDF, PdfArray, PdfBool, PdfDict, PdfName, PdfNumber, type PdfObject, PdfRef, PdfStream, PdfString } from "@libpdf/core";
import { groupsOff } from "./content/layers.ts";
import { type Doc, register, resolve, save } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { MAX_PAGES } from "./page-tree.ts";

/** A document with the title of its bookmark. */
export type CombinedPart = { readonly doc: Doc; readonly title: string };

export type Combined = {
  readonly bytes: Uint8Array;
  /** How many pages each part has, in order. */
  readonly counts: readonly number[];
};

/**
 * Joins the parts. They must be cleaned and flattened: forms, scripts and attachments of their catalogs are not copied. Throws
 * UnreadablePdf for more than MAX_PAGES pages in total.
 * @example const { bytes, counts } = await combine([{ doc: lease, title: "Lease" }, { doc: rules, title: "House rules" }])
 */
export async function combine(parts: readonly CombinedPart[]): Promise<Combined> {
  const counts = parts.map(({ doc }) => doc.pages.length);
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total > MAX_PAGES) throw new UnreadablePdf("too_complex", `more than ${MAX_PAGES.toLocaleString("en")} pages`);
  const target = emptyPdf();
  const catalog = target.pdf.context.catalog.getDict();
  const tree = catalog.get("Pages") as PdfRef;
  const joined = joinedStructure(target);
  const kids: PdfRef[] = [];
  const bookmarks: Bookmark[] = [];
  const layers: Layers = { groups: [], off: [] };
  for (const { doc, title } of parts) {
    const copier = new Copier(doc, target, joined.nextKey());
    const refs = doc.pages.map((page) => copier.page(page.ref, tree));
    bookmarks.push({ title, page: refs[0] as PdfRef });
    kids.push(...refs);
    copyLayers(doc, copier, layers);
    joined.add(doc, copier);
    copier.finish();
  }
  const root = resolve(target, tree) as PdfDict;
  root.set("Kids", new PdfArray(kids));
  root.set("Count", PdfNumber.of(kids.length));
  writeBookmarks(target, catalog, bookmarks);
  writeLayers(target, catalog, layers);
  joined.write(catalog, parts);
  nameFile(target, parts);
  return { bytes: await save(target), counts };
}

type Target = { readonly pdf: PDF };

/** Without the description that the library writes, which contains the time. */
export function emptyPdf(): Target {
  const pdf = PDF.create();
  pdf.context.info.trailer.delete("Info");
  return { pdf };
}

/** The same parts give the same identifier. */
function nameFile({ pdf }: Target, parts: readonly CombinedPart[]): void {
  const hash = createHash("sha256");
  for (const { doc, title } of parts) hash.update(createHash("sha256").update(doc.original).digest()).update(title);
  const id = PdfString.fromBytes(new Uint8Array(hash.digest().subarray(0, 16)));
  pdf.context.info.trailer.set("ID", new PdfArray([id, id]));
}

const LEFT_OUT = new Set(["Parent", "B", "Thumb"]);
const STRUCTURE_KEYS = new Set(["StructParent", "StructParents"]);

/**
 * Copies objects with everything that they refer to. Keys of the structure's index are moved to `firstKey` and up, behind those of the
 * parts before; of a part without a structure they are left out.
 */
class Copier {
  readonly #source: Doc;
  readonly #target: Target;
  readonly #firstKey: number;
  readonly #copied = new Map<string, PdfRef>();
  // References are followed from a list and not by recursion, because objects can form chains of any length.
  readonly #open: (() => void)[] = [];
  readonly #hasStructure: boolean;

  constructor(source: Doc, target: Target, firstKey: number) {
    this.#source = source;
    this.#target = target;
    this.#firstKey = firstKey;
    this.#hasStructure = structureRoot(source) !== null;
  }

  /** The copy of a page, with its place in the new tree. Pages are complete: nothing is inherited. */
  page(ref: PdfRef, parent: PdfRef): PdfRef {
    const dict = resolve(this.#source, ref) as PdfDict;
    const copy = new PdfDict();
    const made = this.#keep(ref, copy);
    this.#open.push(() => {
      this.#fill(copy, dict, LEFT_OUT);
      copy.set("Parent", parent);
    });
    return made;
  }

  /** Refers to `made` wherever the source refers to `ref`. */
  replace(ref: PdfRef, made: PdfRef): void {
    this.#copied.set(keyOf(ref), made);
  }

  value(value: PdfObject): PdfObject {
    if (value instanceof PdfRef) return this.#ref(value);
    if (value instanceof PdfDict) return this.#fill(new PdfDict(), value);
    if (value instanceof PdfArray) return new PdfArray(value.toArray().map((item) => this.value(item)));
    return value;
  }

  /** Copies everything that is still referred to. */
  finish(): void {
    for (let next = this.#open.pop(); next !== undefined; next = this.#open.pop()) next();
  }

  #ref(ref: PdfRef): PdfObject {
    const known = this.#copied.get(keyOf(ref));
    if (known !== undefined) return known;
    const found = resolve(this.#source, ref);
    if (found === null) return this.#keep(ref, new PdfDict());
    if (found instanceof PdfStream) {
      const copy = new PdfStream([], found.data);
      this.#open.push(() => this.#fill(copy, found));
      return this.#keep(ref, copy);
    }
    if (found instanceof PdfDict) {
      const copy = new PdfDict();
      this.#open.push(() => this.#fill(copy, found));
      return this.#keep(ref, copy);
    }
    if (found instanceof PdfArray) {
      const copy = new PdfArray();
      this.#open.push(() => {
        for (const item of found.toArray()) copy.push(this.value(item));
      });
      return this.#keep(ref, copy);
    }
    return this.#keep(ref, found);
  }

  #keep(ref: PdfRef, copy: PdfObject): PdfRef {
    const made = register(this.#target, copy);
    this.#copied.set(keyOf(ref), made);
    return made;
  }

  #fill<D extends PdfDict>(copy: D, dict: PdfDict, except: ReadonlySet<string> = NOTHING): D {
    for (const [{ value: key }, value] of dict) {
      if (except.has(key)) continue;
      if (!STRUCTURE_KEYS.has(key)) copy.set(key, this.value(value));
      else if (this.#hasStructure && value instanceof PdfNumber) copy.set(key, PdfNumber.of(value.value + this.#firstKey));
    }
    return copy;
  }
}

const NOTHING: ReadonlySet<string> = new Set();
const keyOf = ({ objectNumber, generation }: PdfRef): string => `${objectNumber} ${generation}`;

type Bookmark = { readonly title: string; readonly page: PdfRef };

/** ISO 32000-2, 12.3.3. Viewers open with the list, so that a reader sees that there are several documents. */
function writeBookmarks(target: Target, catalog: PdfDict, bookmarks: readonly Bookmark[]): void {
  const root = PdfDict.of({ Type: PdfName.of("Outlines") });
  const ref = register(target, root);
  const dicts = bookmarks.map(({ title, page }) =>
    PdfDict.of({ Title: PdfString.fromString(title), Parent: ref, Dest: new PdfArray([page, PdfName.of("Fit")]) }),
  );
  const refs = dicts.map((dict) => register(target, dict));
  for (const [index, dict] of dicts.entries()) {
    const [before, after] = [refs[index - 1], refs[index + 1]];
    if (before !== undefined) dict.set("Prev", before);
    if (after !== undefined) dict.set("Next", after);
  }
  root.set("First", refs[0] as PdfRef);
  root.set("Last", refs.at(-1) as PdfRef);
  root.set("Count", PdfNumber.of(refs.length));
  catalog.set("Outlines", ref);
  catalog.set("PageMode", PdfName.of("UseOutlines"));
}

type Layers = { readonly groups: PdfObject[]; readonly off: PdfObject[] };

/** Without them, what is switched off in a part would be visible (ISO 32000-2, 8.11). */
function copyLayers(doc: Doc, copier: Copier, { groups, off }: Layers): void {
  const properties = resolve(doc, doc.catalog.get("OCProperties"));
  const all = properties instanceof PdfDict ? resolve(doc, properties.get("OCGs")) : null;
  if (!(all instanceof PdfArray)) return;
  const hidden = groupsOff(doc);
  for (const item of all.toArray()) {
    const group = resolve(doc, item);
    if (!(item instanceof PdfRef) || !(group instanceof PdfDict)) continue;
    const copy = copier.value(item);
    groups.push(copy);
    if (hidden.has(group)) off.push(copy);
  }
}

function writeLayers(target: Target, catalog: PdfDict, { groups, off }: Layers): void {
  if (groups.length === 0) return;
  const shown = PdfDict.of({ OFF: new PdfArray(off), Locked: new PdfArray(groups) });
  catalog.set("OCProperties", register(target, PdfDict.of({ OCGs: new PdfArray(groups), D: shown })));
}

function structureRoot(doc: Doc): { readonly ref: PdfRef; readonly dict: PdfDict } | null {
  const ref = doc.catalog.get("StructTreeRoot");
  const dict = resolve(doc, ref);
  return ref instanceof PdfRef && dict instanceof PdfDict ? { ref, dict } : null;
}

// Hostile trees end here; real ones have a few thousand entries.
const MAX_TREE_DEPTH = 64;
const MAX_TREE_ENTRIES = 1_000_000;

/** The entries of a number tree (ISO 32000-2, 7.9.7). */
function numberTree(doc: Doc, value: PdfObject | undefined): [number, PdfObject][] {
  const entries: [number, PdfObject][] = [];
  const visit = (node: PdfObject | null | undefined, depth: number): void => {
    const dict = resolve(doc, node);
    if (!(dict instanceof PdfDict) || depth > MAX_TREE_DEPTH) return;
    const nums = resolve(doc, dict.get("Nums"));
    const list = nums instanceof PdfArray ? nums.toArray() : [];
    for (let at = 0; at + 1 < list.length && entries.length < MAX_TREE_ENTRIES; at += 2) {
      const key = resolve(doc, list[at]);
      if (key instanceof PdfNumber) entries.push([key.value, list[at + 1] as PdfObject]);
    }
    const kids = resolve(doc, dict.get("Kids"));
    for (const kid of kids instanceof PdfArray ? kids.toArray() : []) visit(kid, depth + 1);
  };
  visit(value, 0);
  return entries.sort(([a], [b]) => a - b);
}

const LISTS = ["RoleMap", "ClassMap"] as const;

/**
 * One structure from those of the parts (ISO 32000-2, 14.7): the elements one after the other, and one index. Where two parts give a name
 * of their own a different meaning, the meaning of the first part stays.
 */
function joinedStructure(target: Target) {
  const root = PdfDict.of({ Type: PdfName.of("StructTreeRoot") });
  const ref = register(target, root);
  const elements: PdfObject[] = [];
  const nums: PdfObject[] = [];
  let next = 0;
  const lists = new Map<string, PdfDict>();
  const namespaces: PdfObject[] = [];
  return {
    nextKey: (): number => next,
    add(doc: Doc, copier: Copier): void {
      const own = structureRoot(doc);
      if (own === null) return;
      copier.replace(own.ref, ref);
      const top = resolve(doc, own.dict.get("K"));
      const kids = top instanceof PdfArray ? top.toArray() : [own.dict.get("K")];
      for (const kid of kids) if (kid !== undefined) elements.push(copier.value(kid));
      const first = next;
      for (const [key, value] of numberTree(doc, own.dict.get("ParentTree"))) {
        nums.push(PdfNumber.of(first + key), copier.value(value));
        next = Math.max(next, first + key + 1);
      }
      for (const name of LISTS) {
        const given = resolve(doc, own.dict.get(name));
        if (!(given instanceof PdfDict)) continue;
        const list = lists.get(name) ?? new PdfDict();
        for (const [{ value: key }, value] of given) if (!list.has(key)) list.set(key, copier.value(value));
        lists.set(name, list);
      }
      const spaces = resolve(doc, own.dict.get("Namespaces"));
      if (spaces instanceof PdfArray) namespaces.push(...spaces.toArray().map((item) => copier.value(item)));
    },
    write(catalog: PdfDict, parts: readonly CombinedPart[]): void {
      if (elements.length === 0) return;
      root.set("K", new PdfArray(elements));
      root.set("ParentTree", register(target, PdfDict.of({ Nums: new PdfArray(nums) })));
      root.set("ParentTreeNextKey", PdfNumber.of(next));
      for (const [name, list] of lists) root.set(name, list);
      if (namespaces.length > 0) root.set("Namespaces", new PdfArray(namespaces));
      catalog.set("StructTreeRoot", ref);
      // "Tagged" is said of the whole file.
      if (parts.every(({ doc }) => isMarked(doc))) catalog.set("MarkInfo", PdfDict.of({ Marked: PdfBool.of(true) }));
      const languages = new Set(parts.map(({ doc }) => languageOf(doc)));
      const [language] = languages;
      if (languages.size === 1 && language != null) catalog.set("Lang", PdfString.fromString(language));
    },
  };
}

function isMarked(doc: Doc): boolean {
  const info = resolve(doc, doc.catalog.get("MarkInfo"));
  const marked = info instanceof PdfDict ? resolve(doc, info.get("Marked")) : null;
  return structureRoot(doc) !== null && marked instanceof PdfBool && marked.value;
}

function languageOf(doc: Doc): string | null {
  const language = resolve(doc, doc.catalog.get("Lang"));
  return language instanceof PdfString ? language.asString() : null;
}
