import { retryDelay } from "../../outbound/retry-schedule.ts";
import { sendRequest } from "../../outbound/send-request.ts";
import { signDelivery } from "../../outbound/sign-delivery.ts";
import type { ActId, OrgId } from "../../shared/ids.ts";
import { Problem, problems } from "../../shared/problems.ts";
import { findAct } from "../acts/store.ts";
import { inTurn } from "../in-turn.ts";
import { type Answer, isTold, readAnswer } from "./answer.ts";
import { openSecret, type Registration, type Registry, type RegistryDeps } from "./registry.ts";
import { abandonRegistration, settleRegistration } from "./settle-registration.ts";
import { claimRegistration, closeRegistration, delayRegistration, findDueRegistrations, lookUpRegistry } from "./store.ts";

interface RegistrationRef {
  readonly org_id: OrgId;
  readonly act_id: ActId;
}

// Longer than a request can last, with its limits.
const CLAIM_SECONDS = 120;

/**
 * Sends one attempt and takes the answer. The registry recognizes a repeated request by its idempotency key, the id of the act: after an
 * answer that was lost, the next attempt gets the same answer.
 */
export async function sendRegistration(deps: RegistryDeps, { org_id: org, act_id }: RegistrationRef): Promise<void> {
  // Otherwise a notice would use up its attempts and its time while the installation is held, and be given up.
  if (!(await deps.registry.outbound.mayLeave())) return;
  const claimed = await deps.db.tx(org, async (tx) => {
    const one = await claimRegistration(tx, org, act_id, CLAIM_SECONDS);
    if (one === null) return null;
    const registry = await lookUpRegistry(tx, org);
    const { state } = await findAct(tx, org, act_id);
    // An act that ended needs no answer, and a registry that was removed gives none.
    if (registry !== null && (one.mode === "notify" || state === "registering")) return { one, registry, now: tx.now };
    await closeRegistration(tx, org, act_id, { outcome: registry === null ? "given_up" : "ignored" });
    return null;
  });
  if (claimed === null) return;
  const { one, registry, now } = claimed;
  const result = await sendRequest(deps.registry.outbound, requestOf(deps, org, one, registry, now), new AbortController().signal);
  const answer = readAnswer(result);
  const isDone = one.mode === "notify" ? isTold(result) : answer.kind !== "failed";
  await deps.db.tx(org, async (tx) => {
    if (!isDone && answer.kind === "failed") {
      const isOver = tx.now >= one.give_up_at;
      if (isOver && one.mode === "notify") return closeRegistration(tx, org, act_id, { outcome: "given_up" });
      return delayRegistration(tx, org, act_id, delayAfter(deps, one, answer), answer.error);
    }
    if (one.mode === "notify") return closeRegistration(tx, org, act_id, { outcome: "told" });
  });
  if (one.mode === "gate" && answer.kind !== "failed") await settle(deps, org, act_id, registry, answer);
}

/** If the record does not allow the act any more, such as under a hold, the act ends and its entry says why. */
async function settle(deps: RegistryDeps, org: OrgId, act_id: ActId, registry: Registry, answer: Answered): Promise<void> {
  try {
    await deps.db.tx(org, (tx) => settleRegistration(tx, org, act_id, registry, answer));
  } catch (error) {
    if (!(error instanceof Problem) || problems[error.code].kind !== "conflict") throw error;
    await deps.db.tx(org, (tx) => abandonRegistration(tx, org, act_id, answer, error.code));
  }
}

type Answered = Exclude<Answer, { kind: "failed" }>;

/** Signed as webhooks are. */
function requestOf({ registry: parts }: RegistryDeps, org: OrgId, { act_id, body }: Registration, registry: Registry, now: Date) {
  const headers = {
    "content-type": "application/json",
    accept: "application/json",
    "user-agent": `Countersign-Registry/${parts.version}`,
    "idempotency-key": act_id,
    ...signDelivery([openSecret(parts, org, registry)], act_id, now, body),
  };
  return { method: "POST", url: registry.url, headers, body } as const;
}

/** The schedule of webhooks. Its last pause repeats, because an act waits longer than a delivery. */
function delayAfter({ registry }: RegistryDeps, { attempts }: Registration, failure: Extract<Answer, { kind: "failed" }>): number {
  const { code, error, retry_after_seconds } = failure;
  const schedule = registry.retrySchedule;
  const tried = code === null ? ({ kind: "failed", error } as const) : ({ kind: "answered", code, retry_after_seconds } as const);
  const last = Math.max(1, Math.min(attempts, schedule.length));
  return retryDelay(schedule, last, tried, Math.random()) ?? schedule.at(-1) ?? 0;
}

// Registrations per run; the next run takes the rest.
const AT_ONCE = 100;

/** Sends all that are due again. Returns how many. */
export async function resendRegistrations(deps: RegistryDeps, atOnce = AT_ONCE): Promise<number> {
  const due = await deps.db.system((tx) => findDueRegistrations(tx, atOnce));
  return inTurn(due, async (ref) => {
    await sendRegistration(deps, ref);
    return true;
  });
}
