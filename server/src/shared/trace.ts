import { AsyncLocalStorage } from "node:async_hooks";
import { randomBytes } from "node:crypto";
import { type Attributes, type CollectorSettings, type EndedSpan, type SpanKind, startSending } from "./otlp.ts";

/**
 * Traces, and what the current work belongs to. A span is one piece of work and its time. Names and attributes are ours: they contain no
 * parameters, no text of statements and no ids of people. Only some requests and jobs are recorded; in all other work, and while traces are
 * off, a span costs one look at the current work, and nothing is allocated.
 */

/** A request or a job. */
export interface Work {
  /** of the request that it began with; null for recurring jobs */
  readonly request_id: string | null;
  /** null: traces are off */
  readonly span: Span | null;
}

const current = new AsyncLocalStorage<Work>();

/** Everything that `run` calls, now and later, belongs to this work. */
export const inWork = <T>(work: Work, run: () => T): T => current.run(work, run);

/** What a job keeps of the work that queues it. */
export interface Belonging {
  readonly traceparent: string | null;
  readonly request_id: string | null;
}

const NOTHING: Belonging = { traceparent: null, request_id: null };

export function belonging(): Belonging {
  const work = current.getStore();
  return work === undefined ? NOTHING : { traceparent: work.span?.traceparent ?? null, request_id: work.request_id };
}

/** A piece of work that has begun. */
export interface Span {
  readonly isRecorded: boolean;
  /** in the form of W3C Trace Context, for work that follows from this */
  readonly traceparent: string;
  /** one below it */
  begin(name: string, kind: SpanKind): Span;
  fail(): void;
  /** `name`: if it was not known at the beginning */
  end(attributes?: Attributes, name?: string): void;
}

/** A span below the current one; null if that is not recorded. `what` is part of its name. */
export function beginSpan(name: string, what: string | null = null, kind: SpanKind = "client"): Span | null {
  const span = current.getStore()?.span;
  if (span === undefined || span === null || !span.isRecorded) return null;
  return span.begin(what === null ? name : `${name} ${what}`, kind);
}

/** Runs in a span below the current one, and spans inside `run` are below it. If the current one is not recorded, it just runs. */
export function inSpan<T>(name: string, run: () => Promise<T>): Promise<T> {
  const span = beginSpan(name, null, "internal");
  return span === null ? run() : runInSpan(span, run);
}

async function runInSpan<T>(span: Span, run: () => Promise<T>): Promise<T> {
  try {
    return await inWork({ request_id: belonging().request_id, span }, run);
  } catch (error) {
    span.fail();
    throw error;
  } finally {
    span.end();
  }
}

export interface Tracer {
  /** `traceparent`: as the caller sent it. Its trace is continued. Whether it is recorded is not for the caller to say, because we pay for it. */
  beginRequest(traceparent: unknown): Span;
  /** `traceparent`: of the work that queued it, and that was recorded or not. Null for recurring jobs. */
  beginJob(name: string, traceparent: string | null): Span;
  /** Work that has ended, began this long ago, and belongs to nothing else. */
  addEnded(name: string, seconds: number, attributes: Attributes): void;
  stop(): Promise<void>;
}

/** `ratio`: the part of requests that is recorded, from 0 to 1. */
export function createTracer(settings: CollectorSettings & { readonly ratio: number }): Tracer {
  const sender = startSending(settings);
  const begin = (name: string, kind: SpanKind, parent: Parent | null, isRecorded: boolean, seconds_ago = 0): Span =>
    startSpan({
      trace_id: parent?.trace_id ?? randomBytes(16).toString("hex"),
      parent_id: parent?.span_id ?? null,
      // One clock for all spans below this one, so that none of them begins before it.
      epoch_ms: Date.now() - performance.now(),
      record: isRecorded ? sender.add : null,
      name,
      kind,
      began_ms: performance.now() - seconds_ago * 1000,
    });
  const isChosen = (): boolean => Math.random() < settings.ratio;
  return {
    beginRequest: (traceparent) => begin("request", "server", readTraceparent(traceparent), isChosen()),
    beginJob(name, traceparent) {
      const parent = readTraceparent(traceparent);
      return begin(`job ${name}`, "consumer", parent, parent?.isRecorded ?? isChosen());
    },
    addEnded(name, seconds, attributes) {
      if (isChosen()) begin(name, "client", null, true, seconds).end(attributes);
    },
    stop: sender.stop,
  };
}

interface Parent {
  readonly trace_id: string;
  readonly span_id: string;
  readonly isRecorded: boolean;
}

/** Null for anything that is not version 00 of W3C Trace Context. An id of zeros is none. */
export function readTraceparent(text: unknown): Parent | null {
  const [, trace_id = "", span_id = "", flags = ""] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(typeof text === "string" ? text : "") ?? [];
  if (!/[1-9a-f]/.test(trace_id) || !/[1-9a-f]/.test(span_id)) return null;
  return { trace_id, span_id, isRecorded: (Number.parseInt(flags, 16) & 1) === 1 };
}

interface Begun {
  readonly trace_id: string;
  readonly parent_id: string | null;
  readonly epoch_ms: number;
  /** null: it is not recorded */
  readonly record: ((span: EndedSpan) => void) | null;
  readonly name: string;
  readonly kind: SpanKind;
  readonly began_ms: number;
}

const NO_ATTRIBUTES: Attributes = {};

function startSpan({ trace_id, parent_id, epoch_ms, record, name, kind, began_ms }: Begun): Span {
  const span_id = randomBytes(8).toString("hex");
  let failed = false;
  return {
    isRecorded: record !== null,
    traceparent: `00-${trace_id}-${span_id}-${record === null ? "00" : "01"}`,
    begin: (of, as) => startSpan({ trace_id, parent_id: span_id, epoch_ms, record, name: of, kind: as, began_ms: performance.now() }),
    fail() {
      failed = true;
    },
    end(attributes = NO_ATTRIBUTES, known = name) {
      const times = { began_ms: epoch_ms + began_ms, ended_ms: epoch_ms + performance.now() };
      record?.({ trace_id, span_id, parent_id, name: known, kind, failed, attributes, ...times });
    },
  };
}
