// Writes edited content back. Nothing is changed in place: an edited part or form becomes a new stream that only the edited page refers
// to; other pages keep the old one. Unreferenced objects are not saved.

import { deflateSync } from "node:zlib";
import { PdfArray, PdfDict, PdfName, type PdfObject, type PdfRef, PdfStream } from "@libpdf/core";
import { type Doc, type Page, register, resolve } from "../doc.ts";
import { applyEdits, type Edit, latin1, spellOperand } from "./rewrite-show.ts";
import type { Part, Source } from "./sources.ts";

type FormSource = Source & { readonly from: Extract<Source["from"], { kind: "form" }> };

/** Applies the edits to the sources of one page. `all` are all sources of the page's glyphs, edited or not. */
export function writeSources(doc: Doc, edits: ReadonlyMap<Source, readonly Edit[]>, all: ReadonlySet<Source>): void {
  new Writer(doc, edits, all).write();
}

class Writer {
  private readonly doc: Doc;
  private readonly edits: ReadonlyMap<Source, readonly Edit[]>;
  private readonly children = new Map<Source, FormSource[]>();
  private readonly roots = new Set<Source>();
  private readonly touched = new Set<Source>();
  /** Clones of a form by their changes, so that a form painted ten times on a page is cloned once. */
  private readonly clones = new Map<PdfStream, Map<string, PdfRef>>();

  constructor(doc: Doc, edits: ReadonlyMap<Source, readonly Edit[]>, all: ReadonlySet<Source>) {
    this.doc = doc;
    this.edits = edits;
    const seen = new Set<Source>();
    for (const source of [...all, ...edits.keys()]) this.place(source, seen);
    for (const source of edits.keys()) this.touch(source);
  }

  write(): void {
    for (const root of this.roots) {
      if (!this.touched.has(root)) continue;
      const { edits, resources } = this.changesOf(root);
      if (root.from.kind === "page") writePage(this.doc, root.from.page, root.from.parts, root.bytes, edits, resources);
      else if (root.from.kind === "annotation") this.writeAppearance(root, root.from, edits, resources);
    }
  }

  private place(source: Source, seen: Set<Source>): void {
    if (seen.has(source)) return;
    seen.add(source);
    if (source.from.kind !== "form") {
      this.roots.add(source);
      return;
    }
    const { caller } = source.from;
    this.children.set(caller, [...(this.children.get(caller) ?? []), source as FormSource]);
    this.place(caller, seen);
  }

  private touch(source: Source): void {
    this.touched.add(source);
    if (source.from.kind === "form") this.touch(source.from.caller);
  }

  /** The edits of a source, including those that rename forms, and its resources with the new forms; null if there are no new forms. */
  private changesOf(source: Source): { edits: Edit[]; resources: PdfDict | null } {
    const edits = [...(this.edits.get(source) ?? [])];
    const renamed = new Map<string, PdfRef>();
    const paintings = this.children.get(source) ?? [];
    for (const name of new Set(paintings.filter((form) => this.touched.has(form)).map((form) => form.from.name))) {
      const named = paintings.filter((form) => form.from.name === name);
      const clones = named.map((form) => (this.touched.has(form) ? this.cloneForm(form) : null));
      const [first = null] = clones;
      if (first !== null && clones.every((clone) => clone === first)) {
        renamed.set(name, first);
        continue;
      }
      // If the form is painted several times but not changed everywhere, the changed ones get new names.
      for (const [i, clone] of clones.entries()) {
        const form = named[i];
        if (clone === null || form === undefined) continue;
        const fresh = freshName(this.doc, source.resources, name, renamed);
        renamed.set(fresh, clone);
        edits.push({ start: form.from.start, end: form.from.end, bytes: latin1(` ${spellOperand(fresh)} Do`) });
      }
    }
    return { edits, resources: renamed.size === 0 ? null : withForms(this.doc, source.resources, renamed) };
  }

  private cloneForm(form: FormSource): PdfRef {
    const { edits, resources } = this.changesOf(form);
    const spelled = edits.map(({ start, end, bytes }) => `${start}-${end}:${Buffer.from(bytes).toString("base64")}`);
    const forms = resources === null ? "" : String(resolve(this.doc, resources.get("XObject")) && [...formsOf(this.doc, resources)].join());
    const key = `${spelled.join()}|${forms}`;
    const known = this.clones.get(form.from.stream) ?? new Map<string, PdfRef>();
    this.clones.set(form.from.stream, known);
    const clone = known.get(key) ?? register(this.doc, cloneStream(form.from.stream, applyEdits(form.bytes, edits), resources));
    known.set(key, clone);
    return clone;
  }

