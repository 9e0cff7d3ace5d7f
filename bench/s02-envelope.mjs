import { contract } from "./documents.mjs";
import { atMost, median } from "./figure.mjs";
import { cpuSecondsOf, databaseCpuSeconds } from "./process-use.mjs";
import { uploadTemplate } from "./upload.mjs";
import { uploadBench } from "./upload-bench.mjs";

const WARM_UP = 200;
const ROUNDS = 5;
const ENVELOPES = 400;
const AT_ONCE = 8;

const FIELDS = Array.from({ length: 10 }, (_, n) => ({
  name: `Field ${n + 1}`,
  type: "text",
  role: "Tenant",
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.05 * (n + 1), w: 0.3, h: 0.03 }] },
}));

/**
 * S2: CPU time of the service per envelope that is created from a template with ten fields, one of them prefilled, for 50 customers in
 * turn.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureEnvelope({ end }) {
  const { service, database, keys } = await uploadBench(end, { keys: 1 });
  const createMany = await envelopeMaker(service.url, keys[0] ?? "");
  await createMany(WARM_UP);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = [cpuSecondsOf(service.pid), databaseCpuSeconds(database.pid)];
    await createMany(ENVELOPES);
    const after = [cpuSecondsOf(service.pid), databaseCpuSeconds(database.pid)];
    const [service_ms = 0, database_ms = 0] = after.map((value, index) => ((value - (before[index] ?? 0)) * 1000) / ENVELOPES);
    rounds.push({ service_ms, database_ms });
  }
  const service_ms = median(rounds.map((round) => round.service_ms));
  const database_ms = median(rounds.map((round) => round.database_ms));
  return [
    {
      id: "S2",
      name: "CPU per envelope from a template",
      measured: `${service_ms.toFixed(2)} ms`,
      goal: "<= 6 ms",
      verdict: atMost(service_ms, 6),
      values: { rounds },
    },
    { id: "S2", name: "PostgreSQL's CPU per envelope", measured: `${database_ms.toFixed(2)} ms`, goal: "", verdict: "info" },
  ];
}

/** Creates that many envelopes, several at once, from a template that it makes first. @param {string} url @param {string} key */
export async function envelopeMaker(url, key) {
  const made = await uploadTemplate({ url, key, file: contract(16, "simple"), fields: FIELDS });
  const { template_id } = JSON.parse(made.text).data;
  let count = 0;
  const create = async () => {
    const customer_email = `customer${count++ % 50}@example.com`;
    const body = { envelope_name: "Lease", customer_email, customer_name: "Ann", template_id, prefilled_data: { "Field 1": "Ann" } };
    const headers = { "content-type": "application/json", "x-api-key": key };
    const answer = await fetch(`${url}/api/v2/partner/envelopes`, { method: "POST", headers, body: JSON.stringify(body) });
    const text = await answer.text();
    if (answer.status !== 201) throw new Error(`creating an envelope returned ${answer.status}: ${text}`);
  };
  return async (/** @type {number} */ total) => {
    let left = total;
    const one = async () => {
      while (left-- > 0) await create();
    };
    await Promise.all(Array.from({ length: AT_ONCE }, one));
  };
}
