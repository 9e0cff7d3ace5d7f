// Which optional content is off when the file is opened (ISO 32000-2, 8.11). It is not visible, so anchors do not match it, and cleaning
// removes it.

import { PdfArray, PdfDict, PdfName, type PdfObject } from "@libpdf/core";
import { type Doc, resolve } from "../doc.ts";

/** Tells whether an `/OC` value (a group or a membership dictionary) is off by default. */
export type IsOff = (oc: PdfObject | null | undefined) => boolean;

/** Returns a function that tells whether an `/OC` value is off. */
export function layersOff(doc: Doc): IsOff {
  const properties = resolve(doc, doc.catalog.get("OCProperties"));
  if (!(properties instanceof PdfDict)) return () => false;
  const off = groupsOff(doc);
  return (oc) => {
    const value = resolve(doc, oc);
    if (!(value instanceof PdfDict)) return false;
    return value.has("OCGs") || value.has("VE") ? !isMember(doc, value, off) : off.has(value);
  };
}

/** The groups that are off by default. */
export function groupsOff(doc: Doc): Set<PdfDict> {
  const properties = resolve(doc, doc.catalog.get("OCProperties"));
  if (!(properties instanceof PdfDict)) return new Set();
  const config = resolve(doc, properties.get("D"));
  const initial = config instanceof PdfDict ? config : new PdfDict();
  const all = groups(doc, properties.get("OCGs"));
  const off = new Set(nameOf(doc, initial.get("BaseState")) === "OFF" ? all : []);
  for (const group of groups(doc, initial.get("ON"))) off.delete(group);
  for (const group of groups(doc, initial.get("OFF"))) off.add(group);
  for (const usage of groups(doc, initial.get("AS"))) applyUsage(doc, usage, off);
  return off;
}

// On the screen, a group's own state for viewing replaces the state of the configuration (ISO 32000-2, 8.11.4.5). Cleaning removes
// these entries, so `sanitize` first writes their effect into the configuration.
function applyUsage(doc: Doc, usage: PdfDict, off: Set<PdfDict>): void {
  if (nameOf(doc, usage.get("Event")) !== "View") return;
  for (const group of groups(doc, usage.get("OCGs"))) {
    const own = resolve(doc, group.get("Usage"));
    const view = own instanceof PdfDict ? resolve(doc, own.get("View")) : null;
    const state = view instanceof PdfDict ? nameOf(doc, view.get("ViewState")) : null;
    if (state === "OFF") off.add(group);
    else if (state === "ON") off.delete(group);
  }
}

function groups(doc: Doc, value: PdfObject | undefined): PdfDict[] {
  const found = resolve(doc, value);
  const items = found instanceof PdfArray ? found.toArray().map((item) => resolve(doc, item)) : [found];
  return items.filter((item) => item instanceof PdfDict);
}

const nameOf = (doc: Doc, value: PdfObject | undefined): string | null => {
  const name = resolve(doc, value);
  return name instanceof PdfName ? name.value : null;
};

/** Whether a membership dictionary shows its content. An expression (`VE`) takes precedence over the policy. */
function isMember(doc: Doc, membership: PdfDict, off: ReadonlySet<PdfDict>): boolean {
  const expression = resolve(doc, membership.get("VE"));
  if (expression instanceof PdfArray) return isTrue(doc, expression, off, 0);
  const members = groups(doc, membership.get("OCGs"));
  if (members.length === 0) return true;
  const on = members.filter((group) => !off.has(group)).length;
  switch (nameOf(doc, membership.get("P"))) {
    case "AllOn":
      return on === members.length;
    case "AnyOff":
      return on < members.length;
    case "AllOff":
      return on === 0;
    default:
      return on > 0;
  }
}

// As deep as PDFium reads them.
const MAX_DEPTH = 32;

function isTrue(doc: Doc, value: PdfObject | null, off: ReadonlySet<PdfDict>, depth: number): boolean {
  if (value instanceof PdfDict) return !off.has(value);
  if (!(value instanceof PdfArray) || depth > MAX_DEPTH) return false;
  const [operator, ...operands] = value.toArray().map((item) => resolve(doc, item));
  const verb = operator instanceof PdfName ? operator.value : null;
  if (verb === "Not") return operands[0] !== undefined && operands[0] !== null && !isTrue(doc, operands[0], off, depth + 1);
  if (verb === "And") return operands.every((operand) => isTrue(doc, operand, off, depth + 1));
  return verb === "Or" && operands.some((operand) => isTrue(doc, operand, off, depth + 1));
}