  private writeAppearance(
    source: Source,
    from: Extract<Source["from"], { kind: "annotation" }>,
    edits: Edit[],
    resources: PdfDict | null,
  ): void {
    const clone = register(this.doc, cloneStream(from.stream, applyEdits(source.bytes, edits), resources));
    const appearances = copyOf(this.doc, from.annotation.get("AP"));
    if (from.state === null) appearances.set("N", clone);
    else {
      const states = copyOf(this.doc, appearances.get("N"));
      states.set(from.state, clone);
      appearances.set("N", states);
    }
    from.annotation.set("AP", appearances);
  }
}

function* formsOf(doc: Doc, resources: PdfDict): Generator<string> {
  const forms = resolve(doc, resources.get("XObject"));
  if (forms instanceof PdfDict) for (const [name, value] of forms) yield `${name.value}=${value}`;
}

/** A shallow copy, so that other users of the dictionary are not affected. */
function copyOf(doc: Doc, value: PdfObject | undefined): PdfDict {
  const found = resolve(doc, value);
  return new PdfDict(found instanceof PdfDict ? [...found] : []);
}

function withForms(doc: Doc, resources: PdfDict | null, forms: ReadonlyMap<string, PdfRef>): PdfDict {
  const copy = new PdfDict(resources === null ? [] : [...resources]);
  const objects = copyOf(doc, copy.get("XObject"));
  for (const [name, ref] of forms) objects.set(name, ref);
  copy.set("XObject", objects);
  return copy;
}

function freshName(doc: Doc, resources: PdfDict | null, name: string, taken: ReadonlyMap<string, PdfRef>): string {
  const objects = resolve(doc, resources?.get("XObject"));
  for (let i = 1; ; i++) {
    const fresh = `${name}x${i}`;
    if (!taken.has(fresh) && !(objects instanceof PdfDict && objects.has(fresh))) return fresh;
  }
}

const encodingKeys = new Set(["Length", "Filter", "DecodeParms", "F", "FFilter", "FDecodeParms", "DL"]);

function cloneStream(stream: PdfStream, bytes: Uint8Array, resources: PdfDict | null): PdfStream {
  const clone = packed(
    [...stream].filter(([key]) => !encodingKeys.has(key.value)),
    bytes,
  );
  if (resources !== null) clone.set("Resources", resources);
  return clone;
}

function packed(entries: Iterable<[PdfName, PdfObject]>, bytes: Uint8Array): PdfStream {
  const stream = new PdfStream(entries, new Uint8Array(deflateSync(bytes)));
  stream.set("Filter", PdfName.of("FlateDecode"));
  return stream;
}

function writePage(
  doc: Doc,
  page: Page,
  parts: readonly Part[],
  bytes: Uint8Array,
  edits: readonly Edit[],
  resources: PdfDict | null,
): void {
  if (resources !== null) page.dict.set("Resources", resources);
  if (edits.length === 0) return;
  const partOf = (edit: Edit): Part | undefined => parts.find((part) => edit.start >= part.start && edit.end <= part.end);
  if (edits.some((edit) => partOf(edit) === undefined)) {
    // An operator that spans two parts: merge all parts into one.
    page.dict.set("Contents", register(doc, packed([], applyEdits(bytes, edits))));
    return;
  }
  const contents = resolve(doc, page.dict.get("Contents"));
  const items = contents instanceof PdfArray ? contents.toArray() : [page.dict.get("Contents")];
  const refs: PdfObject[] = [];
  let next = 0;
  for (const item of items) {
    const part = resolve(doc, item) instanceof PdfStream ? parts[next++] : undefined;
    if (part === undefined || item === undefined) continue;
    const own = edits.filter((edit) => partOf(edit) === part);
    refs.push(own.length === 0 ? item : register(doc, packed([], applyEdits(bytes, own, part.start, part.end))));
  }
  const [only] = refs;
  page.dict.set("Contents", refs.length === 1 && only !== undefined ? only : new PdfArray(refs));
}
