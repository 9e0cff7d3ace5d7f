// The messages between the pool and its workers. Class instances do not survive the transfer, so an error is sent as plain data and
// converted back to its class in the pool.

import {
  AnchorFault,
  type AnchorFaultDetail,
  NotAPdf,
  NotDrawable,
  type NotDrawableDetail,
  NotWritten,
  StampFault,
  TagFault,
  type TagFaultDetail,
  UnreadablePdf,
  type UnreadableReason,
} from "../errors.ts";
import type { JobKind, Jobs } from "../jobs.ts";

/** Bytes, or a file that the thread reads when the job starts, so that waiting jobs use no memory. */
export type Source = Uint8Array | { readonly file: string; readonly size: number };

export const sizeOf = (source: Source): number => (source instanceof Uint8Array ? source.length : source.size);

export type Task = { [K in JobKind]: { readonly kind: K; readonly source: Source; readonly request: Jobs[K]["request"] } }[JobKind];

/** An unexpected error, for the log: it may quote the file. */
export type Cause = { readonly name: string; readonly message: string; readonly stack: string };

export type Fault =
  | { readonly fault: "not_a_pdf"; readonly message: string }
  | { readonly fault: UnreadableReason; readonly message: string; readonly cause: Cause | null }
  | { readonly fault: "bad_tags"; readonly details: readonly TagFaultDetail[] }
  | { readonly fault: "bad_anchors"; readonly details: readonly AnchorFaultDetail[] }
  | { readonly fault: "not_drawable"; readonly details: readonly NotDrawableDetail[] }
  | { readonly fault: "does_not_fit"; readonly field: string }
  | { readonly fault: "no_such_page"; readonly message: string }
  | { readonly fault: "no_file"; readonly cause: Cause }
  | { readonly fault: "not_written"; readonly message: string; readonly cause: Cause }
  | { readonly fault: "unexpected"; readonly cause: Cause };

/** began: deadlines count from here, not from the start of the thread, and measure `thread`. opened: the file is parsed. */
export type Report =
  | { readonly is: "began"; readonly thread: number | null }
  | { readonly is: "opened" }
  | { readonly is: "answered"; readonly answer: unknown }
  | { readonly is: "refused"; readonly fault: Fault };

/** Converts an error to data. Unknown errors become `unexpected`. */
export function faultOf(error: unknown): Fault {
  if (error instanceof NotAPdf) return { fault: error.fault, message: error.message };
  if (error instanceof UnreadablePdf) {
    return { fault: error.fault, message: error.message, cause: error.cause === undefined ? null : causeOf(error.cause) };
  }
  if (error instanceof NotDrawable) return { fault: error.fault, details: error.details };
  if (error instanceof TagFault || error instanceof AnchorFault) return { fault: error.fault, details: error.details } as Fault;
  if (error instanceof NotWritten) return { fault: error.fault, message: error.message, cause: causeOf(error.cause) };
  if (error instanceof StampFault) return { fault: error.fault, field: error.field };
  // The caller's mistake, not the file's; `renderPage` and `pageText` throw this.
  if (error instanceof RangeError && /^no page \S+$/.test(error.message)) return { fault: "no_such_page", message: error.message };
  return { fault: "unexpected", cause: causeOf(error) };
}

/**
 * Converts the data back to an error: `throw errorOf(faultOf(error))` throws an equivalent of `error`, or `unparseable` if it is
 * unexpected.
 */
export function errorOf(fault: Fault): Error {
  switch (fault.fault) {
    case "not_a_pdf":
      return new NotAPdf(fault.message);
    case "bad_tags":
      return new TagFault(fault.details);
    case "bad_anchors":
      return new AnchorFault(fault.details);
    case "not_drawable":
      return new NotDrawable(fault.details);
    case "does_not_fit":
      return new StampFault(fault.field);
    case "no_such_page":
      return new RangeError(fault.message);
    case "no_file":
      return new Error("the file to work on could not be read", { cause: errorFrom(fault.cause) });
    case "not_written":
      return new NotWritten(fault.message, optionsOf(fault.cause));
    case "unexpected":
      return unexpected(errorFrom(fault.cause));
    case "too_complex":
      return new UnreadablePdf("too_complex", fault.message, optionsOf(fault.cause));
    default:
      return new UnreadablePdf(fault.fault, fault.message, optionsOf(fault.cause));
  }
}

/** The error for a file on which a worker failed unexpectedly: a hostile file must not count as an internal error. */
export function unexpected(cause: unknown): UnreadablePdf {
  return new UnreadablePdf("unparseable", "a worker failed on the file", { cause });
}

function optionsOf(cause: Cause | null): ErrorOptions {
  return cause === null ? {} : { cause: errorFrom(cause) };
}

export function causeOf(error: unknown): Cause {
  if (!(error instanceof Error)) return { name: "Error", message: String(error), stack: "" };
  return { name: error.name, message: error.message, stack: error.stack ?? "" };
}

function errorFrom({ name, message, stack }: Cause): Error {
  const error = new Error(message);
  error.name = name;
  error.stack = stack;
  return error;
}
