import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createMetrics } from "./registry.ts";
import { timed } from "./timed.ts";

const newMetrics = () => createMetrics({ version: "1.0.0", role: "serve", schema: "190" }, false);
const operations = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");

/** Rows of the table in docs/operations.md: name, type, labels. */
const documented = [...operations.matchAll(/^\| `(countersign_\w+)` \| (counter|gauge|histogram) \| ([^|]*) \|/gm)]
  .map(([, name = "", type = "", labels = ""]) => `${name} ${type} ${labels.trim() === "–" ? "" : labels.trim()}`.trim())
  .sort();

/** What the page declares, with the labels of a sample of each. */
async function declared(): Promise<string[]> {
  const metrics = newMetrics();
  metrics.http.answered({ method: "GET", route: "/x", status: 200, seconds: 1, refused: "invalid_key", limited: "key", deprecated: true });
  metrics.jobs.ended("log.checkpoint", "ok", 1);
  metrics.webhooks.attempted("2xx", 1);
  metrics.mail.attempted("sent");
  metrics.pipeline.ended("seal", 1);
  metrics.pdf.ended("finish", 1);
  metrics.storage.ended("read", 1);
  metrics.pages.counted("hit");
  metrics.traces.counted("sent", 1);
  metrics.storage.failed("read");
  metrics.watch(() => ({ isReady: true, disk: { free_bytes: 1, total_bytes: 2 }, pools: { app: { total: 1, idle: 1, waiting: 0 } } }));
  metrics.setGauges([
    ...["jobs_ready", "jobs_oldest_ready_seconds", "jobs_failed"].map((name) => ({ name, task: "log.checkpoint", value: 1 })),
    { name: "seal_certificate_expires_seconds", task: null, kind: "root", value: 1 },
  ]);
  const { text } = await metrics.text();
  return [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
    .map(([, name = "", type = ""]) => {
      const [, labels = ""] = new RegExp(`^${name}(?:_sum|_count)?\\{([^}]*)\\}`, "m").exec(text) ?? [];
      const names = [...labels.matchAll(/(\w+)="/g)].map(([, label = ""]) => label).filter((label) => label !== "le");
      return `${name} ${type} ${names.join(", ")}`.trim();
    })
    .sort();
}

test("the table in docs/operations.md lists exactly the declared metrics, with their types and labels", async () => {
  const found = await declared();
  expect(found.length).toBeGreaterThan(20);
  expect(found).toEqual(documented);
});

/** The design of operations, section 5. Others may be added; these are what dashboards and rules elsewhere rely on. */
const DESIGNED = `
build_info gauge version, role, schema
http_requests_total counter method, route, status
http_request_seconds histogram method, route
auth_refused_total counter kind
rate_limited_total counter kind
db_pool_connections gauge pool, state
db_tx_seconds histogram
db_tx_retries_total counter
fence_failures_total counter
jobs_total counter task, outcome
job_seconds histogram task, outcome
jobs_ready gauge task
jobs_oldest_ready_seconds gauge task
jobs_failed gauge task
outbox_rows gauge
outbox_oldest_seconds gauge
webhook_attempts_total counter outcome
webhook_attempt_seconds histogram outcome
webhook_due gauge
webhook_oldest_due_seconds gauge
mail_total counter outcome
mail_oldest_due_seconds gauge
pipeline_seconds histogram step
pdf_seconds histogram operation
pdf_queue gauge
storage_seconds histogram operation
storage_errors_total counter operation
page_cache_bytes gauge
page_cache_total counter outcome
vault_sweep_lag_seconds gauge
vault_tampered gauge
log_queue gauge
log_fault gauge
backup_age_seconds gauge
disk_free_bytes gauge`
  .trim()
  .split("\n");

test("every metric of the design is there, with its type and labels", async () => {
  const found = await declared();
  expect(DESIGNED.map((line) => `countersign_${line}`).filter((line) => !found.includes(line))).toEqual([]);
});

test("no label is an id, an address or a URL", async () => {
  const labels = new Set(
    (await declared()).flatMap((line) => line.split(" ").slice(2).join(" ").split(", ")).filter((name) => name !== ""),
  );
  expect([...labels].sort()).toEqual([
    "kind",
    "method",
    "operation",
    "outcome",
    "pool",
    "role",
    "route",
    "schema",
    "state",
    "status",
    "step",
    "task",
    "version",
  ]);
});

/** The files that operators load into Prometheus and Grafana. Other tools check their form (npm run check:deploy). */
const inDeploy = (name: string): string => readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), "utf8");
const read = ["prometheus/alerts.yml", "prometheus/alerts.test.yml", "grafana/countersign.json"] as const;

/** What these queries name that the service does not have. */
function unknownIn(text: string, metrics: readonly string[]): string[] {
  const labelsOf = new Map<string, string[]>();
  for (const line of metrics) {
    const [name = "", type, ...labels] = line.split(" ");
    const own = labels.map((label) => label.replace(",", ""));
    if (type !== "histogram") labelsOf.set(name, own);
    else for (const suffix of ["_bucket", "_sum", "_count"]) labelsOf.set(name + suffix, suffix === "_bucket" ? [...own, "le"] : own);
  }
  // Of the process that was asked, which Prometheus adds.
  const known = new Set([...[...labelsOf.values()].flat(), "instance", "alertname"]);
  const names = [...text.matchAll(/countersign_[a-z_]+/g)].map(([name]) => name);
  const chosen = [...text.matchAll(/(countersign_[a-z_]+)\{([^}]*)\}/g)].flatMap(([, name = "", labels = ""]) =>
    [...labels.matchAll(/(\w+)(?:=~|!=|=)/g)].map(([, label = ""]) => ({ name, label })),
  );
  const grouped = [...text.matchAll(/ by \(([^)]*)\)/g)].flatMap(([, labels = ""]) => labels.split(/, ?/));
  return [
    ...names.filter((name) => !labelsOf.has(name)),
    ...chosen
      .filter(({ name, label }) => label !== "instance" && labelsOf.get(name)?.includes(label) === false)
      .map(({ name, label }) => `${name}{${label}}`),
    ...grouped.filter((label) => !known.has(label)).map((label) => `by (${label})`),
  ];
}

