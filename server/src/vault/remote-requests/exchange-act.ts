import { type ActMessage, type ActOutcome, actOutcomes, readActMessage, writeActMessage } from "@countersign/evidence";
import type { Tx } from "../../db/sql.ts";
import { ensureInstanceKeys } from "../../seals/instance-keys.ts";
import { DAY_MS } from "../../shared/durations.ts";
import type { OrgId } from "../../shared/ids.ts";
import { Problem } from "../../shared/problems.ts";
import { type ActWithDecisions, isOpen } from "../acts/act.ts";
import { readDocument } from "../acts/document.ts";
import { findAct } from "../acts/store.ts";
import { inTurn } from "../in-turn.ts";
import type { LinkDeps, RemoteVault, SignedMessage } from "../links/link.ts";
import { onOneLine } from "../links/message.ts";
import { LONGEST_PAUSE_SECONDS, pauseAfter } from "../links/pause-after.ts";
import { type PostAnswer, postMessage } from "../links/post-message.ts";
import { findVault } from "../links/remote-store.ts";
import { findOrgSettings } from "../store.ts";
import { lookUpAskedVault, recordAskAttempt, settleAskedVault } from "./asked-store.ts";
import { type DueQuestion, findDueActMessages, keepActMessage, lookUpActMessage } from "./message-store.ts";
import { receiveActMessage } from "./receive-act-message.ts";
import { type ActMessageKind, type AskedVault, type Question, type RemoteRequest, sidesOf } from "./request.ts";
import { lookUpRequestOf, recordDecisionAttempt, settleRequest } from "./store.ts";

/** Sends what the other side of a question waits for, and takes what it answers. After a crash or a lost message the next run goes on. */
export async function exchangeAct(deps: LinkDeps, { side, ...question }: DueQuestion): Promise<void> {
  if (!(await deps.links.outbound.mayLeave())) return;
  try {
    await (side === "asker" ? askAgain(deps, question) : tellDecision(deps, question));
  } catch (error) {
    // Otherwise it would be the first of all that are due for ever, and the others would wait behind it.
    await deps.db.tx(question.org_id, (tx) => postpone(tx, side, question));
    throw error;
  }
}

async function postpone(tx: Tx, side: DueQuestion["side"], question: Question): Promise<void> {
  const failed = { seconds: LONGEST_PAUSE_SECONDS, error: "internal_error" };
  if (side === "asker") return recordAskAttempt(tx, question.org_id, question, failed);
  const one = await lookUpRequestOf(tx, question.org_id, question);
  if (one !== null) await recordDecisionAttempt(tx, question.org_id, one, failed);
}

/** The same for all that are due. Returns how many. */
export async function exchangeActs(deps: LinkDeps, atOnce = AT_ONCE): Promise<number> {
  const due = await deps.db.system((tx) => findDueActMessages(tx, atOnce));
  return inTurn(due, async (question) => {
    await exchangeAct(deps, question);
    return true;
  });
}

// Questions per run; the next run takes the rest.
const AT_ONCE = 100;
const MONTH_MS = 30 * DAY_MS;

interface Asking {
  readonly asked: AskedVault;
  readonly act: ActWithDecisions;
  readonly vault: RemoteVault;
  readonly org_name: string;
}

/** The request until the party has decided, and at the end how the act ended. */
async function askAgain(deps: LinkDeps, { org_id: org, act_id, party_id }: Question): Promise<void> {
  const found = await deps.db.tx(org, async (tx): Promise<(Asking & { readonly wasAsked: boolean }) | null> => {
    const asked = await lookUpAskedVault(tx, org, act_id, party_id);
    if (asked === null || asked.settled_at !== null) return null;
    const wasAsked = (await lookUpActMessage(tx, org, asked, "request")) !== null;
    const vault = await findVault(tx, org, asked.vault_id);
    return { asked, act: await findAct(tx, org, act_id), vault, org_name: (await findOrgSettings(tx, org)).name, wasAsked };
  });
  if (found === null) return;
  const { asked, act, vault } = found;
  const settle = () => deps.db.tx(org, (tx) => settleAskedVault(tx, org, asked));
  const isEnded = act.closed_at !== null;
  // What ended before the other side heard of it never begins there. A vault that is no longer pinned is still told of an end, for a month.
  const isOver = isEnded ? !found.wasAsked || Date.now() - (act.closed_at?.getTime() ?? 0) > MONTH_MS : vault.state !== "pinned";
  if (isOver) return settle();
  if (!isEnded && (!isOpen(act) || act.approvals.some((approval) => approval.party_id === party_id))) {
    // The end of the act makes it due. Not for ever, because the act may end before this is written.
    return deps.db.tx(org, (tx) => recordAskAttempt(tx, org, asked, { seconds: LONGEST_PAUSE_SECONDS, error: null }));
  }
  const answer = await send(deps, org, found, isEnded ? "closing" : "request");
  if (answer.kind === "taken" && isEnded) return settle();
  const error = await takeReply(deps, org, answer);
  const isDecided = (await deps.db.tx(org, (tx) => lookUpActMessage(tx, org, asked, "decision"))) !== null;
  if (isDecided && !isEnded) return askAgain(deps, { org_id: org, vault_id: asked.vault_id, act_id, party_id });
  await deps.db.tx(org, (tx) =>
    recordAskAttempt(tx, org, asked, { seconds: pauseAfter(asked.attempts), error, taken: answer.kind === "taken" }),
  );
}

