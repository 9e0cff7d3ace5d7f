// Kills the service while events are delivered, and compares what was acknowledged, what arrived and what the API shows.
import { setTimeout as delay } from "node:timers/promises";
import { verifyWebhook } from "@countersign/client";
import { startReceiver } from "./receiver.mjs";
import { ask, countOf, killAtRandom, killsRow, verdictTable } from "./runner.mjs";

// An admin has 300 calls a minute.
const PAUSE_MS = [250, 500];
// A lease of 30 s, which may be taken over and interrupted again, and the first waits of the retry schedule.
const ARRIVES_WITHIN_MS = 120_000;
const FAILS_EVERY = 5;
const PAGE = 200;

/**
 * @typedef {object} Outcome
 * @property {Record<string, number>} killed by target
 * @property {number} acknowledged events @property {number} expected deliveries @property {number} requests that arrived
 * @property {number} duplicates @property {number} interrupted attempts that a kill cut off, as the API shows them
 * @property {string[]} found every violation
 */
/** @typedef {Awaited<ReturnType<typeof startReceiver>>} Receiver */
/** @typedef {{ org: import("./clients.mjs").Org, kind: string, receiver: Receiver, endpoint_id: string, secret: string }} Target */

/**
 * @param {object} run
 * @param {ReturnType<typeof import("./victim.mjs").startVictim>} run.victim
 * @param {import("./clients.mjs").Org[]} run.orgs
 * @param {import("./history.mjs").History} run.history
 * @param {import("./random.mjs").Random} run.random
 * @param {"service" | "postgres" | "both"} run.target
 * @param {number} run.kills @param {number} run.deadline @param {(undo: () => unknown) => void} run.later
 * @returns {Promise<Outcome>}
 */
export async function attackDeliveries({ victim, orgs, history, random, target, kills, deadline, later }) {
  const targets = (await Promise.all(orgs.map((org) => makeTargets(org, later)))).flat();
  /** @type {Map<string, number>} event and the index of its org */
  const acknowledged = new Map();
  let stopped = false;
  const clients = orgs.map(async (org) => {
    const key_id = (await ask(org, "POST", "/partners/keys", { partner_name: "Chaos", scopes: ["webhooks:read"] })).json.data.key_id;
    while (!stopped) {
      const answer = await ask(org, "POST", `/partners/keys/${key_id}/test-webhook`).catch(() => null);
      if (answer?.status === 202) {
        await history.append({ kind: "answer", org: org.index, status: 202, event_id: answer.json.data.event_id });
        acknowledged.set(answer.json.data.event_id, org.index);
      }
      await delay(random.between(PAUSE_MS[0] ?? 0, PAUSE_MS[1] ?? 0));
    }
  });
  const killed = await killAtRandom({ victim, history, random, target, kills, deadline });
  stopped = true;
  await Promise.all(clients);
  return check(victim, targets, acknowledged, killed);
}

/** The response of each kind of receiver to its n-th request. @type {Record<"well" | "flaky" | "hanging", (n: number) => number | null>} */
const answers = { well: () => 204, flaky: (n) => (n % FAILS_EVERY === 0 ? 500 : 204), hanging: () => null };

/** @param {import("./clients.mjs").Org} org @param {(undo: () => unknown) => void} later @returns {Promise<Target[]>} */
async function makeTargets(org, later) {
  const targets = [];
  for (const kind of /** @type {const} */ (["well", "flaky", "hanging"])) {
    const receiver = await startReceiver({ later }, answers[kind]);
    const { json } = await ask(org, "POST", "/webhooks/endpoints", { url: receiver.url });
    targets.push({ org, kind, receiver, endpoint_id: json.data.endpoint_id, secret: json.data.secret });
  }
  return targets;
}

/**
 * @param {ReturnType<typeof import("./victim.mjs").startVictim>} victim @param {Target[]} targets
 * @param {Map<string, number>} acknowledged @param {Record<string, number>} killed
 * @returns {Promise<Outcome>}
 */
