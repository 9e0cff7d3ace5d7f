// Which pages consist of the same objects before and after cleaning: contents, fonts, images, boxes, byte for byte and number for number.
// Such a page looks the same and has the same words in every viewer, so it need not be drawn. Neither does one from which only tags are
// missing, nor one on which annotations became part of the page just as they were shown. The files are read from their bytes, not by libpdf,
// whose reading and writing is what is checked.

import type { Box } from "./content/clip.ts";
import { asMatrix, identity, type Matrix, mapBox, times } from "./content/matrix.ts";
import { canBeEnclosed, type DrawnForm, layersOf } from "./flattened-content.ts";
import { onlyCuts, type TextResources } from "./only-cuts.ts";
import { type RawObjects, rawObjects } from "./raw-objects.ts";
import { type Dict, Odd, plainBytes, Ref, Stream, type Value } from "./raw-values.ts";
import { statedWidths } from "./stated-widths.ts";

/** A file, and the object number of its catalog. */
export type RawFile = { readonly bytes: Uint8Array; readonly catalog: number };

// What a page may have: a contract of 300 pages has 20,000 values. Beyond it, pages are drawn instead.
const MAX_VALUES = 2_000_000;
const MAX_DEPTH = 200;
const MAX_TREE_DEPTH = 64;
// Of a stream that was written without a filter, and is compressed now.
const MAX_STREAM = 16 * 1024 * 1024;

/** What was changed on a page on purpose. */
export type Touched = {
  /** Whether tags were removed. */
  readonly tagged: boolean;
  /** Where fields may be drawn; PDFium does not show them in the upload. */
  readonly fields: readonly Box[];
};

const UNTOUCHED: Touched = { tagged: false, fields: [] };

/**
 * The pages, from 1, that certainly look the same, and have the same words, apart from tags that were removed and fields that became part of
 * the page. Empty if the files have another number of pages, or layers, whose state changes. `touched` are the pages with tags, or with
 * annotations other than links.
 */
export function unchangedPages(before: RawFile, after: RawFile, touched: ReadonlyMap<number, Touched> = new Map()): Set<number> {
  const same = new Set<number>();
  try {
    const [old, now] = [openRaw(before), openRaw(after)];
    if (old.pages.length !== now.pages.length) return same;
    const comparison = new ObjectComparison(old.objects, now.objects);
    for (const [index, page] of old.pages.entries()) {
      if (comparison.isSamePage(page, now.pages[index] as Dict, touched.get(index + 1) ?? UNTOUCHED)) same.add(index + 1);
    }
  } catch (error) {
    if (!(error instanceof Odd)) throw error;
  }
  return same;
}

