import { setTimeout as delay } from "node:timers/promises";
import { call } from "./ceremony.mjs";
import { contract } from "./documents.mjs";
import { atLeast, atMost, median } from "./figure.mjs";
import { answersAt, fillDatabase, freePort, scratchFolder, startDatabase, startService } from "./harness.mjs";
import { PATH } from "./list-envelopes.mjs";
import { startLoader } from "./load.mjs";
import { cpuSecondsOf, databaseCpuSeconds } from "./process-use.mjs";
import { uploadTemplate } from "./upload.mjs";

const ROWS = 10_000;
const BAD = 40;
const ENVELOPES = 500;
const READY_WITHIN_SECONDS = 180;
const CHECKED_WITHIN_MS = 120_000;
const POLL_MS = 100;
const ROUNDS = 3;
const SLICE_SECONDS = 8;
// As for ABUSE: people at work, not a load that fills the cores.
const CONNECTIONS = 2;
const PAUSE_MS = 20;
const GOALS = { check_seconds: 10, rows_per_second: 20, ratio: 2 };

const place = (/** @type {number} */ n) => ({ mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.05 * (n + 1), w: 0.3, h: 0.03 }] });
const FIELDS = [
  ...Array.from({ length: 9 }, (_, n) => ({ name: `Field ${n + 1}`, type: "text", role: "Tenant", placement: place(n) })),
  { name: "Signature", type: "signature", role: "Tenant", placement: place(10) },
];

/**
 * BULK: a file of 10,000 rows for a template with ten fields, 40 rows of it with mistakes. The check, from the response to the upload until
 * the API reports it. Then it is sent without a limit of its pace: rows in a second, and the p95 of the list of envelopes of the same
 * organization compared with just before. Service and worker are two processes.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureBulk({ end, seconds }) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const scopes = ["envelopes:read", "envelopes:write"];
  const { keys } = await fillDatabase(database, { envelopes: ENVELOPES, keys: CONNECTIONS + 1, scopes });
  const env = { ...database.env, BULK_ROWS_PER_MINUTE: "1000000" };
  const service = startService("serve", { folder, port: await freePort(), env });
  end.later(() => service.stop());
  const worker = startService("worker", { folder, port: await freePort(), env });
  end.later(() => worker.stop());
  await answersAt(service, "/readyz", READY_WITHIN_SECONDS);
  const key = keys[CONNECTIONS] ?? "";
  const made = await uploadTemplate({ url: service.url, key, file: contract(4, "simple"), fields: FIELDS });
  const ask = openAsk(service.url, key);

  const began = performance.now();
  const batch_id = await upload(service.url, key, JSON.parse(made.text).data.template_id);
  const uploaded = performance.now();
  const { ready, invalid } = await until(ask, batch_id, ({ state }) => state === "checked");
  const checked = (performance.now() - uploaded) / 1000;
  if (ready !== ROWS - BAD || invalid !== BAD) throw new Error(`${ready} rows are ready and ${invalid} are not`);

  const loader = startLoader();
  end.later(() => loader.stop());
  const slice = seconds ?? SLICE_SECONDS;
  const look = async () => {
    const port = Number(new URL(service.url).port);
    const load = { port, path: PATH, keys: keys.slice(0, CONNECTIONS), connections: CONNECTIONS, seconds: slice, pause_ms: PAUSE_MS };
    const { latencies_ms, refused } = await loader.run(load);
    if (Object.keys(refused).length > 0) throw new Error(`lists were refused: ${JSON.stringify(refused)}`);
    const sorted = [...latencies_ms].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  };
  const used = () => [cpuSecondsOf(worker.pid), databaseCpuSeconds(database.pid)];
  /** @type {{ quiet_ms: number, busy_ms: number, ratio: number, rows_per_second: number, cpu_ms: number[] }[]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const quiet_ms = await look();
    await ask("POST", `/${batch_id}/start`, { accept_invalid: true });
    await until(ask, batch_id, ({ sent }) => sent > 0);
    const [from, cpu, at] = [(await ask("GET", `/${batch_id}`)).sent, used(), performance.now()];
    const busy_ms = await look();
    const sent = (await ask("GET", `/${batch_id}`)).sent - from;
    const [lasted, after] = [(performance.now() - at) / 1000, used()];
    const cpu_ms = after.map((value, n) => ((value - (cpu[n] ?? 0)) * 1000) / Math.max(1, sent));
    rounds.push({ quiet_ms, busy_ms, ratio: busy_ms / quiet_ms, rows_per_second: sent / lasted, cpu_ms });
    await ask("POST", `/${batch_id}/cancel`);
    await until(ask, batch_id, ({ state, ended_at }) => state === "cancelled" && ended_at !== null);
    await ask("POST", `/${batch_id}/retry`);
    await until(ask, batch_id, ({ state }) => state === "checked");
    await idle(database);
  }
  const rate = median(rounds.map(({ rows_per_second }) => rows_per_second));
  const ratio = median(rounds.map((round) => round.ratio));
  const [quiet, busy] = [median(rounds.map(({ quiet_ms }) => quiet_ms)), median(rounds.map(({ busy_ms }) => busy_ms))];
  const cpu = [0, 1].map((n) => median(rounds.map(({ cpu_ms }) => cpu_ms[n] ?? 0)).toFixed(0));
  return [
    {
      id: "BULK",
      name: `check of ${ROWS.toLocaleString("en")} rows`,
      measured: `${checked.toFixed(1)} s (upload ${((uploaded - began) / 1000).toFixed(1)} s)`,
      goal: `<= ${GOALS.check_seconds} s`,
      verdict: atMost(checked, GOALS.check_seconds),
    },
    {
      id: "BULK",
      name: "rows sent in a second, without a limit",
      measured: rate.toFixed(1),
      goal: `>= ${GOALS.rows_per_second}`,
      verdict: atLeast(rate, GOALS.rows_per_second),
      values: { rounds },
    },
    {
      id: "BULK",
      name: "p95 of the list meanwhile",
      measured: `${ratio.toFixed(2)} × (${quiet.toFixed(1)} → ${busy.toFixed(1)} ms)`,
      goal: `< ${GOALS.ratio} ×`,
      verdict: atMost(ratio, GOALS.ratio),
    },
    {
      id: "BULK",
      name: "  CPU per row of worker + PostgreSQL, with mail, pages and events",
      measured: `${cpu.join(" + ")} ms`,
      goal: "",
      verdict: "info",
    },
  ];
}

/** @param {string} url @param {string} key */
const openAsk =
  (url, key) =>
  /** @param {string} method @param {string} path @param {object} [body] */
  async (method, path, body) => {
    const { status, json, bytes } = await call(url, method, `/partner/bulk-batches${path}`, { "x-api-key": key }, body);
    if (status !== 200) throw new Error(`${method} ${path} returned ${status}: ${bytes}`);
    return json.data;
  };

