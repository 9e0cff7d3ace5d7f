import { atMost } from "./figure.mjs";
import { answersAt, freePort, startService } from "./harness.mjs";
import { manyEnvelopes, OTHERS } from "./many-envelopes.mjs";

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
  "created in a span of time, without discarded drafts":
    "partner/envelopes?discarded=exclude&created_from=2020-01-01T12:00:00Z&created_to=2099-12-31T12:00:00Z",
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
  "two words, of a million customers and with 200,000 hits": "partner/envelopes?q=company+lease",
  "family name and status, 5,900 hits before the status": "partner/envelopes?q=babace&status=sent",
  "two frequent words by name, far from the beginning of the order": "partner/envelopes?q=service+agreement&sort=envelope_name",
};

/** The figures of the first screen. */
const FIGURES = {
  "figures of 30 days": "org/statistics",
  "figures of 90 days": "org/statistics?days=90",
  "what needs attention": "org/attention",
};

const EXPORTS = {
  "CSV of all drafts, first byte": "partner/envelopes.csv?status=pending",
  "CSV of two words with 200,000 hits and a status, first byte": "partner/envelopes.csv?q=service+agreement&status=declined",
};
const GOAL_FIRST_BYTE_MS = 500;

/**
 * LISTS: page 1 with the total of lists by words, tag, owner and order, and contacts, for an org with a million envelopes and a million
 * customers. Each 60 times, one at a time, in turn.
 * @param {import("./figure.mjs").Bench} bench
 * @returns {Promise<import("./figure.mjs").Figure[]>}
 */
export async function measureManyLists({ end, keep }) {
  const { folder, database, filled } = await manyEnvelopes(end, keep);
  const { user_id, key, words_s } = filled;
  const service = startService("serve", { folder, port: await freePort(), env: database.env });
  end.later(() => service.stop());
  await answersAt(service, "/healthz", 30);
  const paths = { ...LISTS, ...TWO_WORDS, ...HARDEST, ...FIGURES };
  const times = await askAll(service.url, key, paths, user_id);
  const exports = await exportAll(service.url, key);
  return [
    ...Object.keys(paths).map((name) => {
      const p95 = percentile(times[name] ?? [], 0.95);
      const goal = name in HARDEST || name in FIGURES ? GOAL_ANY_MS : name in TWO_WORDS ? GOAL_TWO_WORDS_MS : GOAL_MS;
      return {
        id: "LISTS",
        name,
        measured: `${p95.toFixed(1)} ms`,
        goal: `p95 <= ${goal} ms`,
        verdict: atMost(p95, goal),
        values: { times: times[name] },
      };
    }),
    ...Object.entries(exports).map(([name, times]) => ({
      id: "LISTS",
      name,
      measured: `${percentile(times, 0.95).toFixed(0)} ms`,
      goal: `p95 <= ${GOAL_FIRST_BYTE_MS} ms`,
      verdict: atMost(percentile(times, 0.95), GOAL_FIRST_BYTE_MS),
      values: { times },
    })),
    {
      id: "LISTS",
      name: `db.backfill of words, ${OTHERS.toLocaleString("en")} envelopes`,
      measured: `${words_s.toFixed(0)} s`,
      goal: "",
      verdict: /** @type {const} */ ("info"),
    },
  ];
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
      const { data } = /** @type {{ data: unknown }} */ (JSON.parse(text));
      if (answer.status !== 200 || (Array.isArray(data) && data.length === 0))
        throw new Error(`${wanted}: ${answer.status} ${text.slice(0, 300)}`);
      if (n >= WARM_UP) times[name]?.push(performance.now() - began);
    }
  }
  return times;
}

const EXPORTED = 20;

/** From the request to the first bytes of the file. The rest is not read. @param {string} url @param {string} key */
async function exportAll(url, key) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(EXPORTS).map((name) => [name, []]));
  for (let n = 0; n < WARM_UP + EXPORTED; n++) {
    for (const [name, path] of Object.entries(EXPORTS)) {
      const began = performance.now();
      const answer = await fetch(`${url}/api/v2/${path}`, { headers: { "x-api-key": key } });
      const reader = answer.body?.getReader();
      const { value } = (await reader?.read()) ?? {};
      if (answer.status !== 200 || value === undefined) throw new Error(`${path}: ${answer.status}`);
      if (n >= WARM_UP) times[name]?.push(performance.now() - began);
      await reader?.cancel();
    }
  }
  return times;
}

/** @param {readonly number[]} values @param {number} part */
export function percentile(values, part) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * part) - 1)] ?? Number.NaN;
}
