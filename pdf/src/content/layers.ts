// Which optional content is off when the file is opened (ISO 32000-2, 8.11). It is not visible, so anchors do not match it.

import { PdfArray, PdfDict, PdfName, type PdfObject } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";

/** Returns a function that tells whether an `/OC` value (a group or a membership dictionary) is off by default. */
export function layersOff(doc: Doc): (oc: PdfObject | null | undefined) => boolean {
  const properties = resolve(doc, doc.catalog.get("OCProperties"));
  if (!(properties instanceof PdfDict)) return () => false;
  const config = resolve(doc, properties.get("D"));
  const initial = config instanceof PdfDict ? config : new PdfDict();
  const base = resolve(doc, initial.get("BaseState"));
  const off = new Set(base instanceof PdfName && base.value === "OFF" ? groups(doc, properties.get("OCGs")) : []);
  for (const group of groups(doc, initial.get("ON"))) off.delete(group);
  for (const group of groups(doc, initial.get("OFF"))) off.add(group);
  return (oc) => {
    const value = resolve(doc, oc);
    if (!(value instanceof PdfDict) || off.size === 0) return false;
    return value.has("OCGs") ? membershipOff(doc, value, off) : off.has(value);
  };
}

function groups(doc: Doc, value: PdfObject | undefined): PdfDict[] {
  const found = resolve(doc, value);
  const items = found instanceof PdfArray ? found.toArray().map((item) => resolve(doc, item)) : [found];
  return items.filter((item) => item instanceof PdfDict);
}

function membershipOff(doc: Doc, membership: PdfDict, off: ReadonlySet<PdfDict>): boolean {
  const members = groups(doc, membership.get("OCGs"));
  if (members.length === 0) return false;
  const policy = resolve(doc, membership.get("P"));
  const on = members.filter((group) => !off.has(group)).length;
  switch (policy instanceof PdfName ? policy.value : "AnyOn") {
    case "AllOn":
      return on < members.length;
    case "AnyOff":
      return on === members.length;
    case "AllOff":
      return on > 0;
    default:
      return on === 0;
  }
}
