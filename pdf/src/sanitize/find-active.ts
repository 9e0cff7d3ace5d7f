// Walks everything reachable from the catalog and /Info and reports what must not be there. Cleaning and checking use the same walk, so
// the check cannot be more lenient than the cleaning.
//
// The meaning of a key depends on how the dictionary was reached: /A is an action in an annotation, but a list of attributes in a
// structure element. So each object is visited once for each role: an object first seen in a harmless role is visited again when it
// appears as an annotation.

import { PdfArray, PdfDict, type PdfObject, PdfRef, PdfStream } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";
import { actionLabel, isAllowed, looksForbidden, nameOf, surplusKeys } from "./actions.ts";
import {
  ANNOTATIONS_REMOVED,
  FREE_NAMES,
  KEYS_ANYWHERE,
  KEYS_OF_CATALOG,
  KEYS_OF_STREAMS,
  NAME_TREES_KEPT,
  RESOURCE_CATEGORIES,
} from "./rules.ts";

/** Called for each finding. `remove` removes it from the document; without that call the document is unchanged. */
export type Report = (what: string, remove: () => void) => void;

type Role =
  | "plain"
  | "catalog"
  | "name trees"
  | "annotation"
  | "outline"
  | "resources"
  | "free names"
  | "appearances"
  | "layers"
  | "layer config"
  | "layer";

type Visit = { readonly value: PdfObject; readonly role: Role };

type Holder = Pick<Doc, "pdf">;

/** Everything reachable, each object in each of its roles. */
export function findActive(doc: Holder, report: Report): void {
  const { trailer } = doc.pdf.context.info;
  walk(doc, report, [
    { value: trailer.get("Info") ?? new PdfDict(), role: "free names" },
    { value: trailer.get("Root") ?? new PdfDict(), role: "catalog" },
  ]);
}

/** Every object of the file, referenced or not, treated as the most dangerous thing it could be. */
export function findActiveAnywhere(doc: Holder, report: Report): void {
  const refs = Array.from({ length: doc.pdf.context.registry.nextObjectNumber - 1 }, (_, index) => PdfRef.of(index + 1, 0));
  walk(
    doc,
    report,
    refs.map((value) => ({ value, role: isStructure(doc, value) ? "plain" : "annotation" })),
  );
}

function isStructure(doc: Holder, value: PdfObject): boolean {
  const dict = resolve(doc, value);
  return dict instanceof PdfDict && (nameOf(doc, dict.get("Type")) === "StructElem" || (dict.has("P") && dict.has("K")));
}

