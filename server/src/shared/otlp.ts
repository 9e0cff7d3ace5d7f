/** Sends spans to an OpenTelemetry collector: OTLP over HTTP, as JSON, in batches. Whatever the collector does, it costs nothing but the spans. */

export type Attributes = Readonly<Record<string, string | number>>;

/** OTLP, `Span.SpanKind`. */
const KINDS = { internal: 1, server: 2, client: 3, consumer: 5 } as const;
export type SpanKind = keyof typeof KINDS;

/** A piece of work that has ended. */
export interface EndedSpan {
  readonly trace_id: string;
  readonly span_id: string;
  /** null: the first of its trace here */
  readonly parent_id: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  /** since 1970 */
  readonly began_ms: number;
  readonly ended_ms: number;
  readonly failed: boolean;
  readonly attributes: Attributes;
}

export interface CollectorSettings {
  /** spans go to `v1/traces` below it */
  readonly endpoint: string;
  /** what all spans say about this process */
  readonly about: Attributes;
  /** for metrics. sent: the collector took them; failed: it did not; dropped: too many waited */
  readonly onSpans?: (outcome: "sent" | "failed" | "dropped", count: number) => void;
  /** at most once a minute */
  readonly onFailure?: (error: unknown) => void;
  /** shorter in tests */
  readonly limits?: Partial<Limits>;
}

interface Limits {
  /** spans that wait, with those that are being sent */
  readonly waiting: number;
  readonly batch: number;
  readonly every_ms: number;
  /** for one request to the collector */
  readonly request_ms: number;
  /** for all requests of a stop */
  readonly stop_ms: number;
}

// 2,048 spans are about a hundred recorded requests. More would only wait longer for a collector that is away.
const LIMITS: Limits = { waiting: 2_048, batch: 512, every_ms: 1_000, request_ms: 5_000, stop_ms: 2_000 };
const SAID_EVERY_MS = 60_000;

export interface Sender {
  add(span: EndedSpan): void;
  /** Sends what waits as long as a stop may take. What is added later is lost. */
  stop(): Promise<void>;
}

/** One batch after another, so that a collector that hangs holds one connection. A batch that it does not take is lost. */
export function startSending({ endpoint, about, onSpans, onFailure, limits: given }: CollectorSettings): Sender {
  const limits = { ...LIMITS, ...given };
  const url = `${endpoint.replace(/\/$/, "")}/v1/traces`;
  const resource = encodeAttributes(about);
  const waiting: EndedSpan[] = [];
  const stopped = new AbortController();
  let [sending, said_at] = [0, Number.NEGATIVE_INFINITY];
  let isStopping = false;
  let running: Promise<void> | null = null;

  function lost(count: number, error: unknown): void {
    onSpans?.("failed", count);
    if (performance.now() - said_at < SAID_EVERY_MS) return;
    said_at = performance.now();
    onFailure?.(error);
  }

  async function sendAll(): Promise<void> {
    while (waiting.length > 0 && !stopped.signal.aborted) {
      const batch = waiting.splice(0, limits.batch);
      sending = batch.length;
      try {
        await post(url, encode(resource, batch), limits.request_ms, stopped.signal);
      } catch (error) {
        lost(batch.length, error);
        return;
      } finally {
        sending = 0;
      }
      onSpans?.("sent", batch.length);
    }
  }

  const turn = (): Promise<void> => {
    running ??= sendAll().finally(() => {
      running = null;
    });
    return running;
  };
  const timer = setInterval(() => void turn(), limits.every_ms).unref();

  return {
    add(span) {
      if (!isStopping && waiting.length + sending < limits.waiting) waiting.push(span);
      else onSpans?.("dropped", 1);
    },
    async stop() {
      isStopping = true;
      clearInterval(timer);
      const limit = setTimeout(() => stopped.abort(new Error("the process stops")), limits.stop_ms);
      await running;
      await turn();
      clearTimeout(limit);
      if (waiting.length > 0) onSpans?.("failed", waiting.splice(0).length);
    },
  };
}

// The answer of a collector to a batch is a few bytes. Reading them keeps the connection; a longer one is not worth that.
const READ_BYTES = 4_096;

/** Throws unless the collector took them. */
async function post(url: string, body: string, within_ms: number, signal: AbortSignal): Promise<void> {
  const abort = new AbortController();
  const stop = (): void => abort.abort(signal.reason);
  const timer = setTimeout(() => abort.abort(new Error(`the collector did not answer within ${within_ms} ms`)), within_ms);
  signal.addEventListener("abort", stop);
  try {
    const headers = { "content-type": "application/json", "accept-encoding": "identity" };
    const answer = await fetch(url, { method: "POST", redirect: "error", headers, body, signal: abort.signal });
    if (answer.body !== null) await readBeginning(answer.body);
    if (!answer.ok) throw new Error(`the collector answered ${answer.status}`);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** Leaving the loop closes the connection. */
async function readBeginning(body: AsyncIterable<Uint8Array>): Promise<void> {
  let read = 0;
  for await (const piece of body) {
    read += piece.byteLength;
    if (read > READ_BYTES) return;
  }
}

/** `ExportTraceServiceRequest` as JSON: ids are hexadecimal, times are nanoseconds as text. */
function encode(resource: readonly object[], spans: readonly EndedSpan[]): string {
  const scopeSpans = [{ scope: { name: "countersign" }, spans: spans.map(encodeSpan) }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes: resource }, scopeSpans }] });
}

const STATUS_ERROR = 2;

const encodeSpan = ({ trace_id, span_id, parent_id, name, kind, began_ms, ended_ms, failed, attributes }: EndedSpan): object => ({
  traceId: trace_id,
  spanId: span_id,
  ...(parent_id !== null && { parentSpanId: parent_id }),
  name,
  kind: KINDS[kind],
  startTimeUnixNano: nanoseconds(began_ms),
  endTimeUnixNano: nanoseconds(ended_ms),
  attributes: encodeAttributes(attributes),
  status: failed ? { code: STATUS_ERROR } : {},
});

/** Exact to a microsecond: more does not fit into a number. */
const nanoseconds = (since_1970_ms: number): string => String(BigInt(Math.round(since_1970_ms * 1000)) * 1000n);

const encodeAttributes = (attributes: Attributes): object[] =>
  Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
  }));
