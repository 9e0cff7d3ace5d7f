import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Of one process. */
export interface Metrics {
  readonly http: { answered(sample: HttpSample): void };
  readonly db: {
    ended(seconds: number): void;
    repeated(): void;
    fenceFailed(): void;
  };
  readonly jobs: { ended(task: string, outcome: "ok" | "error" | "failed", seconds: number): void };
  readonly webhooks: { attempted(outcome: string, seconds: number): void };
  readonly mail: { attempted(outcome: string): void };
  readonly pipeline: { ended(step: string, seconds: number): void };
  readonly pdf: { ended(operation: string, seconds: number): void };
  readonly pages: { counted(outcome: "hit" | "shared" | "miss" | "write_failed"): void };
  readonly storage: { ended(operation: string, seconds: number): void; failed(operation: string): void };
  readonly traces: { counted(outcome: "sent" | "failed" | "dropped", spans: number): void };
  /** Values that are read when the page is asked for. */
  watch(source: () => Watched | Promise<Watched>): void;
  /** The gauges of the installation; null when another worker counts them. */
  setGauges(values: readonly InstallationGauge[] | null): void;
  text(): Promise<{ readonly type: string; readonly text: string }>;
  /** The names of the declared metrics, without those of Node. */
  readonly names: readonly string[];
}

export interface HttpSample {
  readonly method: string;
  /** the pattern of the path, never the path itself */
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
  /** the problem that refused a credential or a rate, if one did */
  readonly refused: string | null;
  readonly limited: string | null;
  readonly deprecated: boolean;
}

export interface Watched {
  readonly pools?: Readonly<Record<string, { readonly total: number; readonly idle: number; readonly waiting: number }>>;
  readonly pdfWaiting?: number;
  readonly disk?: { readonly free_bytes: number; readonly total_bytes: number };
  readonly pageCacheBytes?: number;
  /** whether the process takes requests or runs jobs; also if it is degraded */
  readonly isReady?: boolean;
}

export interface InstallationGauge {
  readonly name: string;
  /** the task, for gauges that have one for each */
  readonly task: string | null;
  /** the same for gauges of several kinds */
  readonly kind?: string;
  readonly value: number;
}

const HTTP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const WORK_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
const SHORT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1, 5];

