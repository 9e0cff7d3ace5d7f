import { atMost } from "./figure.mjs";
import { answersAt, freePort, startService } from "./harness.mjs";
import { manyEnvelopes, OTHERS } from "./many-envelopes.mjs";
import { logIn } from "./offices.mjs";

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
const AS_SHOWN = "discarded=exclude&expand=recipients,customer,tags&page=1&limit=20";
/** Those of the person who is logged in. */
const OWN_VIEWS = {
  "view Waiting for me, 3,000 of 10,000 envelopes": `partner/envelopes?waiting_for=me&${AS_SHOWN}`,
  "view Mine, 250,000": `partner/envelopes?owner=me&${AS_SHOWN}`,
};
/** The views and lists of the console, as it asks for them. The totals beside the names of views are the same requests for one row. */
const VIEWS = {
  "view All": `partner/envelopes?${AS_SHOWN}`,
  "view In progress, 300,000": `partner/envelopes?stage=open&${AS_SHOWN}`,
  "view In progress, by expiry": `partner/envelopes?stage=open&sort=expires_at&${AS_SHOWN}`,
  "view Drafts, 100,000": `partner/envelopes?stage=draft&${AS_SHOWN}`,
  "view Completed, 200,000": `partner/envelopes?status=completed&${AS_SHOWN}`,
  "view Discarded, 10,000": "partner/envelopes?discarded=only&expand=recipients,customer,tags&page=1&limit=20",
  "of a customer with 50,000": `partner/envelopes?customer_id={customer}&${AS_SHOWN}`,
  "of a customer with 50,000, completed": `partner/envelopes?customer_id={customer}&status=completed&${AS_SHOWN}`,
  "from a template, 200,000": `partner/envelopes?template_id={template}&${AS_SHOWN}`,
  "from a template, completed": `partner/envelopes?template_id={template}&status=completed&${AS_SHOWN}`,
  "completed and created in a span of time, all 200,000": `partner/envelopes?status=completed&created_from=2020-01-01T12:00:00Z&created_to=2099-12-31T12:00:00Z&${AS_SHOWN}`,
  "of a customer with 50,000 and created in a span of time": `partner/envelopes?customer_id={customer}&created_from=2020-01-01T12:00:00Z&created_to=2099-12-31T12:00:00Z&${AS_SHOWN}`,
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
  const { key, words_s } = filled;
  const service = startService("serve", { folder, port: await freePort(), env: database.env });
  end.later(() => service.stop());
  await answersAt(service, "/healthz", 30);
  const ofKey = { ...LISTS, ...VIEWS, ...TWO_WORDS, ...HARDEST, ...FIGURES };
  const { headers } = await logIn(service.url, "admin", { admin: filled.password });
  const times = {
    ...(await askAll(service.url, { "x-api-key": key }, ofKey, filled)),
    ...(await askAll(service.url, headers, OWN_VIEWS, filled)),
  };
  const exports = await exportAll(service.url, key);
  return [
    ...Object.keys(times).map((name) => {
      const p95 = percentile(times[name] ?? [], 0.95);
      const goal = [VIEWS, OWN_VIEWS, HARDEST, FIGURES].some((group) => name in group)
        ? GOAL_ANY_MS
        : name in TWO_WORDS
          ? GOAL_TWO_WORDS_MS
          : GOAL_MS;
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
 * @param {Record<string, string>} headers
 * @param {Record<string, string>} paths
 * @param {import("./many-envelopes.mjs").Filled} filled
 */
async function askAll(url, headers, paths, { user_id, customer_id = "", template_id = "" }) {
  /** @type {Record<string, number[]>} */
  const times = Object.fromEntries(Object.keys(paths).map((name) => [name, []]));
  const named = { "{owner}": user_id, "{customer}": customer_id, "{template}": template_id };
  for (let n = 0; n < WARM_UP + ASKED; n++) {
    for (const [name, path] of Object.entries(paths)) {
      const began = performance.now();
      const numbered = path.replaceAll("{}", String(10_001 + n * 810));
      const wanted = Object.entries(named).reduce((text, [place, value]) => text.replaceAll(place, value), numbered);
      const answer = await fetch(`${url}/api/v2/${wanted}`, { headers });
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
