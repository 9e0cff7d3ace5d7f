// What can go wrong with a file or with what is asked of it, classed by what the caller can do next. A worker answers the
// value (`fault`), the pool throws the class; whoever called the pool puts it into words for the public.

/** The bytes are of another kind, or of none: the caller sent the wrong file. */
export class NotAPdf extends Error {
  override readonly name = "NotAPdf";
  readonly fault = "not_a_pdf";
}

/** unparseable: broken. encrypted: needs a password. too_complex: over a limit. dynamic_xfa: the form has no pages of its own. */
export type UnreadableReason = "unparseable" | "encrypted" | "too_complex" | "dynamic_xfa";

/** It claims to be a PDF, and we cannot work with it. The message is for the log and quotes nothing from the file. */
export class UnreadablePdf extends Error {
  override readonly name = "UnreadablePdf";
  readonly fault: UnreadableReason;
  /** Which limit was exceeded, as one would say it: "more than 2,000 pages". Null unless `too_complex`. */
  readonly limit: string | null;

  constructor(fault: Exclude<UnreadableReason, "too_complex">, message: string, options?: ErrorOptions);
  constructor(fault: "too_complex", limit: string, options?: ErrorOptions);
  constructor(fault: UnreadableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
    this.limit = fault === "too_complex" ? message : null;
  }
}

/** One thing that is wrong with a tag: where (`Page 3, {{Sig;typ=signature}}`) and what, in a sentence. */
export type TagFaultDetail = { readonly code: "unknown_field" | "invalid_value" | "duplicate"; readonly message: string };

/** The document's own tags are not valid. All faults at once, so that they are mended in one go. */
export class TagFault extends Error {
  override readonly name = "TagFault";
  readonly fault = "bad_tags";
  readonly details: readonly TagFaultDetail[];

  constructor(details: readonly TagFaultDetail[]) {
    super(`${details.length} tag faults`);
    this.details = details;
  }
}

/** Which placement failed (`field` is the index of the query) and how; `matches` is how often the text was found. */
export type AnchorFaultDetail = {
  readonly field: number;
  readonly fault: "anchor_not_found" | "occurrence_out_of_range" | "area_outside_page" | "out_of_range";
  readonly matches?: number;
};

/** Text that fields were to be placed against is not there, or the place is off the page. All faults at once. */
export class AnchorFault extends Error {
  override readonly name = "AnchorFault";
  readonly fault = "bad_anchors";
  readonly details: readonly AnchorFaultDetail[];

  constructor(details: readonly AnchorFaultDetail[]) {
    super(`${details.length} anchor faults`);
    this.details = details;
  }
}

/** A value cannot be drawn legibly in its area. `field` says which, in the words of whoever asked for the stamp. */
export class StampFault extends Error {
  override readonly name = "StampFault";
  readonly fault = "does_not_fit";
  readonly field: string;

  constructor(field: string) {
    super(`the value of ${field} does not fit its area`);
    this.field = field;
  }
}

/** The file for the result could not be written: no doing of the PDF's. The message is the system's code, ENOSPC for a full disk. */
export class NotWritten extends Error {
  override readonly name = "NotWritten";
  readonly fault = "not_written";
}

/** The queue is full: the same call may succeed a few seconds later. */
export class PdfBusy extends Error {
  override readonly name = "PdfBusy";
  readonly fault = "busy";
}
