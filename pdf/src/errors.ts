// Errors with a file or a request, grouped by what the caller can do next. A worker returns the value (`fault`), the pool throws the
// class, and the caller of the pool words the public message.

/** The bytes are of another or an unknown type: the wrong file was sent. */
export class NotAPdf extends Error {
  override readonly name = "NotAPdf";
  readonly fault = "not_a_pdf";
}

/**
 * unparseable: damaged. encrypted: needs a password. restricted: opens without one, but its owner does not allow changes. too_complex: exceeds
 * a limit. dynamic_xfa: the form has no pages of its own. content_lost: a page would lack something after cleaning.
 */
export type UnreadableReason = "unparseable" | "encrypted" | "restricted" | "too_complex" | "dynamic_xfa" | "content_lost";

/** The file claims to be a PDF but cannot be used. The message is for the log and quotes nothing from the file. */
export class UnreadablePdf extends Error {
  override readonly name = "UnreadablePdf";
  readonly fault: UnreadableReason;
  /** The exceeded limit in words, such as "more than 2,000 pages"; for `content_lost` the page, such as "page 3". Otherwise null. */
  readonly limit: string | null;

  constructor(fault: Exclude<UnreadableReason, "too_complex">, message: string, options?: ErrorOptions);
  constructor(fault: "too_complex", limit: string, options?: ErrorOptions);
  constructor(fault: UnreadableReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.fault = fault;
    this.limit = fault === "too_complex" || fault === "content_lost" ? message : null;
  }
}

/** One error in a tag: where (`Page 3, {{Sig;typ=signature}}`) and what, as a sentence. */
export type TagFaultDetail = { readonly code: "unknown_field" | "invalid_value" | "duplicate"; readonly message: string };

/** The document contains invalid tags. Reports all errors at once, so that they can be fixed in one go. */
export class TagFault extends Error {
  override readonly name = "TagFault";
  readonly fault = "bad_tags";
  readonly details: readonly TagFaultDetail[];

  constructor(details: readonly TagFaultDetail[]) {
    super(`${details.length} tag faults`);
    this.details = details;
  }
}

/** Which placement failed (`field` is the index of the query) and why; `matches` is how often the text was found. */
export type AnchorFaultDetail = {
  readonly field: number;
  readonly fault: "anchor_not_found" | "occurrence_out_of_range" | "area_outside_page" | "out_of_range";
  readonly matches?: number;
};

/** An anchor text was not found, or the resulting area is off the page. Reports all errors at once. */
export class AnchorFault extends Error {
  override readonly name = "AnchorFault";
  readonly fault = "bad_anchors";
  readonly details: readonly AnchorFaultDetail[];

  constructor(details: readonly AnchorFaultDetail[]) {
    super(`${details.length} anchor faults`);
    this.details = details;
  }
}

/** A value cannot be drawn legibly in its area. `field` is the name from the request. */
export class StampFault extends Error {
  override readonly name = "StampFault";
  readonly fault = "does_not_fit";
  readonly field: string;

  constructor(field: string) {
    super(`the value of ${field} does not fit its area`);
    this.field = field;
  }
}

/** What cannot be drawn: a form field with its full name, or an annotation with its subtype; `reason` is a clause such as "the text does not fit". */
export type NotDrawableDetail = {
  readonly kind: "field" | "annotation";
  /** Empty for a field without a name. */
  readonly name: string;
  readonly page: number;
  readonly reason: string;
};

/** Viewers show something that cannot be made part of the page, so the signed document would show something else. */
export class NotDrawable extends Error {
  override readonly name = "NotDrawable";
  readonly fault = "not_drawable";
  readonly details: readonly NotDrawableDetail[];

  constructor(details: readonly NotDrawableDetail[]) {
    super(`${details.length} parts cannot be drawn`);
    this.details = details;
  }
}

/**
 * The result file could not be written; the PDF is not at fault. The message is the system's error code, such as ENOSPC for a full disk.
 */
export class NotWritten extends Error {
  override readonly name = "NotWritten";
  readonly fault = "not_written";
}

/** The queue is full. The same call may succeed a few seconds later. */
export class PdfBusy extends Error {
  override readonly name = "PdfBusy";
  readonly fault = "busy";
}
