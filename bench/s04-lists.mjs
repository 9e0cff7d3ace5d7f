import { atMost, median } from "./figure.mjs";
import { answersAt, fillDatabase, freePort, product, scratchFolder, startDatabase, startService } from "./harness.mjs";

const ENVELOPES = 1_000_000;
const BATCH = 50_000;
const ASKED = 60;
const WARM_UP = 10;
const LIMIT = 20;
const PAGES = { "page 1": 1, "page 45,000": 45_000 };

/**
 * S4: the list of an org with a million envelopes, including the total: the first page and a late one, requested alternately, one at a
 * time. The newest envelopes are in no bucket yet and are counted; the others are numbered, as the sweep does every minute.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureLists({ end }) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const { org_id, keys } = await fillDatabase(database, { envelopes: 500, keys: 1 });
  await loadEnvelopes(database, org_id);
  const service = startService("serve", { folder, port: await freePort(), env: database.env });
  end.later(() => service.stop());
  await answersAt(service, "/healthz", 30);
  const ask = async (/** @type {number} */ page) => {
    const began = performance.now();
    const answer = await fetch(`${service.url}/api/v2/partner/envelopes?limit=${LIMIT}&page=${page}`, {
      headers: { "x-api-key": keys[0] ?? "" },
    });
    const { data, meta } = /** @type {{ data: unknown[], meta: { total: number } }} */ (await answer.json());
    if (data.length !== LIMIT || meta.total !== ENVELOPES + 500) throw new Error(`page ${page}: ${data.length} of ${meta.total}`);
    return performance.now() - began;
  };
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(PAGES).map((name) => [name, []]));
  for (let n = 0; n < WARM_UP + ASKED; n++) {
    for (const [name, page] of Object.entries(PAGES)) {
      const ms = await ask(page);
      if (n >= WARM_UP) times[name]?.push(ms);
    }
  }
  const of = (/** @type {string} */ name) => median(times[name] ?? []);
  const ratio = of("page 45,000") / of("page 1");
  return [
    ...Object.keys(PAGES).map((name) => ({
      id: "S4",
      name: `list of 1,000,500 envelopes, ${name}, including the total`,
      measured: `${of(name).toFixed(2)} ms`,
      goal: "<= 10 ms",
      verdict: atMost(of(name), 10),
      values: { times: times[name] },
    })),
    { id: "S4", name: "page 45,000 against page 1", measured: ratio.toFixed(2), goal: "<= 3", verdict: atMost(ratio, 3) },
  ];
}

/**
 * @param {import("./harness.mjs").Database} database
 * @param {string} org_id
 */
async function loadEnvelopes(database, org_id) {
  const { newId } = await product("shared/ids.js");
  const { connectDb } = await product("db/connect.js");
  const { fillBuckets } = await product("envelopes/sweep-envelopes.js");
  const began = Date.now() - ENVELOPES;
  for (let first = 0; first < ENVELOPES; first += BATCH) {
    const ids = Array.from({ length: BATCH }, (_, n) => newId("envelope", began + first + n));
    await database.query(
      `insert into envelopes (org_id, envelope_id, envelope_name, status, customer_id, external_id)
       select $1, id, 'Service agreement ' || n, 'sent', 'cust_' || n % 40, 'contract-' || n from unnest($2::text[]) with ordinality as made(id, n)`,
      [org_id, ids],
    );
  }
  await database.query("vacuum analyze");
  const db = connectDb({ url: database.appUrl, poolSize: 1 });
  await fillBuckets({ db }, "0 seconds");
  await db.end();
}
