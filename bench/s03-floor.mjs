import { atLeast, median } from "./figure.mjs";
import { listBench } from "./list-envelopes.mjs";

const ROUNDS = 7;
const SLOT_SECONDS = 4;
const WARM_UP_SECONDS = 4;
const CONNECTIONS = 32;

// If an A/A control differs from 1 by more than this, the machine was too busy for reliable ratios.
const CONTROL_TOLERANCE = 0.1;

/**
 * S3: throughput of the product compared with the baseline, for the status of an envelope. Each round loads every server once, in an order
 * that changes from round to round. A ratio is within one round, and the figure is the median of all rounds.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureFloor({ end, seconds }) {
  const { manyKeys, hotKey, startProduct, startFloor, load, statusPath } = await listBench(end);
  const product = await startProduct();
  const floor = await startFloor("floor");
  const control = await startFloor("control");
  await refuseDifferentAnswers(
    [product.url, floor.url].map((url) => url + statusPath),
    manyKeys[0] ?? "",
  );

  const arms = [
    { name: "floor", server: floor, keys: manyKeys },
    { name: "product", server: product, keys: manyKeys },
    { name: "control", server: control, keys: manyKeys },
    { name: "hot", server: product, keys: hotKey },
  ];
  for (const { server, keys } of arms.slice(0, 3)) await load(server, keys, CONNECTIONS, WARM_UP_SECONDS, statusPath);
  /** @type {Record<string, import("./list-envelopes.mjs").Measured>[]} */
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const order = [...arms.slice(round % arms.length), ...arms.slice(0, round % arms.length)];
    /** @type {Record<string, import("./list-envelopes.mjs").Measured>} */
    const measured = {};
    for (const { name, server, keys } of order) measured[name] = await load(server, keys, CONNECTIONS, seconds ?? SLOT_SECONDS, statusPath);
    rounds.push(measured);
  }

  const of = (/** @type {string} */ arm, /** @type {"perSecond" | "serverCpu_ms" | "databaseCpu_ms"} */ what) =>
    median(rounds.map((round) => round[arm]?.[what] ?? Number.NaN));
  const ratio = (/** @type {string} */ arm, /** @type {string} */ to) =>
    median(rounds.map((round) => (round[arm]?.perSecond ?? Number.NaN) / (round[to]?.perSecond ?? Number.NaN)));
  const overFloor = ratio("product", "floor");
  const hotOverMany = ratio("hot", "product");
  const byCpu = of("floor", "serverCpu_ms") / of("product", "serverCpu_ms");
  const same = ratio("control", "floor");
  const rates = `${of("product", "perSecond").toFixed(0)}/s of ${of("floor", "perSecond").toFixed(0)}/s`;
  const cpu = (/** @type {string} */ arm) => `${of(arm, "serverCpu_ms").toFixed(3)} + ${of(arm, "databaseCpu_ms").toFixed(3)}`;
  return [
    {
      id: "S3",
      name: "throughput of …/status against the floor, 50 keys",
      measured: `${overFloor.toFixed(3)} (${rates})`,
      goal: ">= 0.6",
      verdict: atLeast(overFloor, 0.6),
      values: { rounds },
    },
    {
      id: "S3",
      name: "one hot key against 50 keys",
      measured: `${hotOverMany.toFixed(3)} (${of("hot", "perSecond").toFixed(0)}/s)`,
      goal: ">= 0.7",
      verdict: atLeast(hotOverMany, 0.7),
    },
    {
      id: "S3",
      name: "A/A control, floor against floor",
      measured: same.toFixed(3),
      goal: "0.9 to 1.1",
      verdict: Math.abs(same - 1) <= CONTROL_TOLERANCE ? "met" : "missed",
    },
    // If PostgreSQL has its own cores, the server process is the limit, and this is the ratio.
    { id: "S3", name: "ratio by the CPU of the server process alone", measured: byCpu.toFixed(3), goal: "", verdict: "info" },
    {
      id: "S3",
      name: "CPU ms per request, server + PostgreSQL",
      measured: `product ${cpu("product")}, floor ${cpu("floor")}, hot ${cpu("hot")}`,
      goal: "",
      verdict: "info",
    },
  ];
}

/** The comparison is only valid if the baseline returns exactly the same bytes. @param {string[]} urls @param {string} key */
async function refuseDifferentAnswers(urls, key) {
  const [ours, theirs] = await Promise.all(urls.map(async (url) => (await fetch(url, { headers: { "x-api-key": key } })).text()));
  if (ours !== theirs) throw new Error(`the responses of product and floor differ:\n${ours}\n${theirs}`);
}
