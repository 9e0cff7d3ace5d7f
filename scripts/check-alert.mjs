// Part of `npm run check:deploy -- --live`: a real Prometheus (Debian: prometheus) with deploy/prometheus/alerts.yml watches one `serve` and one
// `worker`. The worker is killed, and the alert must fire; it is started again, and the alert must end. Takes about three minutes, because the
// rule waits for two.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { answersAt, freePort, root, scratchFolder, startDatabase, startService } from "../bench/harness.mjs";

const ALERT = "CountersignNoWorker";
const READY_WITHIN_SECONDS = 180;
const SEEN_WITHIN_SECONDS = 600;
const ASK_MS = 1_000;

/** @param {import("../bench/harness.mjs").Cleanup} end @returns {Promise<string[]>} what was seen, line by line */
export async function checkAlert(end) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const [servePort, workerPort] = [await freePort(), await freePort()];
  const serve = startService("serve", { folder, port: await freePort(), env: { ...database.env, METRICS_PORT: String(servePort) } });
  end.later(() => serve.stop());
  const startWorker = async () => {
    const env = { ...database.env, METRICS_PORT: String(workerPort) };
    const worker = startService("worker", { folder, port: await freePort(), env });
    end.later(() => worker.stop());
    await answersAt({ ...worker, url: `http://127.0.0.1:${workerPort}` }, "/readyz", READY_WITHIN_SECONDS);
    return worker;
  };
  await answersAt(serve, "/readyz", READY_WITHIN_SECONDS);
  const worker = await startWorker();
  const prometheus = await startPrometheus(end, folder, [servePort, workerPort]);
  const ready = 'countersign_ready{role="serve"} == 1 and on() countersign_ready{role="worker"} == 1';
  await until("Prometheus to see both processes", async () => (await prometheus.query(ready)).length === 1);
  // Until both were seen, and for one evaluation after it, the rules take them for missing.
  await until("no alert while both run", async () => !(await prometheus.alerts()).some(({ name }) => /No(Serve|Worker)$/.test(name)));

  await worker.stop("SIGKILL");
  const stopped_at = performance.now();
  await until(`${ALERT} to fire`, () => prometheus.fires(ALERT));
  const fired_after = (performance.now() - stopped_at) / 1000;
  if (await prometheus.fires("CountersignNoServe")) throw new Error("CountersignNoServe fired although serve was ready");
  await startWorker();
  const started_at = performance.now();
  await until(`${ALERT} to end`, async () => !(await prometheus.fires(ALERT)));
  const ended_after = (performance.now() - started_at) / 1000;
  return [
    `${ALERT} fired ${fired_after.toFixed(0)} s after the worker was killed`,
    `and ended ${ended_after.toFixed(0)} s after another one was ready`,
  ];
}

/** @param {import("../bench/harness.mjs").Cleanup} end @param {string} folder @param {number[]} ports */
async function startPrometheus(end, folder, ports) {
  const [port, place] = [await freePort(), join(folder, "prometheus")];
  await mkdir(place);
  const targets = ports.map((one) => `"127.0.0.1:${one}"`).join(", ");
  await writeFile(
    join(place, "prometheus.yml"),
    `global: { scrape_interval: 5s, evaluation_interval: 5s }
rule_files: ["${join(root, "deploy/prometheus/alerts.yml")}"]
scrape_configs:
  - job_name: countersign
    static_configs: [{ targets: [${targets}] }]
`,
  );
  const args = [`--config.file=${join(place, "prometheus.yml")}`, `--storage.tsdb.path=${join(place, "data")}`];
  const child = spawn("prometheus", [...args, `--web.listen-address=127.0.0.1:${port}`], { stdio: "ignore" });
  const ended = once(child, "exit");
  end.later(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  const ask = async (/** @type {string} */ path) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${path}`).catch(() => null);
    return answer?.ok ? /** @type {any} */ (await answer.json()).data : null;
  };
  const alerts = async () => {
    /** @type {{ labels: { alertname: string }, state: string }[]} */
    const found = (await ask("/alerts"))?.alerts ?? [];
    return found.map(({ labels, state }) => ({ name: labels.alertname, state }));
  };
  return {
    alerts,
    fires: async (/** @type {string} */ name) => (await alerts()).some((one) => one.name === name && one.state === "firing"),
    query: async (/** @type {string} */ text) => (await ask(`/query?query=${encodeURIComponent(text)}`))?.result ?? [],
  };
}

/** @param {string} what @param {() => Promise<boolean>} holds */
async function until(what, holds) {
  const deadline = performance.now() + SEEN_WITHIN_SECONDS * 1000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${SEEN_WITHIN_SECONDS} s for ${what}`);
    await delay(ASK_MS);
  }
}
