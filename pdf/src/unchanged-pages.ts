// Which pages consist of the same objects before and after cleaning: contents, fonts, images, boxes, byte for byte and number for number.
// Such a page looks the same and has the same words in every viewer, so it need not be drawn; and so does one from which only tags are
// missing. The files are read from their bytes, not by libpdf, whose reading and writing is what is checked.

import { onlyCuts, type TextResources } from "./only-cuts.ts";
import { type Dict, Odd, plainBytes, type RawObjects, Ref, rawObjects, Stream, type Value } from "./raw-objects.ts";
import { statedWidths } from "./stated-widths.ts";

/** A file, and the object number of its catalog. */
export type RawFile = { readonly bytes: Uint8Array; readonly catalog: number };

// What a page may have: a contract of 300 pages has 20,000 values. Beyond it, pages are drawn instead.
const MAX_VALUES = 2_000_000;
const MAX_DEPTH = 200;
const MAX_TREE_DEPTH = 64;
// Of a stream that was written without a filter, and is compressed now.
const MAX_STREAM = 16 * 1024 * 1024;

/**
 * The pages, from 1, that certainly look the same; those in `tagged`, from which tags were removed, but for parts of texts. Empty if the files
 * have another number of pages, or layers, whose state changes.
 */
export function unchangedPages(before: RawFile, after: RawFile, tagged: ReadonlySet<number> = new Set()): Set<number> {
  const same = new Set<number>();
  try {
    const [old, now] = [openRaw(before), openRaw(after)];
    if (old.pages.length !== now.pages.length) return same;
    const comparison = new ObjectComparison(old.objects, now.objects);
    for (const [index, page] of old.pages.entries()) {
      if (comparison.isSamePage(page, now.pages[index] as Dict, tagged.has(index + 1))) same.add(index + 1);
    }
  } catch (error) {
    if (!(error instanceof Odd)) throw error;
  }
  return same;
}

function openRaw({ bytes, catalog }: RawFile): { objects: RawObjects; pages: Dict[] } {
  const objects = rawObjects(bytes);
  const root = objects.resolve(new Ref(catalog));
  if (!isDict(root) || root.get("/Type") !== "/Catalog" || root.has("/OCProperties")) throw new Odd("a catalog with layers, or none");
  const pages: Dict[] = [];
  const seen = new Set<Value>();
  const walk = (value: Value | undefined, depth: number): void => {
    const node = objects.resolve(value);
    if (!isDict(node) || seen.has(node) || depth > MAX_TREE_DEPTH) throw new Odd("the page tree");
    seen.add(node);
    const kids = objects.resolve(node.get("/Kids"));
    if (!Array.isArray(kids)) {
      pages.push(node);
      return;
    }
    const first = pages.length;
    for (const kid of kids as readonly Value[]) walk(kid, depth + 1);
    // Some readers trust the count.
    if (objects.resolve(node.get("/Count")) !== pages.length - first) throw new Odd("the number of pages");
  };
  walk(root.get("/Pages"), 0);
  return { objects, pages };
}

const isDict = (value: Value | undefined): value is Dict => value instanceof Map;

// What a viewer takes of a page and, of the first four, from the nodes above it.
const INHERITED = ["/Resources", "/MediaBox", "/CropBox", "/Rotate"];
const OWN = ["/UserUnit", "/Group"];
// What a viewer draws of a link. Pages with other annotations are always drawn.
const OF_ANNOTATIONS = ["/Subtype", "/Rect", "/F", "/AP", "/AS", "/Border", "/BS", "/C", "/CA", "/OC", "/QuadPoints"];
// Of a form or an image: what cleaning may remove and no viewer shows.
const NOT_SHOWN = new Set(["/Length", "/Metadata", "/PieceInfo", "/StructParent", "/StructParents", "/AF", "/LastModified", "/OPI"]);

class ObjectComparison {
  private readonly old: RawObjects;
  private readonly now: RawObjects;
  /** Pairs of objects that were compared: whether they are equal. */
  private readonly known = new Map<string, boolean>();
  /** Pairs that are equal if everything else of the current page is. */
  private assumed: string[] = [];
  private left = MAX_VALUES;

  constructor(old: RawObjects, now: RawObjects) {
    this.old = old;
    this.now = now;
  }

  isSamePage(old: Dict, now: Dict, isTagged: boolean): boolean {
    this.assumed = [];
    const same = this.areSameParts(old, now, isTagged);
    if (!same) for (const pair of this.assumed) if (this.known.get(pair) === true) this.known.delete(pair);
    return same;
  }

