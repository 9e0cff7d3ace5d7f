// The clients: admins of several orgs who create API keys, some with an Idempotency-Key, and record what they sent and received.
import { setTimeout as delay } from "node:timers/promises";
import { isUnsent, retryAfter } from "./api.mjs";
import { randomFrom } from "./random.mjs";

// Per org. An admin has 300 calls a minute: two clients with these pauses stay below 240, including repeats.
const CLIENTS_PER_ORG = 2;
const PAUSE_MS = [400, 800];
const POLL_MS = 50;
// Longer than the wait of a 429.
const REST_WITHIN_MS = 120_000;

const IDEMPOTENT = 0.4;
// Of the idempotent requests: two at once, and a repeat after the response.
const TWIN = 0.25;
const REPEAT = 0.25;

/**
 * @typedef {object} Org
 * @property {number} index
 * @property {import("./api.mjs").Send} send
 * @property {() => Promise<string>} token
 */

/** @param {{ orgs: Org[], history: import("./history.mjs").History, seed: number }} run */
export function startClients({ orgs, history, seed }) {
  let paused = false;
  let stopped = false;
  let busy = 0;
  let trouble = "";
  const workers = orgs.flatMap((org) => Array.from({ length: CLIENTS_PER_ORG }, (_, worker) => work(org, worker)));

  /** @param {Org} org @param {number} worker */
  async function work(org, worker) {
    const random = randomFrom(seed * 1000 + org.index * 10 + worker + 1);
    for (let turn = 0; !stopped; turn++) {
      while (paused && !stopped) await delay(POLL_MS);
      if (stopped) return;
      busy++;
      await makeKey(org, `op-${org.index}-${worker}-${turn}`, random).finally(() => busy--);
      await delay(random.between(PAUSE_MS[0] ?? 0, PAUSE_MS[1] ?? 0));
    }
  }

  /** @param {Org} org @param {string} op @param {import("./random.mjs").Random} random */
  async function makeKey(org, op, random) {
    const idempotent = random.happens(IDEMPOTENT);
    const [twin, repeat] = [random.happens(TWIN), random.happens(REPEAT)];
    await history.append({ kind: "invoke", op, org: org.index, idempotent });
    if (!idempotent) return void (await ask(org, op, {}));
    const once = () => ask(org, op, { "idempotency-key": op });
    // Repeated until the result is known, which is the purpose of the header.
    let answers = await Promise.all(twin ? [once(), once()] : [once()]);
    while (!answers.some(isSettled) && !stopped) {
      await delay(POLL_MS);
      answers = [await once()];
    }
    if (repeat) await once();
  }

  /** Sends one request. Returns the recorded status, or null if the response was lost. @param {Org} org @param {string} op @param {Record<string, string>} headers */
  async function ask(org, op, headers) {
    const body = { partner_name: op, scopes: ["envelopes:read"] };
    while (!stopped) {
      const token = await org.token().catch(noteTrouble);
      const sent =
        token === null ? null : org.send("POST", "/partners/keys", { headers: { authorization: `Bearer ${token}`, ...headers }, body });
      const outcome = sent === null ? "unsent" : await note(op, sent);
      if (outcome !== "unsent") return outcome;
      await delay(POLL_MS);
    }
    return null;
  }

  /** There is no token while the service is down. @param {unknown} error */
  function noteTrouble(error) {
    trouble = String(error);
    return null;
  }

  /** Records the result of a request; "unsent" if the connection was refused. @param {string} op @param {Promise<import("./api.mjs").Answer>} sent */
  async function note(op, sent) {
    const answer = await sent.catch((error) => ({ error }));
    if ("error" in answer && isUnsent(answer.error)) return "unsent";
    if ("error" in answer) {
      await history.append({ kind: "lost", op, error: String(answer.error.code ?? answer.error.message) });
      return null;
    }
    const { status, json, headers } = answer;
    const refusal = { error: json?.error, request_id: String(headers["x-request-id"]) };
    const content = status === 201 ? { key_id: json.data.key_id, api_key: json.data.api_key } : refusal;
    await history.append({ kind: "answer", op, status, ...content });
    if (status === 429) await delay(retryAfter(answer) * 1000, undefined, { ref: false });
    return { status, error: String(json?.error ?? "") };
  }

  return {
    /** Resolves when no request is running any more. */
    async pause() {
      paused = true;
      const deadline = performance.now() + REST_WITHIN_MS;
      while (busy > 0 && performance.now() < deadline) await delay(POLL_MS);
      if (busy > 0) throw new Error(`${busy} clients are still busy; the last session error: ${trouble}`);
    },
    resume() {
      paused = false;
    },
    async stop() {
      stopped = true;
      await Promise.all(workers);
    },
  };
}

/** Whether the key was created or never will be. A 5xx may have come after the commit. @param {{ status: number, error: string } | null} answer */
function isSettled(answer) {
  if (answer === null || answer.status >= 500 || answer.status === 429) return false;
  return answer.status !== 409 || wasMade(answer);
}

/** The response to a repeat, which does not show the secret again. @param {{ status?: number, error?: string }} answer */
export function wasMade({ status, error }) {
  return status === 409 && (error ?? "").startsWith("This request already succeeded");
}