test.each(read)("deploy/%s names metrics and labels of the service only", async (name) => {
  const metrics = await declared();
  const text = inDeploy(name);
  expect(text.match(/countersign_[a-z_]+/g)?.length).toBeGreaterThan(10);
  expect(unknownIn(text, metrics)).toEqual([]);
});

test("the check of these files can fail", async () => {
  const metrics = await declared();
  const wrong = 'sum by (tenant) (rate(countersign_job_seconds[5m])) + countersign_jobs_failed{org="x"} + countersign_jobs_lost';
  expect(unknownIn(wrong, metrics)).toEqual([
    "countersign_job_seconds",
    "countersign_jobs_lost",
    "countersign_jobs_failed{org}",
    "by (tenant)",
  ]);
});

test("docs/operations.md says what to look at for each alert, and the test of the rules makes each fire", () => {
  const alerts = [...inDeploy("prometheus/alerts.yml").matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name).sort();
  expect(alerts.length).toBeGreaterThan(10);
  const rows = operations
    .slice(operations.indexOf("### Alerts"))
    .split("\n")
    .filter((line) => line.startsWith("| `Countersign"));
  expect(rows.flatMap((row) => row.match(/Countersign\w+/g) ?? []).sort()).toEqual(alerts);
  const fired = [...inDeploy("prometheus/alerts.test.yml").matchAll(/alertname="(\w+)"/g)].map(([, name = ""]) => name);
  expect([...new Set(fired)].sort()).toEqual(alerts);
});

test("a method that a caller invented has no series of its own", async () => {
  const metrics = newMetrics();
  metrics.http.answered({ method: "EVIL", route: "none", status: 404, seconds: 0.1, refused: null, limited: null, deprecated: false });
  expect((await metrics.text()).text).toContain('countersign_http_requests_total{method="other",route="none",status="4xx"} 1');
});

test("gauges of the installation are gone once another worker counts them", async () => {
  const metrics = newMetrics();
  metrics.setGauges([
    { name: "jobs_failed", task: "mail.send", value: 2 },
    { name: "vault_tampered", task: null, value: 1 },
  ]);
  expect((await metrics.text()).text).toContain('countersign_jobs_failed{task="mail.send"} 2');
  metrics.setGauges(null);
  const { text } = await metrics.text();
  expect(text).not.toContain('countersign_jobs_failed{task="mail.send"}');
  expect(text).toContain("countersign_vault_tampered 0");
});

test("a certificate that is not there has no time until its end, and a process that is not ready says so", async () => {
  const metrics = newMetrics();
  metrics.setGauges([{ name: "seal_certificate_expires_seconds", task: null, kind: "root", value: -5 }]);
  metrics.watch(() => ({ isReady: false }));
  const { text } = await metrics.text();
  expect(text.match(/^countersign_(seal_certificate|ready).*$/gm)).toEqual([
    'countersign_ready{role="serve"} 0',
    'countersign_seal_certificate_expires_seconds{kind="root"} -5',
  ]);
});

test("work that fails is timed and counted, and its error is thrown", async () => {
  const seen: string[] = [];
  const store = {
    read: async (what: string) => {
      if (what === "missing") throw new Error("missing");
      return what;
    },
    stats: () => 3,
  };
  const observed = timed(
    store,
    ["stats"],
    (name, seconds) => seen.push(`${name} ${seconds >= 0}`),
    (name) => seen.push(`${name} failed`),
  );
  expect([await observed.read("there"), observed.stats()]).toEqual(["there", 3]);
  await expect(observed.read("missing")).rejects.toThrow("missing");
  expect(seen).toEqual(["read true", "read failed", "read true"]);
});