/** @param {string} url @param {string} key @param {string} template_id @returns {Promise<string>} */
async function upload(url, key, template_id) {
  const header = ["Tenant.name", "Tenant.email", ...Array.from({ length: 9 }, (_, n) => `field.field_${n + 1}`), "external_id"];
  const rows = Array.from({ length: ROWS }, (_, n) => [
    `Tenant number ${n}`,
    n % (ROWS / BAD) === 0 ? "no address" : `tenant${n}@example.com`,
    ...Array.from({ length: 9 }, (_, field) => `value ${field} of ${n}`),
    `lease-${n}`,
  ]);
  const form = new FormData();
  form.append("template_id", template_id);
  form.append("file", new Blob([[header, ...rows].map((cells) => cells.join(",")).join("\r\n")], { type: "text/csv" }), "rows.csv");
  const answer = await fetch(`${url}/api/v2/partner/bulk-batches`, { method: "POST", headers: { "x-api-key": key }, body: form });
  const text = await answer.text();
  if (answer.status !== 201) throw new Error(`the upload returned ${answer.status}: ${text}`);
  return JSON.parse(text).data.batch_id;
}

/** @param {ReturnType<typeof openAsk>} ask @param {string} batch_id @param {(batch: any) => boolean} holds */
async function until(ask, batch_id, holds) {
  const deadline = performance.now() + CHECKED_WITHIN_MS;
  for (;;) {
    const batch = await ask("GET", `/${batch_id}`);
    if (holds(batch)) return batch;
    if (performance.now() > deadline) throw new Error(`the bulk send is still ${JSON.stringify(batch)}`);
    await delay(POLL_MS);
  }
}

/** Mail, events and pages of the rows before are done, so that they do not count for what is measured next. @param {import("./harness.mjs").Database} database */
async function idle(database) {
  const deadline = performance.now() + CHECKED_WITHIN_MS;
  for (;;) {
    const [left] = await database.query(
      "select (select count(*) from outbox)::int + (select count(*) from graphile_worker.jobs)::int as n",
    );
    if (left.n === 0) return;
    if (performance.now() > deadline) throw new Error(`${left.n} jobs are left`);
    await delay(POLL_MS);
  }
}