async function send(deps: LinkDeps, org: OrgId, asking: Asking, kind: "request" | "closing"): Promise<PostAnswer> {
  const { asked, act, vault, org_name } = asking;
  const shown = { ...sidesOf(org, asked), act_sha256: act.sha256, act: { ...readDocument(act) }, org_name: onOneLine(org_name) };
  const message = await ensureActMessage(deps, org, asked, kind, (signed) =>
    kind === "request"
      ? ({ ...shown, ...signed, type: "countersign/link/1/request" } as unknown as ActMessage)
      : ({ ...shown, ...signed, type: "countersign/link/1/closing", outcome: outcomeOfAct(act) } as unknown as ActMessage),
  );
  return postMessage(deps.links, vault, message);
}

function outcomeOfAct({ act_id, state }: ActWithDecisions): ActOutcome {
  const outcome = actOutcomes.find((one) => one === state);
  if (outcome === undefined) throw new Error(`${act_id} has ended and is ${state}`);
  return outcome;
}

/** Takes the message that the other side sent along. Returns why it, or what was sent, was refused; null if nothing was. */
async function takeReply(deps: LinkDeps, org: OrgId, answer: PostAnswer): Promise<string | null> {
  if (answer.kind === "failed") return answer.error;
  if (answer.reply === null) return null;
  try {
    await receiveActMessage.apply(deps, await receiveActMessage.admit(deps, answer.reply, org));
    return null;
  } catch (error) {
    if (error instanceof Problem) return error.code;
    throw error;
  }
}

/** The decision, until the asker has it or the act has ended there. */
async function tellDecision(deps: LinkDeps, { org_id: org, ...question }: Question): Promise<void> {
  const found = await deps.db.tx(org, async (tx) => {
    const one = await lookUpRequestOf(tx, org, question);
    return one === null ? null : { one, vault: await findVault(tx, org, one.vault_id) };
  });
  if (found === null || found.one.decision === null || found.one.settled_at !== null) return;
  const { one, vault } = found;
  const message = await ensureActMessage(deps, org, one, "decision", (signed) => decisionOf(org, one, signed));
  const answer = await postMessage(deps.links, vault, message);
  // An act that has ended needs no decision. How it ended, its organization tells in a message of its own.
  // An organization that no longer listens hears nothing of a decision whose time is over.
  const isLate = answer.kind === "failed" && answer.error === "vault_not_pinned" && one.is_overdue;
  const isDone = answer.kind === "taken" || answer.error === "act_closed" || isLate;
  await deps.db.tx(org, (tx) =>
    isDone ? settleRequest(tx, org, one) : recordDecisionAttempt(tx, org, one, { seconds: pauseAfter(one.attempts), error: answer.error }),
  );
}

type Signing = { readonly at: string; readonly key_id: string };

function decisionOf(org: OrgId, one: RemoteRequest, signed: Signing): ActMessage {
  const { decision, decided_by, decided_at, reason } = one;
  if (decision === null || decided_by === null || decided_at === null) throw new Error(`${one.request_id} is not decided`);
  return {
    type: "countersign/link/1/decision",
    asker: { root: one.asker_root, org_id: one.asker_org_id },
    decider: { root: one.decider_root, org_id: org },
    act_id: one.act_id,
    act_sha256: one.act_sha256,
    party_id: one.party_id,
    ...signed,
    decision,
    reason: reason === null ? null : onOneLine(reason),
    decided_at: decided_at.toISOString(),
    decided_by,
  };
}

/** The signed message of this kind. The first one that is kept stays: a repeated call returns the same bytes. */
async function ensureActMessage(
  deps: LinkDeps,
  org: OrgId,
  question: Omit<Question, "org_id">,
  kind: ActMessageKind,
  write: (signed: Signing) => ActMessage,
): Promise<SignedMessage> {
  const kept = await deps.db.tx(org, (tx) => lookUpActMessage(tx, org, question, kind));
  if (kept !== null) return kept;
  const { records, at } = await ensureInstanceKeys(deps.seals);
  // A time at which the records key was in use, also if it is replaced before the message is sent.
  const bytes = Buffer.from(writeActMessage(write({ at: at.toISOString(), key_id: records.key_id })));
  if (readActMessage(bytes) === null) throw new Error(`the ${kind} about ${question.act_id} is not a message`);
  const signature = Buffer.from(await (await deps.records(records.key_id)).sign(bytes));
  return deps.db.tx(org, async (tx) => {
    await keepActMessage(tx, org, question, kind, { bytes, signature });
    return (await lookUpActMessage(tx, org, question, kind)) as SignedMessage;
  });
}
