// What a cleaned document must not contain: anything that runs, fetches, embeds a file, or could later show something else.

/** Removed from any dictionary, unless its keys are author-defined names. */
export const KEYS_ANYWHERE: ReadonlySet<string> = new Set([
  "AA",
  "JS",
  "AF",
  "EF",
  "RF",
  "XFA",
  "RichMediaContent",
  "RichMediaSettings",
  "PA",
  "PieceInfo",
  "PresSteps",
  "Thumb",
  "OPI",
  "Alternates",
]);

/** For a stream whose data is in another file. Elsewhere `F` is a flag or a name, so these keys are removed from streams only. */
export const KEYS_OF_STREAMS: ReadonlySet<string> = new Set(["F", "FFilter", "FDecodeParms"]);

export const KEYS_OF_CATALOG: ReadonlySet<string> = new Set([
  "Collection",
  "Requirements",
  "Perms",
  "DSS",
  "Legal",
  "SpiderInfo",
  "URI",
  "NeedsRendering",
]);

/** Keys that signing itself adds to the catalog; they are no reason to change a signed file. */
export const KEYS_OF_SIGNING: ReadonlySet<string> = new Set(["Perms", "DSS"]);

/** An allow-list: other name trees contain scripts, files and page templates. */
export const NAME_TREES_KEPT: ReadonlySet<string> = new Set(["Dests", "AP"]);

export const ANNOTATIONS_REMOVED: ReadonlySet<string> = new Set([
  "FileAttachment",
  "RichMedia",
  "Screen",
  "Movie",
  "Sound",
  "3D",
  "TrapNet",
  "PrinterMark",
]);

/** Dictionaries whose keys are author-defined names: a font may be called /AA. They are searched, but not cleaned by key. */
export const FREE_NAMES: ReadonlySet<string> = new Set(["CharProcs", "Dests", "RoleMap", "ClassMap", "Colorants"]);

export const RESOURCE_CATEGORIES: ReadonlySet<string> = new Set([
  "Font",
  "XObject",
  "ExtGState",
  "ColorSpace",
  "Pattern",
  "Shading",
  "Properties",
]);