async function check(victim, targets, acknowledged, killed) {
  const answering = targets.filter(({ kind }) => kind !== "hanging");
  const expected = answering.flatMap((target) =>
    [...acknowledged].filter(([, org]) => org === target.org.index).map(([id]) => ({ target, id })),
  );
  const missing = () => expected.filter(({ target, id }) => !target.receiver.arrived.some((one) => idOf(one) === id));
  const deadline = performance.now() + ARRIVES_WITHIN_MS;
  while (missing().length > 0 && performance.now() < deadline) await delay(250);
  const found = missing().map(({ target, id }) => `missed: ${id} never reached the ${target.kind} receiver of org ${target.org.index}`);
  let interrupted = 0;
  for (const target of targets) {
    found.push(...(await faultsOfRequests(target)));
    const attempts = await allAttempts(target);
    interrupted += attempts.filter(({ error }) => error === "interrupted").length;
    found.push(...unseen(target, attempts));
  }
  const requests = answering.flatMap(({ receiver }) => receiver.arrived.map((one) => `${receiver.url} ${idOf(one)}`));
  found.push(...victim.badEnds);
  const duplicates = requests.length - new Set(requests).size;
  return {
    killed,
    acknowledged: acknowledged.size,
    expected: expected.length,
    requests: requests.length,
    duplicates,
    interrupted,
    found,
  };
}

/** @param {import("./receiver.mjs").Arrived} arrived */
export const idOf = ({ headers }) => String(headers["webhook-id"]);

/** The same bytes for one id, and a signature that is valid at the time of arrival. @param {Pick<Target, "kind" | "receiver" | "secret">} target */
export async function faultsOfRequests({ kind, receiver, secret }) {
  const faults = [];
  /** @type {Map<string, Buffer>} */
  const bodies = new Map();
  for (const one of receiver.arrived) {
    const { headers, body, at } = one;
    const id = idOf(one);
    if (!(bodies.get(id) ?? body).equals(body)) faults.push(`changed: ${id} came to the ${kind} receiver with other bytes`);
    bodies.set(id, body);
    const event = await verifyWebhook(body, headers, secret, { now: at }).catch((error) => String(error));
    if (typeof event === "string" || event.event_id !== id)
      faults.push(`forged: ${id} came to the ${kind} receiver: ${JSON.stringify(event)}`);
  }
  return faults;
}

/** @param {Target} target @returns {Promise<any[]>} */
async function allAttempts({ org, endpoint_id }) {
  const attempts = [];
  for (let page = 1; ; page++) {
    const { json } = await ask(org, "GET", `/webhooks/endpoints/${endpoint_id}/deliveries?page=${page}&limit=${PAGE}`);
    attempts.push(...json.data);
    if (json.data.length < PAGE) return attempts;
  }
}

/** Requests that arrived without a recorded attempt. @param {Target} target @param {any[]} attempts */
function unseen({ kind, receiver }, attempts) {
  const count = (/** @type {string[]} */ ids) =>
    ids.reduce((map, id) => map.set(id, (map.get(id) ?? 0) + 1), /** @type {Map<string, number>} */ (new Map()));
  const recorded = count(attempts.filter(({ attempted_at }) => attempted_at !== null).map(({ event_id }) => event_id));
  return [...count(receiver.arrived.map(idOf))]
    .filter(([id, times]) => times > (recorded.get(id) ?? 0))
    .map(([id, times]) => `unseen: ${id} came ${times} times to the ${kind} receiver and has ${recorded.get(id) ?? 0} attempts on record`);
}

/** @param {Outcome} outcome */
export function webhookTable({ killed, acknowledged, expected, requests, duplicates, interrupted, found }) {
  return verdictTable(
    [
      ["kills", killsRow(killed)],
      ["events acknowledged", String(acknowledged)],
      ["deliveries expected at responding receivers", String(expected)],
      ["requests there, of them duplicates", `${requests}, ${duplicates}`],
      ["recorded attempts that a kill interrupted", String(interrupted)],
      ["missed", countOf(found, "missed")],
      ["duplicates with other bytes", countOf(found, "changed")],
      ["invalid signatures", countOf(found, "forged")],
      ["requests without a record", countOf(found, "unseen")],
    ],
    found,
  );
}
