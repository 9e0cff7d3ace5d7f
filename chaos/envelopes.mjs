// Kills the service while a thousand random histories of envelopes run, and checks the result of each.
import { setTimeout as delay } from "node:timers/promises";
import { contract } from "../bench/documents.mjs";
import { uploadTemplate } from "../bench/upload.mjs";
import { client } from "./api.mjs";
import { checkHistories } from "./envelope-checker.mjs";
import { liveHistory, planHistory } from "./envelope-histories.mjs";
import { ask, countOf, killAtRandom, killsRow, verdictTable } from "./runner.mjs";

const AT_ONCE = 48;
// The number of actions between two kills instead of a time: a slow machine must get something done before it is killed. A history has
// about 14.
const ANSWERS_BETWEEN_KILLS = 600;
const LONGEST_WORK_MS = 30_000;
const POLL_MS = 10;

/**
 * @typedef {import("./envelope-checker.mjs").Verdict & { killed: Record<string, number> }} Outcome
 */

/**
 * @param {object} run
 * @param {ReturnType<typeof import("./victim.mjs").startVictim>} run.victim
 * @param {import("./clients.mjs").Org[]} run.orgs
 * @param {import("./history.mjs").History} run.history
 * @param {import("./random.mjs").Random} run.random
 * @param {import("./runner.mjs").KillTarget} run.target
 * @param {number} run.seed @param {number} run.histories @param {number} run.kills @param {number} run.deadline
 * @returns {Promise<Outcome>}
 */
export async function attackEnvelopes({ victim, orgs, history, random, target, seed, histories, kills, deadline }) {
  const offices = await Promise.all(orgs.map((org) => openOffice(victim, org)));
  /** @type {import("./envelope-histories.mjs").HistoryResult[]} */
  const results = [];
  let [next, busy, stopped, answers] = [0, AT_ONCE, false, 0];
  /** @type {import("./history.mjs").History} */
  const counted = {
    ...history,
    append(entry) {
      if (entry.kind === "answer") answers++;
      return history.append(entry);
    },
  };
  const live = async () => {
    while (next < histories && !stopped && performance.now() < deadline) {
      const number = next++;
      const office = offices[number % offices.length];
      if (office === undefined) throw new Error("there is no org");
      const plan = planHistory(seed, number);
      results.push(await liveHistory({ office, plan, history: counted, query: victim.query, stopped: () => stopped }));
      if (results.length % 100 === 0) process.stderr.write(`${results.length} histories\n`);
    }
  };
  const work = async () => {
    const [until, latest] = [answers + random.between(0, ANSWERS_BETWEEN_KILLS), performance.now() + LONGEST_WORK_MS];
    while (answers < until && busy > 0 && performance.now() < latest) await delay(POLL_MS);
  };
  const clients = Array.from({ length: AT_ONCE }, () => live().finally(() => busy--));
  // Awaited below. Until then, a failure would be an unhandled rejection.
  const lived = Promise.all(clients).catch((error) => error);
  try {
    const killed = await killAtRandom({ victim, history, random, target, kills, deadline, work, working: () => busy > 0 });
    const failure = await lived;
    if (failure instanceof Error) throw failure;
    const verdict = await checkHistories({ victim, offices, results });
    return { ...verdict, killed, found: [...verdict.found, ...victim.badEnds] };
  } finally {
    stopped = true;
    await lived;
  }
}

/** @param {ReturnType<typeof import("./victim.mjs").startVictim>} victim @param {import("./clients.mjs").Org} org */
async function openOffice(victim, org) {
  const wanted = { partner_name: "Chaos", scopes: ["envelopes:read", "envelopes:write", "esign:write"], rate_limit_rpm: 100_000 };
  const made = await ask(org, "POST", "/partners/keys", wanted);
  if (made.status !== 201) throw new Error(`creating a key returned ${made.status} ${JSON.stringify(made.json)}`);
  const { key_id, api_key: key } = made.json.data;
  const [{ org_id }] = await victim.query("select org_id from api_keys where key_id = $1", [key_id]);
  const template = await uploadTemplate({ url: victim.url, key, file: contract(1, "simple"), fields: placesToSign });
  if (template.status !== 200) throw new Error(`creating a template returned ${template.status} ${template.text}`);
  return { org_id, key, template_id: JSON.parse(template.text).data.template_id, send: client(victim.url) };
}

const placesToSign = ["Tenant", "Landlord"].map((role, index) => ({
  name: `Signature of the ${role}`,
  type: "signature",
  role,
  placement: { mode: "absolute", areas: [{ page: 1, x: 0.1, y: 0.5 + 0.2 * index, w: 0.3, h: 0.05 }] },
}));

/** @param {Outcome} outcome */
export function envelopeTable({ killed, histories, acts, open, answers, ends, entries, sends, invitations, replaced, found }) {
  const list = (/** @type {Record<string, number>} */ counts) =>
    Object.entries(counts)
      .map(([name, n]) => `${n} × ${name}`)
      .join(", ");
  return verdictTable(
    [
      ["kills", killsRow(killed)],
      ["histories, actions", `${histories}, ${acts}`],
      ["actions whose result is unknown", String(open)],
      ["responses", list(answers)],
      ["final statuses", list(ends)],
      ["audit entries, all recomputed", String(entries)],
      ["sent, invitations", `${sends}, ${invitations}`],
      ["moves that the table does not list", countOf(found, "illegal")],
      ["chains that do not verify", countOf(found, "chain")],
      ["actions acknowledged but not recorded", countOf(found, "lost")],
      ["actions recorded but never requested", countOf(found, "unasked")],
      ["missing or duplicate events or mail", countOf(found, "count")],
      ["unexpected responses", countOf(found, "answer")],
      ["jobs, events or expiries left over", countOf(found, "stuck")],
      ["replaced jobs left in the queue", String(replaced)],
    ],
    found,
  );
}
