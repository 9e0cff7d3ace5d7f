import { contract } from "./documents.mjs";
import { median } from "./figure.mjs";
import { engine } from "./harness.mjs";
import { cpuSecondsOf, databaseCpuSeconds } from "./process-use.mjs";
import { uploadTemplate } from "./upload.mjs";
import { uploadBench } from "./upload-bench.mjs";

// Sixteen pages of the contract are 40 kB.
const PAGES = 16;
const WARM_UP = 20;
const ROUNDS = 5;
const UPLOADS = 40;

const FIELDS = Array.from({ length: 10 }, (_, n) => ({
  name: `Initials ${n + 1}`,
  type: "text",
  role: "Tenant",
  placement: { mode: "anchor", anchor_text: `Section ${n + 1}`, occurrence: 1, offset_x: 0.2, w: 0.2, h: 0.03 },
}));

/**
 * CPU time per template created from a PDF of 40 kB with ten anchors: of the service's process, including the PDF thread, and of the engine
 * for the same job in a pool of one thread in this process. Alternating, one at a time.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureTemplate({ end }) {
  const { service, database, keys } = await uploadBench(end, { keys: 1, env: { PDF_WORKERS: "1" } });
  const { createPdfPool } = await engine("pool.js");
  const pool = createPdfPool({ workers: 1 });
  end.later(() => pool.close());
  const file = contract(PAGES, "simple");
  const anchors = FIELDS.map(({ placement: { anchor_text, offset_x, w, h } }) => ({ anchor_text, place: { offset_x, offset_y: 0, w, h } }));
  const upload = async () => {
    const { status, text } = await uploadTemplate({ url: service.url, key: keys[0] ?? "", file, fields: FIELDS });
    if (status !== 200) throw new Error(`the upload returned ${status}: ${text}`);
  };
  const ingest = () => pool.ingest(file, { tags: "discard", anchors });
  await perRun(WARM_UP, upload, () => 0);
  await perRun(WARM_UP, ingest, () => 0);
  /** @type {{ service_ms: number, database_ms: number, engine_ms: number }[]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const databaseBefore = databaseCpuSeconds(database.pid);
    const service_ms = await perRun(UPLOADS, upload, () => cpuSecondsOf(service.pid) * 1000);
    const database_ms = ((databaseCpuSeconds(database.pid) - databaseBefore) * 1000) / UPLOADS;
    const engine_ms = await perRun(UPLOADS, ingest, () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000);
    rounds.push({ service_ms, database_ms, engine_ms });
  }
  const of = (/** @type {"service_ms" | "database_ms" | "engine_ms"} */ what) => median(rounds.map((round) => round[what]));
  const above = of("service_ms") - of("engine_ms");
  return [
    {
      id: "TEMPLATE",
      name: `CPU per template, ${(file.length / 1000).toFixed(0)} kB, ${PAGES} pages, 10 anchors`,
      measured: `${of("service_ms").toFixed(1)} ms, of which the PDF engine ${of("engine_ms").toFixed(1)} ms and the service ${above.toFixed(1)} ms`,
      goal: "",
      verdict: "info",
      values: { rounds },
    },
    { id: "TEMPLATE", name: "PostgreSQL's CPU per template", measured: `${of("database_ms").toFixed(1)} ms`, goal: "", verdict: "info" },
  ];
}

/** How much `clock` advances per `run`. @param {number} runs @param {() => Promise<unknown>} run @param {() => number} clock */
async function perRun(runs, run, clock) {
  const before = clock();
  for (let n = 0; n < runs; n++) await run();
  return (clock() - before) / runs;
}
