import { scan } from "./documents.mjs";
import { median } from "./figure.mjs";
import { PATH } from "./list-envelopes.mjs";
import { startLoader } from "./load.mjs";
import { cpuSecondsOf, mainThreadCpuSeconds, residentMb } from "./process-use.mjs";
import { uploadTemplate } from "./upload.mjs";
import { FILE_BYTES, uploadBench, watchMemory } from "./upload-bench.mjs";

const UPLOADS = 20;
const ROUNDS = 3;
// Simulates a person who looks at the list now and then. A load that fills the cores would measure itself.
const CONNECTIONS = 2;
const PAUSE_MS = 20;
const IDLE_SECONDS = 5;
const SLICE_SECONDS = 1;

/**
 * Twenty concurrent uploads of 50 MB at full speed, and their effect on other users: the p95 of the list of envelopes during the uploads,
 * compared with the p95 just before.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureCrowd({ end, seconds: idleSeconds }) {
  const { service, keys } = await uploadBench(end, { keys: UPLOADS + CONNECTIONS });
  const loader = startLoader();
  end.later(() => loader.stop());
  const file = scan(FILE_BYTES);
  const readers = keys.slice(UPLOADS);
  const look = (/** @type {number} */ lasting) =>
    loader.run({
      port: Number(new URL(service.url).port),
      path: PATH,
      keys: readers,
      connections: CONNECTIONS,
      seconds: lasting,
      pause_ms: PAUSE_MS,
    });
  await look(IDLE_SECONDS);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const idle = await look(idleSeconds ?? IDLE_SECONDS);
    const before = residentMb(service.pid);
    const watch = watchMemory(end, service.pid);
    const cpuBefore = [cpuSecondsOf(service.pid), mainThreadCpuSeconds(service.pid)];
    const began = performance.now();
    let over = false;
    const uploads = Promise.all(keys.slice(0, UPLOADS).map((key) => uploadTemplate({ url: service.url, key, file }))).finally(() => {
      over = true;
    });
    /** @type {number[]} */
    const latencies = [];
    while (!over) latencies.push(...(await look(SLICE_SECONDS)).latencies_ms);
    const answers = await uploads;
    const seconds = (performance.now() - began) / 1000;
    watch.stop();
    const [all = 0, main = 0] = [cpuSecondsOf(service.pid), mainThreadCpuSeconds(service.pid)].map((now, n) => now - (cpuBefore[n] ?? 0));
    rounds.push({
      statuses: counted(answers.map(({ status }) => status)),
      seconds,
      main_cpu_s: main,
      other_cpu_s: all - main,
      idle_p95_ms: p95(idle.latencies_ms),
      crowd_p95_ms: p95(latencies),
      looks: latencies.length,
      before_mb: before,
      peak_mb: watch.peakMb(),
    });
  }
  const ratios = rounds.map(({ idle_p95_ms, crowd_p95_ms }) => crowd_p95_ms / idle_p95_ms);
  const ratio = median(ratios);
  return [
    {
      id: "CROWD",
      name: `p95 of the list while ${UPLOADS} files of 50 MB arrive`,
      measured: `${ratio.toFixed(2)} × idle (${rounds.map(({ crowd_p95_ms: crowd, idle_p95_ms: idle }) => `${crowd.toFixed(1)} of ${idle.toFixed(1)}`).join(", ")} ms)`,
      goal: "< 2 ×",
      verdict: ratio < 2 ? "met" : "missed",
      values: { rounds },
    },
    {
      id: "CROWD",
      name: "their responses, and the total time",
      measured: rounds.map((round) => `${JSON.stringify(round.statuses)} in ${round.seconds.toFixed(0)} s`).join(", "),
      goal: "no 5xx",
      verdict: rounds.every(({ statuses }) => Object.keys(statuses).every((status) => Number(status) < 500)) ? "met" : "missed",
    },
    {
      id: "CROWD",
      name: "CPU of the service for all 20: event loop, other threads",
      measured: `${median(rounds.map((round) => round.main_cpu_s)).toFixed(1)} s, ${median(rounds.map((round) => round.other_cpu_s)).toFixed(1)} s`,
      goal: "",
      verdict: "info",
    },
    {
      id: "CROWD",
      name: "resident memory at its peak",
      measured: `${Math.max(...rounds.map(({ peak_mb }) => peak_mb)).toFixed(0)} MB`,
      goal: "",
      verdict: "info",
    },
  ];
}

/** @param {readonly number[]} latencies */
function p95(latencies) {
  const sorted = [...latencies].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * 0.95)] ?? Number.NaN;
}

/** @param {readonly number[]} statuses */
function counted(statuses) {
  /** @type {Record<string, number>} */
  const counts = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
