import { availableParallelism } from "node:os";
import { scan } from "./documents.mjs";
import { atMost, median } from "./figure.mjs";
import { residentMb } from "./process-use.mjs";
import { uploadTemplate } from "./upload.mjs";
import { FILE_BYTES, MEMORY_MB_PER_WORKER, uploadBench, watchMemory } from "./upload-bench.mjs";

const ROUNDS = 3;
// Slow enough for 200 samples while it arrives, fast enough to show a service that collects the file in memory.
const BYTES_PER_SECOND = 12_500_000;
const GOAL_MB = 100;

/**
 * S11: memory of `serve` while a file of 50 MB arrives, and while its PDF thread processes it. The base is the memory just before. A thread
 * is part of the process.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureUpload({ end }) {
  const { service, keys } = await uploadBench(end, { keys: 1 });
  const file = scan(FILE_BYTES);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await growthOf(end, service, { key: keys[0] ?? "", file }));
  const [first] = rounds;
  const arriving = Math.max(...rounds.map(({ arriving_mb }) => arriving_mb));
  const takingIn = Math.max(...rounds.map(({ taking_in_mb }) => taking_in_mb));
  const allowed = MEMORY_MB_PER_WORKER * Math.min(availableParallelism(), 4);
  return [
    {
      id: "S11",
      name: "memory growth while 50 MB arrive, largest of 3 uploads",
      measured: `${arriving.toFixed(0)} MB (first ${first?.arriving_mb.toFixed(0)} MB)`,
      goal: `< ${GOAL_MB} MB`,
      verdict: atMost(arriving, GOAL_MB),
      values: { rounds },
    },
    {
      id: "S11",
      name: "memory growth while they are processed, including PDF threads",
      measured: `${takingIn.toFixed(0)} MB (base ${median(rounds.map(({ before_mb }) => before_mb)).toFixed(0)} MB)`,
      goal: `<= ${allowed} MB`,
      verdict: atMost(takingIn, allowed),
    },
  ];
}

/** Of the service's memory while a file arrives, and until the response. @param {import("./harness.mjs").Cleanup} end @param {{ url: string, pid: number }} service @param {{ key: string, file: Uint8Array }} wanted */
export async function growthOf(end, { url, pid }, { key, file }) {
  const before = residentMb(pid);
  const watch = watchMemory(end, pid);
  let arriving = Number.NaN;
  const { status, text } = await uploadTemplate({
    url,
    key,
    file,
    bytesPerSecond: BYTES_PER_SECOND,
    arrived: () => {
      arriving = watch.peakMb();
    },
  });
  const takingIn = watch.peakMb();
  watch.stop();
  if (status !== 200) throw new Error(`the upload returned ${status}: ${text}`);
  return { before_mb: before, arriving_mb: arriving - before, taking_in_mb: takingIn - before, after_mb: residentMb(pid) };
}