const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** `nodeMetrics`: also those of Node, which a test does not need. */
export function createMetrics(about: { version: string; role: string; schema: string }, nodeMetrics = true): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Counter({ name: `countersign_${name}`, help, labelNames: [...labelNames], registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `countersign_${name}`, help, labelNames: [...labelNames], registers });
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: number[]) =>
    new Histogram({ name: `countersign_${name}`, help, labelNames: [...labelNames], buckets, registers });

  gauge("build_info", "The running program. Always 1.", ["version", "role", "schema"]).set(about, 1);
  const ready = gauge("ready", "Whether /readyz answers 200.", ["role"]);
  const requests = counter("http_requests_total", "Responses, by the pattern of the path.", ["method", "route", "status"]);
  const requestSeconds = histogram("http_request_seconds", "Duration of requests.", ["method", "route"], HTTP_SECONDS);
  const refused = counter("auth_refused_total", "Requests whose credential was refused, by the kind of refusal.", ["kind"]);
  const limited = counter("rate_limited_total", "Requests over a rate limit, by the kind of caller.", ["kind"]);
  const deprecatedCalls = counter("deprecated_calls_total", "Requests to deprecated operations.", ["method", "route"]);
  const connections = gauge("db_pool_connections", "Connections to the database; waiting: requests for one.", ["pool", "state"]);
  const txSeconds = histogram("db_tx_seconds", "Duration of transactions, with what they waited for a connection.", [], SHORT_SECONDS);
  const txRetries = counter("db_tx_retries_total", "Transactions that ran again after a deadlock.", []);
  const fence = counter("fence_failures_total", "Row-level security did not apply to the login.", []);
  const jobs = counter("jobs_total", "Runs of jobs. error: is retried; failed: is not.", ["task", "outcome"]);
  const jobSeconds = histogram("job_seconds", "Duration of jobs.", ["task", "outcome"], WORK_SECONDS);
  const attempts = counter("webhook_attempts_total", "Requests to webhook endpoints.", ["outcome"]);
  const attemptSeconds = histogram("webhook_attempt_seconds", "Duration of requests to webhook endpoints.", ["outcome"], WORK_SECONDS);
  const mail = counter("mail_total", "Attempts to hand a message to the mail server.", ["outcome"]);
  const pipelineSeconds = histogram(
    "pipeline_seconds",
    "Duration of the steps after the last signature, of those that succeeded.",
    ["step"],
    WORK_SECONDS,
  );
  const pdfSeconds = histogram("pdf_seconds", "Duration of work on PDFs, including the wait for a thread.", ["operation"], WORK_SECONDS);
  const pdfQueue = gauge("pdf_queue", "Work on PDFs that no thread has begun.", []);
  const storageSeconds = histogram("storage_seconds", "Duration of requests to the blob store.", ["operation"], WORK_SECONDS);
  const storageErrors = counter("storage_errors_total", "Requests to the blob store that failed.", ["operation"]);
  const spans = counter("trace_spans_total", "Spans that the collector took, did not take, or that were too many to wait for it.", [
    "outcome",
  ]);
  const pageCache = counter("page_cache_total", "Pictures of pages that were looked for in the cache of this machine.", ["outcome"]);
  const pageCacheSize = gauge("page_cache_bytes", "Size of the cache of pictures of pages, every ten minutes.", []);
  const diskFree = gauge("disk_free_bytes", "Free space of the disk of DATA_DIR.", []);
  const diskSize = gauge("disk_bytes", "Size of the disk of DATA_DIR.", []);
  const byTask = {
    jobs_ready: gauge("jobs_ready", "Jobs that could run now.", ["task"]),
    jobs_oldest_ready_seconds: gauge("jobs_oldest_ready_seconds", "How long the oldest of them could have run.", ["task"]),
    jobs_failed: gauge("jobs_failed", "Jobs that are not retried any more.", ["task"]),
  };
  const byKind = {
    seal_certificate_expires_seconds: gauge("seal_certificate_expires_seconds", "Time until a certificate for seals ends.", ["kind"]),
  };
  const plain = {
    outbox_rows: gauge("outbox_rows", "Committed jobs that are not in the queue yet.", []),
    outbox_oldest_seconds: gauge("outbox_oldest_seconds", "Age of the oldest of them.", []),
    webhook_due: gauge("webhook_due", "Deliveries whose next attempt is due.", []),
    webhook_oldest_due_seconds: gauge("webhook_oldest_due_seconds", "How long the oldest of them has been due.", []),
    mail_oldest_due_seconds: gauge("mail_oldest_due_seconds", "How long the oldest message has been due.", []),
    vault_sweep_lag_seconds: gauge("vault_sweep_lag_seconds", "Time since the document was verified that waits longest.", []),
    vault_tampered: gauge("vault_tampered", "Vaulted documents that differ from their records.", []),
    log_queue: gauge("log_queue", "Audit entries that are not in the log yet.", []),
    log_fault: gauge("log_fault", "1 while rows of the log differ from its checkpoints.", []),
    backup_age_seconds: gauge("backup_age_seconds", "Time since the latest backup, or since the database was made.", []),
  };
  const declared = registry.getMetricsAsArray().map(({ name }) => name);
  if (nodeMetrics) collectDefaultMetrics({ register: registry });

  const sources: (() => Watched | Promise<Watched>)[] = [];
  async function readSources(): Promise<void> {
    for (const source of sources) {
      const { pools = {}, pdfWaiting, disk, pageCacheBytes, isReady } = await source();
      for (const [pool, { total, idle, waiting }] of Object.entries(pools)) {
        connections.set({ pool, state: "idle" }, idle);
        connections.set({ pool, state: "used" }, total - idle);
        connections.set({ pool, state: "waiting" }, waiting);
      }
      if (pdfWaiting !== undefined) pdfQueue.set(pdfWaiting);
      if (disk !== undefined) {
        diskFree.set(disk.free_bytes);
        diskSize.set(disk.total_bytes);
      }
      if (pageCacheBytes !== undefined) pageCacheSize.set(pageCacheBytes);
      if (isReady !== undefined) ready.set({ role: about.role }, isReady ? 1 : 0);
    }
  }

  function setGauges(values: readonly InstallationGauge[] | null): void {
    for (const one of [...Object.values(byTask), ...Object.values(byKind), ...Object.values(plain)]) one.reset();
    // An unlabelled gauge without a value would count as 0.
    if (values === null) return;
    for (const { name, task, kind, value } of values) {
      if (kind !== undefined) (byKind as Record<string, Gauge>)[name]?.set({ kind }, value);
      else if (task === null) (plain as Record<string, Gauge>)[name]?.set(value);
      else (byTask as Record<string, Gauge>)[name]?.set({ task }, value);
    }
  }

  return {
    http: {
      answered({ method: given, route, status, seconds, refused: refusal, limited: limit, deprecated }) {
        // A method is the caller's own text.
        const method = METHODS.has(given) ? given : "other";
        requests.inc({ method, route, status: `${Math.floor(status / 100)}xx` });
        requestSeconds.observe({ method, route }, seconds);
        if (refusal !== null) refused.inc({ kind: refusal });
        if (limit !== null) limited.inc({ kind: limit });
        if (deprecated) deprecatedCalls.inc({ method, route });
      },
    },
    db: { ended: (seconds) => txSeconds.observe(seconds), repeated: () => txRetries.inc(), fenceFailed: () => fence.inc() },
    jobs: {
      ended(task, outcome, seconds) {
        jobs.inc({ task, outcome });
        jobSeconds.observe({ task, outcome }, seconds);
      },
    },
    webhooks: {
      attempted(outcome, seconds) {
        attempts.inc({ outcome });
        attemptSeconds.observe({ outcome }, seconds);
      },
    },
    mail: { attempted: (outcome) => mail.inc({ outcome }) },
    pipeline: { ended: (step, seconds) => pipelineSeconds.observe({ step }, seconds) },
    pdf: { ended: (operation, seconds) => pdfSeconds.observe({ operation }, seconds) },
    pages: { counted: (outcome) => pageCache.inc({ outcome }) },
    traces: { counted: (outcome, count) => spans.inc({ outcome }, count) },
    storage: {
      ended: (operation, seconds) => storageSeconds.observe({ operation }, seconds),
      failed: (operation) => storageErrors.inc({ operation }),
    },
    watch: (source) => {
      sources.push(source);
    },
    setGauges,
    async text() {
      await readSources();
      return { type: registry.contentType, text: await registry.metrics() };
    },
    names: declared,
  };
}
