import { Problem } from "../../shared/problems.ts";
import { inTurn } from "../in-turn.ts";
import { commitRelease } from "./commit-release.ts";
import { withdrawTransfer } from "./ended-transfers.ts";
import { PackageAway } from "./fetch-package.ts";
import { importRecord } from "./import-record.ts";
import type { LinkDeps, TransferRef, VaultTransfer } from "./link.ts";
import { ensureMessage } from "./message.ts";
import { packRecord } from "./pack-record.ts";
import { pauseAfter } from "./pause-after.ts";
import { receiveMessage } from "./receive-message.ts";
import { findVault } from "./remote-store.ts";
import { type SentAnswer, sendMessage } from "./send-message.ts";
import { findDueLinks, isOverdue, lookUpTransfer, recordAttempt, settleTransfer } from "./store.ts";
import { type Direction, isFinal, messageOf, ownStep, stateAfter, type TransferEvent, type TransferState } from "./transfer.ts";
import { verifyPackage } from "./verify-package.ts";

// A transfer has far fewer steps. More than this means that the two sides do not agree, and the next run tells.
const MOST_STEPS = 16;

/**
 * Does the next steps of one side of a transfer, and sends the message that the other side waits for. Every step may be repeated: after a
 * crash, or when a message was lost, the next run goes on from what was committed. The answer to a message brings the other's latest one, so
 * a vault that cannot be reached from outside still learns everything.
 */
export async function continueTransfer(deps: LinkDeps, ref: TransferRef): Promise<void> {
  if (!(await deps.links.outbound.mayLeave())) return;
  for (let steps = 0; steps < MOST_STEPS; steps++) {
    const one = await deps.db.tx(ref.org_id, (tx) => lookUpTransfer(tx, ref.org_id, ref.transfer_id, ref.direction));
    if (one === null || one.settled_at !== null) return;
    if (!(await advance(deps, ref, one))) return;
  }
}

/** The same for all that are due. Returns how many. */
export async function resendTransfers(deps: LinkDeps, atOnce = AT_ONCE): Promise<number> {
  const due = await deps.db.system((tx) => findDueLinks(tx, atOnce));
  return inTurn(due, async (ref) => {
    await continueTransfer(deps, ref);
    return true;
  });
}

// Transfers per run; the next run takes the rest.
const AT_ONCE = 100;

/** Whether there may be more to do at once. */
async function advance(deps: LinkDeps, ref: TransferRef, one: VaultTransfer): Promise<boolean> {
  if (await expire(deps, ref, one)) return true;
  const step = ownStep(ref.direction, one.state);
  try {
    if (step === null) return await deliver(deps, ref, one);
    await ownSteps[step]?.(deps, ref.org_id, one);
    return (await stateOf(deps, ref)) !== one.state;
  } catch (error) {
    if (!(error instanceof PackageAway || error instanceof Problem)) throw error;
    await pause(deps, ref, one, error instanceof Problem ? error.code : error.message);
    return false;
  }
}

const ownSteps: Partial<Record<TransferEvent, (deps: LinkDeps, org: TransferRef["org_id"], one: VaultTransfer) => Promise<void>>> = {
  pack: packRecord,
  commit: commitRelease,
  verify: verifyPackage,
  import: importRecord,
};

const stateOf = async ({ db }: LinkDeps, { org_id, transfer_id, direction }: TransferRef): Promise<TransferState | null> =>
  (await db.tx(org_id, (tx) => lookUpTransfer(tx, org_id, transfer_id, direction)))?.state ?? null;

/** The sender takes an offer back that no one took up in time. */
async function expire(deps: LinkDeps, { org_id, direction }: TransferRef, one: VaultTransfer): Promise<boolean> {
  if (direction !== "out" || stateAfter("out", one.state, "withdraw") === null) return false;
  if (!(await deps.db.tx(org_id, (tx) => isOverdue(tx, org_id, one)))) return false;
  return withdrawTransfer(deps, org_id, one.transfer_id, "expired");
}

const pause = (deps: LinkDeps, ref: TransferRef, { attempts }: VaultTransfer, error: string | null): Promise<void> =>
  deps.db.tx(ref.org_id, (tx) => recordAttempt(tx, ref, { seconds: pauseAfter(attempts), error }));

/** Sends what the other side waits for, and takes what it answers. */
async function deliver(deps: LinkDeps, ref: TransferRef, one: VaultTransfer): Promise<boolean> {
  const { org_id: org, direction } = ref;
  const kind = messageOf(direction, one.state);
  if (kind === null) {
    // A person decides next, or the other side does.
    await deps.db.tx(org, (tx) => recordAttempt(tx, ref, { seconds: null, error: null }));
    return false;
  }
  const message = await ensureMessage(deps, org, one, kind);
  if (message === null) {
    await deps.db.tx(org, (tx) => recordAttempt(tx, ref, { seconds: pauseAfter(0), error: "waiting_for_witnesses" }));
    return false;
  }
  const vault = await deps.db.tx(org, (tx) => findVault(tx, org, one.vault_id));
  const answer = await sendMessage(deps.links, vault, message);
  if (isSettled(direction, one.state, answer)) {
    await deps.db.tx(org, (tx) => settleTransfer(tx, ref));
    return false;
  }
  if (answer.kind === "taken" && answer.reply !== null) {
    await receiveMessage.apply(deps, await receiveMessage.admit(deps, answer.reply, org));
    if ((await stateOf(deps, ref)) !== one.state) return true;
  }
  await pause(deps, ref, one, answer.kind === "failed" ? answer.error : answer.kind === "unknown" ? "unknown_there" : null);
  return false;
}

/** Whether the other side has taken the last message of this one. What was recovered is settled only when the receiver has not stored it. */
function isSettled(direction: Direction, state: TransferState, answer: SentAnswer): boolean {
  if (state === "recovered") return answer.kind === "taken" && answer.state === "cancelled";
  if (!isFinal(direction, state) || answer.kind === "failed") return false;
  if (answer.kind === "unknown") return state === "cancelled";
  return isFinal(direction === "out" ? "in" : "out", answer.state);
}