function walk(doc: Holder, report: Report, open: Visit[]): void {
  const seen = new Set<string>();
  for (let visit = open.pop(); visit !== undefined; visit = open.pop()) {
    const { value, role } = visit;
    if (value instanceof PdfRef) {
      const key = `${value} ${role}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const target = doc.pdf.context.resolve(value);
      if (target !== null) open.push({ value: target, role });
    } else if (value instanceof PdfArray) {
      for (const item of value) if (isContainer(item)) open.push({ value: item, role });
    } else if (value instanceof PdfDict) {
      inspect(doc, value, role, report);
      for (const [key, item] of value) if (isContainer(item)) open.push({ value: item, role: roleOf(doc, key.value, role, item) });
    }
  }
}

function isContainer(value: PdfObject): boolean {
  return value instanceof PdfRef || value instanceof PdfDict || value instanceof PdfArray;
}

function roleOf(doc: Holder, key: string, role: Role, child: PdfObject): Role {
  if (role === "free names") return "plain";
  if (role === "appearances") return resolve(doc, child) instanceof PdfStream ? "plain" : "free names";
  if (role === "resources") return RESOURCE_CATEGORIES.has(key) ? "free names" : "plain";
  if (role === "layers") return key === "OCGs" ? "layer" : key === "D" || key === "Configs" ? "layer config" : "plain";
  if (role === "name trees") return "plain";
  if (key === "Resources" || key === "DR") return "resources";
  if (FREE_NAMES.has(key)) return "free names";
  if (key === "AP") return "appearances";
  if (key === "Annots" || key === "Fields" || key === "Popup" || key === "IRT") return "annotation";
  if (role === "catalog")
    return key === "Names" ? "name trees" : key === "Outlines" ? "outline" : key === "OCProperties" ? "layers" : "plain";
  if (role === "annotation") return key === "Kids" || key === "Parent" ? "annotation" : "plain";
  if (role === "outline") return key === "A" || key === "Dest" || key === "SE" ? "plain" : "outline";
  return "plain";
}

function inspect(doc: Holder, dict: PdfDict, role: Role, report: Report): void {
  const drop = (what: string, key: string): void => report(what, () => dict.delete(key));
  if (role !== "free names" && role !== "appearances") {
    for (const key of keysOf(dict, KEYS_ANYWHERE)) drop(key, key);
    if (looksForbidden(doc, dict)) report(`A/${actionLabel(doc, dict)}`, () => empty(dict));
  }
  if (dict instanceof PdfStream) inspectStream(doc, dict, report);
  const type = nameOf(doc, dict.get("Type"));
  if (role === "catalog" || type === "Catalog") inspectCatalog(doc, dict, report);
  if (role === "name trees") for (const { value } of [...dict.keys()]) if (!NAME_TREES_KEPT.has(value)) drop(treeLabel(value), value);
  if (role === "annotation" || isAnnotation(dict)) inspectAnnotation(doc, dict, report);
  if (role === "annotation" || role === "outline" || isAnnotation(dict)) inspectAction(doc, dict, "A", report);
  if (role === "layer config" && dict.has("AS")) drop("OCProperties/AS", "AS");
  if ((role === "layer" || type === "OCG") && dict.has("Usage")) drop("OCG/Usage", "Usage");
  inspectAnnotations(doc, dict, report);
}

function inspectStream(doc: Holder, stream: PdfStream, report: Report): void {
  const subtype = nameOf(doc, stream.get("Subtype"));
  for (const key of keysOf(stream, KEYS_OF_STREAMS)) report(`Stream/${key}`, () => stream.delete(key));
  if (subtype === "Form" && stream.has("Ref")) report("Stream/Ref", () => stream.delete("Ref"));
  const isFile = nameOf(doc, stream.get("Type")) === "EmbeddedFile";
  if (!isFile && subtype !== "PS" && nameOf(doc, stream.get("Subtype2")) !== "PS") return;
  report(isFile ? "Stream/EmbeddedFile" : "Stream/PS", () => {
    empty(stream);
    stream.setData(new Uint8Array(0));
  });
}

function inspectCatalog(doc: Holder, catalog: PdfDict, report: Report): void {
  for (const key of keysOf(catalog, KEYS_OF_CATALOG)) report(`Catalog/${key}`, () => catalog.delete(key));
  if (nameOf(doc, catalog.get("PageMode")) === "UseAttachments") report("Catalog/PageMode", () => catalog.delete("PageMode"));
  // An array, a name or a string is a destination, not an action.
  if (resolve(doc, catalog.get("OpenAction")) instanceof PdfDict) inspectAction(doc, catalog, "OpenAction", report);
}

function inspectAction(doc: Holder, owner: PdfDict, key: "A" | "OpenAction", report: Report): void {
  if (!owner.has(key)) return;
  const action = resolve(doc, owner.get(key));
  if (!isAllowed(doc, action)) report(`${key}/${actionLabel(doc, action)}`, () => owner.delete(key));
  else for (const surplus of surplusKeys(doc, action)) report(surplus === "Next" ? "Next" : `${key}/other`, () => action.delete(surplus));
}

// A removed annotation is emptied, not only unlisted, because a reply, a structure element or a form may still refer to it.
function inspectAnnotation(doc: Holder, annotation: PdfDict, report: Report): void {
  const subtype = nameOf(doc, annotation.get("Subtype"));
  if (subtype === null || !ANNOTATIONS_REMOVED.has(subtype)) return;
  report(`Annots/${subtype}`, () => {
    const popup = resolve(doc, annotation.get("Popup"));
    if (popup instanceof PdfDict) empty(popup);
    empty(annotation);
  });
}

function inspectAnnotations(doc: Holder, page: PdfDict, report: Report): void {
  const annotations = resolve(doc, page.get("Annots"));
  if (!(annotations instanceof PdfArray)) return;
  let removed = false;
  for (const item of annotations) {
    const annotation = resolve(doc, item);
    if (!(annotation instanceof PdfDict)) continue;
    inspectAnnotation(doc, annotation, (what, remove) =>
      report(what, () => {
        removed = true;
        remove();
      }),
    );
  }
  if (removed) keepAnnotations(doc, page, () => true);
}

/** Keeps in `Annots` only what `keep` accepts; broken entries are removed too. */
export function keepAnnotations(doc: Holder, page: PdfDict, keep: (annotation: PdfDict) => boolean): void {
  const annotations = resolve(doc, page.get("Annots"));
  if (!(annotations instanceof PdfArray)) return;
  const kept = annotations.toArray().filter((item) => {
    const annotation = resolve(doc, item);
    return annotation instanceof PdfDict && annotation.size > 0 && keep(annotation);
  });
  if (kept.length === 0) page.delete("Annots");
  else page.set("Annots", new PdfArray(kept));
}

function isAnnotation(dict: PdfDict): boolean {
  return dict.has("Rect") && dict.has("Subtype") && !(dict instanceof PdfStream);
}

// Usually there are none, so the array is created only when needed.
function keysOf(dict: PdfDict, listed: ReadonlySet<string>): readonly string[] {
  let found: string[] | null = null;
  for (const { value } of dict.keys()) if (listed.has(value)) found = [...(found ?? []), value];
  return found ?? [];
}

export function empty(dict: PdfDict): void {
  for (const key of [...dict.keys()]) dict.delete(key);
}

const NAME_TREES = new Set("JavaScript EmbeddedFiles Renditions AlternatePresentations Templates URLS IDS Pages".split(" "));

// The report becomes part of the document's record, so keys invented by the file are left out of it.
function treeLabel(key: string): string {
  return `Names/${NAME_TREES.has(key) ? key : "other"}`;
}
