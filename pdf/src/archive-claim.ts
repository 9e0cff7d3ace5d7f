// The claim of a document to be fit for archives (PDF/A, ISO 19005), which stands in its XMP metadata. Our changes keep the rules where
// they can; where they cannot, the claim is removed, because a false one is worse than none.

import { type PDF, PdfArray, PdfDict, PdfName, PdfNumber, type PdfObject, PdfStream } from "@libpdf/core";
import type { Budget } from "pako";
import { decodeStream } from "./content/filters.ts";
import { register, resolve } from "./doc.ts";
import { srgbProfile } from "./srgb-profile.ts";

/** `part` is 1 to 4. Level A: with structure; U: with Unicode; B: basic. */
export type ArchiveClaim = { readonly part: number; readonly level: string };

type Described = { readonly pdf: PDF; readonly budget?: Budget };

const NAMESPACE = "http://www.aiim.org/pdfa/ns/id/";
const MAX_XMP_BYTES = 4 * 1024 * 1024;

/** What the document claims; null if nothing. */
export function archiveClaim(doc: Described): ArchiveClaim | null {
  const xmp = xmpOf(doc);
  const prefix = prefixIn(xmp);
  if (xmp === null || prefix === null) return null;
  const said = (name: string): string | undefined => new RegExp(`\\b${prefix}:${name}(?:\\s*=\\s*["']|>)\\s*([^<"'\\s]*)`).exec(xmp)?.[1];
  const part = Number(said("part"));
  return Number.isInteger(part) && part > 0 ? { part, level: (said("conformance") ?? "").toUpperCase() } : null;
}

/** Removes the claim; the rest of the metadata stays. */
export function dropArchiveClaim(doc: Described): void {
  rewrite(doc, (xmp, prefix) =>
    xmp
      .replaceAll(new RegExp(`<${prefix}:(part|conformance|amd|corr|rev)\\b[^>]*>[^<]*</${prefix}:\\1\\s*>`, "g"), "")
      .replaceAll(new RegExp(`\\s${prefix}:(?:part|conformance|amd|corr|rev)\\s*=\\s*(?:"[^"]*"|'[^']*')`, "g"), ""),
  );
}

/** Lowers a claim of level A: something was drawn that is not in the structure. */
export function dropStructureClaim(doc: Described): void {
  const claim = archiveClaim(doc);
  if (claim?.level !== "A") return;
  const level = claim.part === 1 ? "B" : "U";
  rewrite(doc, (xmp, prefix) => xmp.replace(new RegExp(`(\\b${prefix}:conformance(?:\\s*=\\s*["']|>)\\s*)[Aa]`), `$1${level}`));
}

function rewrite(doc: Described, change: (xmp: string, prefix: string) => string): void {
  const xmp = xmpOf(doc);
  const prefix = prefixIn(xmp);
  if (xmp === null || prefix === null) return;
  const entries: [string, PdfObject][] = [
    ["Type", PdfName.of("Metadata")],
    ["Subtype", PdfName.of("XML")],
  ];
  const catalog = doc.pdf.context.catalog.getDict();
  catalog.set("Metadata", register(doc, new PdfStream(entries, Buffer.from(change(xmp, prefix)))));
}

function xmpOf(doc: Described): string | null {
  const metadata = resolve(doc, doc.pdf.context.catalog.getDict().get("Metadata"));
  if (!(metadata instanceof PdfStream) || metadata.data.length > MAX_XMP_BYTES) return null;
  const bytes = doc.budget === undefined ? metadata.data : decodeStream({ pdf: doc.pdf, budget: doc.budget }, metadata);
  return bytes.length > MAX_XMP_BYTES ? null : new TextDecoder(encodingOf(bytes)).decode(bytes);
}

const encodingOf = ([first, second]: Uint8Array): string =>
  first === 0xfe && second === 0xff ? "utf-16be" : first === 0xff && second === 0xfe ? "utf-16le" : "utf-8";

// The prefix is free, though nearly always pdfaid.
function prefixIn(xmp: string | null): string | null {
  return new RegExp(`xmlns:([A-Za-z_][\\w.-]*)\\s*=\\s*["']${NAMESPACE}["']`).exec(xmp ?? "")?.[1]?.replaceAll(/[.-]/g, "\\$&") ?? null;
}

/**
 * Whether the document claims a form of PDF/A that forbids transparency: part 1 (ISO 19005-1, 6.4), or a document that does not say what
 * its colours are when they are mixed (ISO 19005-2, 6.2.10).
 */
export function forbidsTransparency(doc: Described): boolean {
  const claim = archiveClaim(doc);
  return claim !== null && (claim.part === 1 || intentComponents(doc) === null);
}

type ColorSpaces = { readonly [name: string]: PdfObject };

const spaces = new WeakMap<PDF, ColorSpaces>();

/**
 * Says what our colours mean in a document that claims PDF/A: its output intent describes gray and its own colours, not others
 * (ISO 19005-1, 6.2.3.3; ISO 19005-2, 6.2.4.3). A page that keeps the rules itself draws in none of the colours that get a default here.
 */
export function addDefaultColors(doc: Described, resources: PdfDict): void {
  const needed = spaces.get(doc.pdf) ?? neededSpaces(doc);
  spaces.set(doc.pdf, needed);
  if (Object.keys(needed).length === 0) return;
  const old = resolve(doc, resources.get("ColorSpace"));
  const own = old instanceof PdfDict ? old.clone() : new PdfDict();
  for (const [name, space] of Object.entries(needed)) if (!own.has(name)) own.set(name, space);
  resources.set("ColorSpace", own);
}

function neededSpaces(doc: Described): ColorSpaces {
  if (archiveClaim(doc) === null) return {};
  const intent = intentComponents(doc);
  if (intent === 3) return {};
  const profile = new PdfStream(PdfDict.of({ N: number(3) }), srgbProfile());
  const rgb = new PdfArray([PdfName.of("ICCBased"), register(doc, profile)]);
  if (intent !== null) return { DefaultRGB: rgb };
  const white = new PdfArray([0.9505, 1, 1.089].map(number));
  return { DefaultRGB: rgb, DefaultGray: new PdfArray([PdfName.of("CalGray"), PdfDict.of({ WhitePoint: white, Gamma: number(2.2) })]) };
}

/** The number of colours that the output intent for PDF/A describes; null without one. */
function intentComponents(doc: Described): number | null {
  const intents = resolve(doc, doc.pdf.context.catalog.getDict().get("OutputIntents"));
  if (!(intents instanceof PdfArray)) return null;
  for (const item of intents.toArray().slice(0, 16)) {
    const intent = resolve(doc, item);
    const kind = intent instanceof PdfDict ? resolve(doc, intent.get("S")) : null;
    if (!(intent instanceof PdfDict) || !(kind instanceof PdfName) || kind.value !== "GTS_PDFA1") continue;
    const profile = resolve(doc, intent.get("DestOutputProfile"));
    const count = profile instanceof PdfStream ? resolve(doc, profile.get("N")) : null;
    if (count instanceof PdfNumber) return count.value;
  }
  return null;
}

const number = (value: number): PdfNumber => PdfNumber.of(value);
