// What crosses between the pool and its workers. A class does not survive the crossing, so a fault travels as plain data and is
// made into its class again on the pool's side.

import {
  AnchorFault,
  type AnchorFaultDetail,
  NotAPdf,
  NotWritten,
  StampFault,
  TagFault,
  type TagFaultDetail,
  UnreadablePdf,
  type UnreadableReason,
} from "../errors.ts";
import type { JobKind, Jobs } from "../jobs.ts";

/** Bytes, or a file that the thread reads itself when it comes to it: what waits then waits on disk. */
export type Source = Uint8Array | { readonly file: string; readonly size: number };

export const sizeOf = (source: Source): number => (source instanceof Uint8Array ? source.length : source.size);

export type Task = { [K in JobKind]: { readonly kind: K; readonly source: Source; readonly request: Jobs[K]["request"] } }[JobKind];

/** An error that nobody foresaw, for the log: it may quote the file. */
export type Cause = { readonly name: string; readonly message: string; readonly stack: string };

export type Fault =
  | { readonly fault: "not_a_pdf"; readonly message: string }
  | { readonly fault: UnreadableReason; readonly message: string; readonly cause: Cause | null }
  | { readonly fault: "bad_tags"; readonly details: readonly TagFaultDetail[] }
  | { readonly fault: "bad_anchors"; readonly details: readonly AnchorFaultDetail[] }
  | { readonly fault: "does_not_fit"; readonly field: string }
  | { readonly fault: "no_such_page"; readonly message: string }
  | { readonly fault: "no_file"; readonly cause: Cause }
  | { readonly fault: "not_written"; readonly message: string; readonly cause: Cause }
  | { readonly fault: "unexpected"; readonly cause: Cause };

/** began: deadlines count from here, not from the start of the thread, and by what `thread` works. opened: the file is parsed. */
export type Report =
  | { readonly is: "began"; readonly thread: number | null }
  | { readonly is: "opened" }
  | { readonly is: "answered"; readonly answer: unknown }
  | { readonly is: "refused"; readonly fault: Fault };

/** The error as data. What is none of ours is `unexpected`. */
export function faultOf(error: unknown): Fault {
  if (error instanceof NotAPdf) return { fault: error.fault, message: error.message };
  if (error instanceof UnreadablePdf) {
    return { fault: error.fault, message: error.message, cause: error.cause === undefined ? null : causeOf(error.cause) };
  }
  if (error instanceof TagFault || error instanceof AnchorFault) return { fault: error.fault, details: error.details } as Fault;
  if (error instanceof NotWritten) return { fault: error.fault, message: error.message, cause: causeOf(error.cause) };
  if (error instanceof StampFault) return { fault: error.fault, field: error.field };
  // The caller's mistake, not the file's: `renderPage` and `pageText` say it this way.
  if (error instanceof RangeError && /^no page \S+$/.test(error.message)) return { fault: "no_such_page", message: error.message };
  return { fault: "unexpected", cause: causeOf(error) };
}

/** The data as an error again: `throw errorOf(faultOf(error))` throws the like of `error`, or `unparseable` for an unexpected one. */
export function errorOf(fault: Fault): Error {
  switch (fault.fault) {
    case "not_a_pdf":
      return new NotAPdf(fault.message);
    case "bad_tags":
      return new TagFault(fault.details);
    case "bad_anchors":
      return new AnchorFault(fault.details);
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

/** A file over which a worker failed in a way that we did not foresee: a hostile file must not become an error of ours. */
export function unexpected(cause: unknown): UnreadablePdf {
  return new UnreadablePdf("unparseable", "a worker failed over it", { cause });
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
