import { atMost } from "./figure.mjs";
import { answersAt, fillDatabase, freePort, product, scratchFolder, startDatabase, startService } from "./harness.mjs";
import { fillWithMany, OTHERS } from "./many-envelopes.mjs";

const ASKED = 60;
const WARM_UP = 5;
const GOAL_MS = 30;
const GOAL_TWO_WORDS_MS = 60;
const GOAL_ANY_MS = 100;

/** What is asked, by what it is called in the table. `{}` is a number that differs each time. */
const LISTS = {
  "q, beginning of a word with few hits": "partner/envelopes?q=contract-{}",
  "q, beginning of a family name, 5,900 envelopes with those of customers, by name": "partner/envelopes?q=babace&sort=envelope_name",
  "q, beginning of a family name, 5,900 envelopes with those of customers, by change": "partner/envelopes?q=babace&sort=-updated_at",
  "q, whole word with 200,000 hits": "partner/envelopes?q=lease",
  "q, whole word with 200,000 hits, by name": "partner/envelopes?q=lease&sort=envelope_name",
  "q, whole word with 200,000 hits, by expiry": "partner/envelopes?q=lease&sort=expires_at",
  "q, e-mail address of a signer": "partner/envelopes?q=signer{}@example.com",
  "tag with 200,000 envelopes": "partner/envelopes?tag=urgent",
  "tag with 200,000 envelopes, by name": "partner/envelopes?tag=urgent&sort=envelope_name",
  "tag with 100 envelopes, by change": "partner/envelopes?tag=rare&sort=-updated_at",
  "owner with 250,000 envelopes": "partner/envelopes?owner={owner}",
  "owner and status sent": "partner/envelopes?owner={owner}&status=sent",
  recipient_email: "partner/envelopes?recipient_email=signer{}@example.com",
  "all, by change": "partner/envelopes?sort=-updated_at",
  "all, by name": "partner/envelopes?sort=envelope_name",
  "all, by name, page 500": "partner/envelopes?sort=envelope_name&page=500",
  "all, by expiry": "partner/envelopes?sort=expires_at",
  "without discarded drafts": "partner/envelopes?discarded=exclude",
  "contacts as you type, one letter": "contacts?q=p",
  "contacts as you type, a family name": "contacts?q=babace",
  "contacts as you type, two words": "contacts?q=person7+fodi",
};
const TWO_WORDS = {
  "two words, both with 200,000 hits or more": "partner/envelopes?q=service+agreement",
  "two words, with 200,000 and 5,900 hits": "partner/envelopes?q=lease+babace",
};

/** What no index has in order. */
const HARDEST = {
  "q, word of a million customers": "partner/envelopes?q=company",
  "two words, with 200,000 hits and of a million customers": "partner/envelopes?q=lease+person",
  "two words, one the beginning of 90,000 words": "partner/envelopes?q=lease+signer",
  "family name and status, 5,900 hits before the status": "partner/envelopes?q=babace&status=sent",
  "two frequent words by name, far from the beginning of the order": "partner/envelopes?q=service+agreement&sort=envelope_name",
};

/**
 * LISTS: page 1 with the total of lists by words, tag, owner and order, and contacts, for an org with a million envelopes and a million
 * customers. Each 60 times, one at a time, in turn.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureManyLists({ end }) {
  const folder = await scratchFolder(end);
  const database = await startDatabase(end, folder);
  const scopes = ["envelopes:read", "customers:read"];
  const { org_id, keys } = await fillDatabase(database, { envelopes: 0, keys: 1, scopes });
  const others = await anotherOrg(database);
  const [{ user_id }] = await database.query("select user_id from members where org_id = $1", [org_id]);
  await fillWithMany(database, { org_id, user_id, others });
  const words_s = await indexAll(database);
  const service = startService("serve", { folder, port: await freePort(), env: database.env });
  end.later(() => service.stop());
  await answersAt(service, "/healthz", 30);
  const paths = { ...LISTS, ...TWO_WORDS, ...HARDEST };
  const times = await askAll(service.url, keys[0] ?? "", paths, user_id);
  return [
    ...Object.keys(paths).map((name) => {
      const p95 = percentile(times[name] ?? [], 0.95);
      const goal = name in HARDEST ? GOAL_ANY_MS : name in TWO_WORDS ? GOAL_TWO_WORDS_MS : GOAL_MS;
      return {
        id: "LISTS",
        name,
        measured: `${p95.toFixed(1)} ms`,
        goal: `p95 <= ${goal} ms`,
        verdict: atMost(p95, goal),
        values: { times: times[name] },
      };
    }),
    {
      id: "LISTS",
      name: `envelopes.index-words, ${OTHERS.toLocaleString("en")} envelopes`,
      measured: `${words_s.toFixed(0)} s`,
      goal: "",
      verdict: /** @type {const} */ ("info"),
    },
  ];
}

/** @param {import("./harness.mjs").Database} database */
export async function anotherOrg(database) {
  const { newId } = await product("shared/ids.js");
  const org_id = newId("org");
  await database.query("insert into orgs (org_id, name) values ($1, 'Others')", [org_id]);
  return org_id;
}

/** Runs the product's own job until nothing is left. @param {import("./harness.mjs").Database} database */
export async function indexAll(database) {
  const { connectDb } = await product("db/connect.js");
  const { indexWords } = await product("envelopes/index-words.js");
  const { fillBuckets } = await product("envelopes/sweep-envelopes.js");
  const db = connectDb({ url: database.appUrl, poolSize: 2 });
  const began = performance.now();
  await indexWords({ db }, 1_000, 3_600_000);
  const seconds = (performance.now() - began) / 1000;
  await fillBuckets({ db }, "0 seconds");
  await db.end();
  await database.query("vacuum analyze");
  return seconds;
}

/**
 * @param {string} url
 * @param {string} key
 * @param {Record<string, string>} paths
 * @param {string} owner
 */
export async function askAll(url, key, paths, owner, asked = ASKED) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(paths).map((name) => [name, []]));
  for (let n = 0; n < WARM_UP + asked; n++) {
    for (const [name, path] of Object.entries(paths)) {
      const began = performance.now();
      const wanted = path.replaceAll("{}", String(10_001 + n * 810)).replaceAll("{owner}", owner);
      const answer = await fetch(`${url}/api/v2/${wanted}`, { headers: { "x-api-key": key } });
      const text = await answer.text();
      const { data } = /** @type {{ data: unknown[] }} */ (JSON.parse(text));
      if (answer.status !== 200 || data.length === 0) throw new Error(`${wanted}: ${answer.status} ${text.slice(0, 300)}`);
      if (n >= WARM_UP) times[name]?.push(performance.now() - began);
    }
  }
  return times;
}

/** @param {readonly number[]} values @param {number} part */
export function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