function openRaw({ bytes, catalog }: RawFile): { objects: RawObjects; pages: Dict[] } {
  const objects = rawObjects(bytes);
  const stated = objects.root();
  if (stated !== null && stated !== catalog) throw new Odd("another catalog");
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
const RESOURCES = "/Resources";
const INHERITED = ["/MediaBox", "/CropBox", "/Rotate"];
const OWN = ["/UserUnit", "/Group"];
// What a viewer draws of a link.
const OF_ANNOTATIONS = ["/Subtype", "/Rect", "/F", "/AP", "/AS", "/Border", "/BS", "/C", "/CA", "/OC", "/QuadPoints"];
// Of a form or an image: what cleaning may remove and no viewer shows.
const NOT_SHOWN = new Set(["/Length", "/Metadata", "/PieceInfo", "/StructParent", "/StructParents", "/AF", "/LastModified", "/OPI"]);

// The resources to which forms are added, and what a form may lack that is nothing but an appearance.
const FORMS = new Set(["/XObject"]);
const KIND = new Set([...NOT_SHOWN, "/Type", "/Subtype"]);

class ObjectComparison {
  private readonly old: RawObjects;
  private readonly now: RawObjects;
  /** Pairs of objects that were compared: whether they are equal. */
  private readonly known = new Map<string, boolean>();
  /** Pairs that are equal if everything else of the current page is. */
  private assumed: string[] = [];
  private left = MAX_VALUES;
  /** Whether a form of the upload has no resources of its own, so that it uses those of the page. */
  private isFormWithoutResources = false;

  constructor(old: RawObjects, now: RawObjects) {
    this.old = old;
    this.now = now;
  }

  isSamePage(old: Dict, now: Dict, touched: Touched): boolean {
    this.assumed = [];
    const same = this.areSameParts(old, now, touched);
    if (!same) for (const pair of this.assumed) if (this.known.get(pair) === true) this.known.delete(pair);
    return same;
  }

  private areSameParts(old: Dict, now: Dict, touched: Touched): boolean {
    try {
      const parts = OWN.map((key) => [old.get(key), now.get(key)] as const);
      const inherited = INHERITED.map((key) => [inheritedOf(this.old, old, key), inheritedOf(this.now, now, key)] as const);
      if (![...parts, ...inherited].every(([a, b]) => this.isSame(a, b, 0))) return false;
      const going = annotationsOf(this.old, old).filter((item) => this.old.resolve(item.get("/Subtype")) !== "/Link");
      if (going.length > 0) return this.areOnlyFlattened(old, now, going, touched);
      if (!this.isSame(inheritedOf(this.old, old, RESOURCES), inheritedOf(this.now, now, RESOURCES), 0)) return false;
      if (!this.areSameAnnotations(old, now)) return false;
      if (!touched.tagged) return this.isSame(old.get("/Contents"), now.get("/Contents"), 0);
      return onlyCuts(contentOf(this.old, old), contentOf(this.now, now), textResources(this.now, now));
    } catch (error) {
      if (!(error instanceof Odd)) throw error;
      return false;
    }
  }

  private areSameAnnotations(oldPage: Dict, nowPage: Dict): boolean {
    const links = annotationsOf(this.old, oldPage).filter((item) => this.old.resolve(item.get("/Subtype")) === "/Link");
    const left = annotationsOf(this.now, nowPage);
    if (links.length !== left.length) return false;
    return links.every((item, index) => OF_ANNOTATIONS.every((key) => this.isSame(item.get(key), left[index]?.get(key), 0)));
  }

  /**
   * Whether annotations are all that became part of the page: its own content is the same; above it, each annotation is drawn by its own
   * appearance where viewers show it; and what is drawn otherwise is in the boxes of the fields.
   */
  private areOnlyFlattened(old: Dict, now: Dict, going: readonly Dict[], { tagged, fields }: Touched): boolean {
    if (!this.areSameAnnotations(old, now) || isKnockedOut(this.old, old)) return false;
    const [was, is] = [partsOf(this.old, old), partsOf(this.now, now)];
    const content = is.map((part) => plainBytes(part, this.now.resolve, MAX_STREAM));
    const layers = layersOf(content, was.length);
    if (layers === null) return false;
    const [from, to] = layers.own;
    const own = joined(content.slice(from, to));
    if (tagged) {
      const before = joined(was.map((part) => plainBytes(part, this.old.resolve, MAX_STREAM)));
      if (!onlyCuts(before, own, textResources(this.now, now))) return false;
    } else if (!was.every((part, index) => this.isSameStream(part, is[from + index] as Stream, 0))) return false;
    const names = new Set(layers.drawn.map(({ name }) => name));
    if (!canBeEnclosed(own, [...names]) || !this.haveSameResources(old, now, names)) return false;
    return this.areShownAnnotations(now, going, layers.drawn, fields) && !this.isFormWithoutResources;
  }

  /** Whether the resources are the same, but for the forms with these names, which are new. */
  private haveSameResources(oldPage: Dict, nowPage: Dict, names: ReadonlySet<string>): boolean {
    const old = this.old.resolve(inheritedOf(this.old, oldPage, RESOURCES)) ?? new Map();
    const now = this.now.resolve(inheritedOf(this.now, nowPage, RESOURCES)) ?? new Map();
    if (!isDict(old) || !isDict(now) || !this.isSameDict(old, now, 0, FORMS)) return false;
    const [forms, left] = [this.old.resolve(old.get("/XObject")) ?? new Map(), this.now.resolve(now.get("/XObject")) ?? new Map()];
    if (!isDict(forms) || !isDict(left)) return false;
    const added = new Set([...names].map((name) => `/${name}`));
    return [...added].every((name) => !forms.has(name)) && this.isSameDict(forms, left, 0, added);
  }

  private areShownAnnotations(now: Dict, going: readonly Dict[], drawn: readonly DrawnForm[], fields: readonly Box[]): boolean {
    const shown = going.map((item) => shownForm(this.old, item));
    if (shown.some((form) => form === "other")) return false;
    const waiting = shown.filter((form) => typeof form !== "string");
    const resources = this.now.resolve(inheritedOf(this.now, now, RESOURCES));
    const forms = isDict(resources) ? this.now.resolve(resources.get("/XObject")) : null;
    for (const { name, matrix } of drawn) {
      const form = isDict(forms) ? this.now.resolve(forms.get(`/${name}`)) : null;
      if (!(form instanceof Stream) || this.now.resolve(form.dict.get("/Subtype")) !== "/Form") return false;
      const [next] = waiting;
      if (next !== undefined && isSameMatrix(next.fit, matrix) && this.isSameStream(next.stream, form, 0, KIND)) waiting.shift();
      else if (!isWithin(this.now, form, matrix, fields)) return false;
    }
    return waiting.length === 0;
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

  private isSameStream(old: Stream, now: Stream, depth: number, except: ReadonlySet<string> = NOT_SHOWN): boolean {
    if (old.dict.get("/Subtype") === "/Form" && !old.dict.has("/Resources")) this.isFormWithoutResources = true;
    if (old.dict.has("/Filter") || !now.dict.has("/Filter"))
      return this.isSameDict(old.dict, now.dict, depth, except) && Buffer.compare(old.raw, now.raw) === 0;
    const plain = plainBytes(now, this.now.resolve, MAX_STREAM);
    return this.isSameDict(old.dict, now.dict, depth, new Set([...except, "/Filter"])) && Buffer.compare(old.raw, plain) === 0;
  }

  private isSameDict(old: Dict, now: Dict, depth: number, except: ReadonlySet<string>): boolean {
    for (const key of now.keys()) if (!old.has(key) && !except.has(key)) return false;
    for (const [key, value] of old) if (!except.has(key) && !this.isSame(value, now.get(key), depth + 1)) return false;
    return true;
  }
}

/** The content of a page: all its parts, which a space separates. */
function contentOf(objects: RawObjects, page: Dict): Uint8Array {
  return joined(partsOf(objects, page).map((part) => plainBytes(part, objects.resolve, MAX_STREAM)));
}

function partsOf(objects: RawObjects, page: Dict): Stream[] {
  const contents = objects.resolve(page.get("/Contents"));
  const parts = Array.isArray(contents) ? (contents as readonly Value[]).map((part) => objects.resolve(part)) : [contents];
  return parts.map((part) => {
    if (!(part instanceof Stream)) throw new Odd("a page without content");
    return part;
  });
}

const SPACE = Buffer.from(" ");
const joined = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts.flatMap((part) => [part, SPACE]));

function annotationsOf(objects: RawObjects, page: Dict): Dict[] {
  const items = objects.resolve(page.get("/Annots")) ?? [];
  if (!Array.isArray(items)) throw new Odd("annotations that are no array");
  return (items as readonly Value[]).map((item) => {
    const annotation = objects.resolve(item);
    if (!isDict(annotation)) throw new Odd("an annotation that is no dictionary");
    return annotation;
  });
}

/** Whether the page is a group in which what is drawn later is not drawn on what is there. */
function isKnockedOut(objects: RawObjects, page: Dict): boolean {
  const group = objects.resolve(page.get("/Group"));
  return isDict(group) && (group.has("/I") || group.has("/K"));
}

type ShownForm = { readonly stream: Stream; readonly fit: Matrix };

// Hidden, not zoomed, not turned, not shown on a screen (ISO 32000-2, table 167).
const ODD_FLAGS = 2 | 8 | 16 | 32;
// Cleaning removes these.
const REMOVED = new Set(["/FileAttachment", "/RichMedia", "/Screen", "/Movie", "/Sound", "/3D", "/TrapNet", "/PrinterMark"]);

/**
 * How viewers show an annotation (ISO 32000-2, 12.5.5): by its appearance; "nothing" for a pop-up and, since PDFium shows them only in its form
 * mode, for a field; "other" if viewers may show it in another way.
 */
function shownForm(objects: RawObjects, annotation: Dict): ShownForm | "nothing" | "other" {
  const subtype = objects.resolve(annotation.get("/Subtype"));
  if (annotation.has("/OC")) return "other";
  if (subtype === "/Widget" || subtype === "/Popup") return "nothing";
  const flags = objects.resolve(annotation.get("/F")) ?? 0;
  if (typeof flags !== "number" || (flags & ODD_FLAGS) !== 0 || typeof subtype !== "string" || REMOVED.has(subtype)) return "other";
  const appearances = objects.resolve(annotation.get("/AP"));
  const normal = isDict(appearances) ? objects.resolve(appearances.get("/N")) : null;
  if (!(normal instanceof Stream)) return "other";
  const kind = objects.resolve(normal.dict.get("/Subtype"));
  const [rect, box] = [boxOf(objects, annotation.get("/Rect")), boxOf(objects, normal.dict.get("/BBox"))];
  const matrix = matrixOf(objects, normal);
  if (rect === null || box === null || matrix === null || (kind !== null && kind !== "/Form")) return "other";
  const from = mapBox(matrix, box);
  const [w, h] = [from[2] - from[0], from[3] - from[1]];
  if (!(w > 0 && h > 0)) return "other";
  const [sx, sy] = [(rect[2] - rect[0]) / w, (rect[3] - rect[1]) / h];
  return { stream: normal, fit: [sx, 0, 0, sy, rect[0] - from[0] * sx, rect[1] - from[1] * sy] };
}

// A thousandth of a point, and of what a page of 1,000 points is scaled by.
const SAME_PLACE = 0.001;
const SAME_SCALE = 0.000001;

const isSameMatrix = (a: Matrix, b: Matrix): boolean =>
  a.every((value, index) => Math.abs(value - (b[index] as number)) <= (index < 4 ? SAME_SCALE : SAME_PLACE));

function isWithin(objects: RawObjects, form: Stream, place: Matrix, boxes: readonly Box[]): boolean {
  const [box, matrix] = [boxOf(objects, form.dict.get("/BBox")), matrixOf(objects, form)];
  if (box === null || matrix === null) return false;
  const [left, bottom, right, top] = mapBox(times(matrix, place), box);
  return boxes.some((each) => left >= each[0] && bottom >= each[1] && right <= each[2] && top <= each[3]);
}

function matrixOf(objects: RawObjects, form: Stream): Matrix | null {
  return form.dict.has("/Matrix") ? asMatrix(numbersOf(objects, form.dict.get("/Matrix"))) : identity;
}

function boxOf(objects: RawObjects, value: Value | undefined): Box | null {
  const [x0, y0, x1, y1, ...more] = numbersOf(objects, value) ?? [];
  if (x0 === undefined || y0 === undefined || x1 === undefined || y1 === undefined || more.length > 0) return null;
  return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
}

function numbersOf(objects: RawObjects, value: Value | undefined): number[] | null {
  const items = objects.resolve(value);
  if (!Array.isArray(items)) return null;
  const found = (items as readonly Value[]).map((item) => objects.resolve(item));
  return found.every((item) => typeof item === "number") ? found : null;
}

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
