// What a cleaned document does not contain: whatever runs, fetches, carries a file along, or shows something else tomorrow.

/** Removed from any dictionary, unless its keys are free names. */
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

/** A stream whose data lies in another file. `F` is a flag or a name elsewhere, so these go from streams only. */
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

/** What signing itself put into the catalog: no reason to touch a signed file. */
export const KEYS_OF_SIGNING: ReadonlySet<string> = new Set(["Perms", "DSS"]);

/** An allow-list: the other name trees hold scripts, files and pages that do not exist yet. */
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

/** Dictionaries whose keys are names that the author chose: a font may be called /AA. They are walked through, not cleaned by key. */
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