  private areSameParts(old: Dict, now: Dict, isTagged: boolean): boolean {
    try {
      const parts = OWN.map((key) => [old.get(key), now.get(key)] as const);
      const inherited = INHERITED.map((key) => [inheritedOf(this.old, old, key), inheritedOf(this.now, now, key)] as const);
      if (!isTagged) parts.push([old.get("/Contents"), now.get("/Contents")]);
      if (![...parts, ...inherited].every(([a, b]) => this.isSame(a, b, 0)) || !this.areSameAnnotations(old, now)) return false;
      return !isTagged || onlyCuts(contentOf(this.old, old), contentOf(this.now, now), textResources(this.now, now));
    } catch (error) {
      if (!(error instanceof Odd)) throw error;
      return false;
    }
  }

  private areSameAnnotations(oldPage: Dict, nowPage: Dict): boolean {
    const [old, now] = [this.old.resolve(oldPage.get("/Annots")) ?? [], this.now.resolve(nowPage.get("/Annots")) ?? []];
    if (!Array.isArray(old) || !Array.isArray(now) || old.length !== now.length) return false;
    return old.every((item: Value, index) => {
      const [a, b] = [this.old.resolve(item), this.now.resolve(now[index])];
      return isDict(a) && isDict(b) && OF_ANNOTATIONS.every((key) => this.isSame(a.get(key), b.get(key), 0));
    });
  }

  private isSame(old: Value | undefined, now: Value | undefined, depth: number): boolean {
    if (depth > MAX_DEPTH || this.left-- <= 0) throw new Odd("too much to compare");
    if (!(old instanceof Ref && now instanceof Ref)) return this.isSameValue(this.old.resolve(old), this.now.resolve(now), depth);
    const pair = `${old.number} ${now.number}`;
    const known = this.known.get(pair);
    if (known !== undefined) return known;
    // Objects that refer to each other in a circle are equal unless a difference is found on the way.
    this.known.set(pair, true);
    this.assumed.push(pair);
    const same = this.isSameValue(this.old.resolve(old), this.now.resolve(now), depth);
    this.known.set(pair, same);
    return same;
  }

  private isSameValue(old: Value, now: Value, depth: number): boolean {
    if (Array.isArray(old)) {
      if (!Array.isArray(now) || old.length !== now.length) return false;
      return old.every((item: Value, index) => this.isSame(item, now[index], depth + 1));
    }
    if (old instanceof Stream) return now instanceof Stream && this.isSameStream(old, now, depth);
    if (isDict(old)) return isDict(now) && this.isSameDict(old, now, depth, new Set());
    return old === now;
  }

  private isSameStream(old: Stream, now: Stream, depth: number): boolean {
    if (old.dict.has("/Filter") || !now.dict.has("/Filter"))
      return this.isSameDict(old.dict, now.dict, depth, NOT_SHOWN) && Buffer.compare(old.raw, now.raw) === 0;
    const plain = plainBytes(now, this.now.resolve, MAX_STREAM);
    return this.isSameDict(old.dict, now.dict, depth, new Set([...NOT_SHOWN, "/Filter"])) && Buffer.compare(old.raw, plain) === 0;
  }

  private isSameDict(old: Dict, now: Dict, depth: number, except: ReadonlySet<string>): boolean {
    for (const key of now.keys()) if (!old.has(key) && !except.has(key)) return false;
    for (const [key, value] of old) if (!except.has(key) && !this.isSame(value, now.get(key), depth + 1)) return false;
    return true;
  }
}

/** The content of a page: all its parts, which a space separates. */
function contentOf(objects: RawObjects, page: Dict): Uint8Array {
  const contents = objects.resolve(page.get("/Contents"));
  const parts = Array.isArray(contents) ? (contents as readonly Value[]).map((part) => objects.resolve(part)) : [contents];
  return Buffer.concat(
    parts.flatMap((part) => {
      if (!(part instanceof Stream)) throw new Odd("a page without content");
      return [plainBytes(part, objects.resolve, MAX_STREAM), SPACE];
    }),
  );
}

const SPACE = Buffer.from(" ");

function textResources(objects: RawObjects, page: Dict): TextResources {
  const resources = objects.resolve(inheritedOf(objects, page, "/Resources"));
  const find = (category: string, name: string): Value => {
    const named = isDict(resources) ? objects.resolve(resources.get(category)) : null;
    return isDict(named) ? objects.resolve(named.get(`/${name}`)) : null;
  };
  const known = new Map<string, ReturnType<typeof statedWidths>>();
  return {
    widths(name) {
      const widths = known.get(name) ?? statedWidths(objects, find("/Font", name));
      known.set(name, widths);
      return widths;
    },
    setsFont(name) {
      const state = find("/ExtGState", name);
      return !isDict(state) || state.has("/Font");
    },
  };
}

function inheritedOf(objects: RawObjects, page: Dict, key: string): Value | undefined {
  let node: Value = page;
  for (let depth = 0; depth <= MAX_TREE_DEPTH && isDict(node); depth++) {
    const value = node.get(key);
    if (value !== undefined) return value;
    node = objects.resolve(node.get("/Parent"));
  }
  return undefined;
}
