import type { Facts } from "../../../facts.ts";
import type { Milestone } from "../chain-facts.ts";
import type { Check } from "./check.ts";
import { AGAIN, type Condition, entriesOf, type Failed, failed, judgeBy, lastStoring, requiredSigners, signedBy } from "./wording.ts";

export const auditTrail: Check = {
  number: 6,
  id: "audit_trail",
  weight: 13,
  legal_reference: "UCC 9-105(b)(6)",
  requirement: "A complete, ordered and time-stamped audit trail makes every action, and any amendment, identifiable.",
  judge: (facts) =>
    judgeBy(facts, [isChained, isComplete, isInCheckpoint, isTimed, isOneRevision], ({ chain, checkpoint, time }) => {
      const clock = time.token === null ? "self-operated clock" : `time stamp of ${time.token.gen_time}`;
      return `${chain.head?.seq} entries verify; checkpoint ${checkpoint?.tree_size} at ${checkpoint?.at} (${clock}).`;
    }),
};

const ONLY_REPORTED = "A broken chain cannot be repaired, only reported.";
const TAKE_CHECKPOINT = `Have the envelope's entries taken into a signed checkpoint, ${AGAIN}.`;
const RESTORE_AUTHORITY = `Restore or configure the time-stamp authority, ${AGAIN}.`;

export const isChained: Condition = ({ chain }) => {
  if (chain.fault !== null) return failed(`Entry ${chain.fault.seq} is missing or altered.`, ONLY_REPORTED);
  return null;
};

/** A stretch of the trail: each entry after the one before it. `of`: only what this signer did. */
type Step = { readonly type: string; readonly of?: string; readonly last?: true };

export const isComplete: Condition = (facts) => {
  for (const path of pathsOf(facts)) {
    const fault = pathFault(facts, path);
    if (fault !== null) return fault;
  }
  return null;
};

const CERTIFIED: Step = { type: "certification.accepted" };
const SENT: Step = { type: "envelope.sent" };
const COMPLETED: Step = { type: "envelope.completed" };
const STORED: Step = { type: "vault.stored" };

function pathsOf(facts: Facts): Step[][] {
  const stored = [STORED, { type: "custody.assigned" }];
  if (facts.source !== "signed_here") {
    const received = [{ type: "envelope.created" }, { type: "document.received" }];
    return [[...received, CERTIFIED, { type: "attestation.recorded" }, COMPLETED, ...stored]];
  }
  const frame = [{ type: "envelope.created" }, { type: "document.prepared" }, SENT, COMPLETED, { type: "document.stamped" }, ...stored];
  return [frame, ...signerPaths(facts), [CERTIFIED, facts.envelope.auto_vault_enabled ? SENT : STORED]];
}

// Another provider records the acts of its signers in a document of its own.
function signerPaths(facts: Facts): Step[][] {
  if (signedBy(facts) !== "signed_here") return [];
  return requiredSigners(facts).flatMap(({ slug }) => {
    const of = slug ?? "";
    const questions = facts.envelope.kba_required ? [{ type: "kba.passed", of }] : [];
    const acts = [
      { type: "document.rendered", of },
      { type: "consent.accepted", of },
      { type: "signature.applied", of },
    ];
    return [
      [SENT, { type: "signer.opened", of }, ...questions, ...acts],
      [{ type: "signature.applied", of, last: true as const }, COMPLETED],
    ];
  });
}

function pathFault(facts: Facts, path: readonly Step[]): Failed | null {
  let after = 0;
  for (const { type, of, last } of path) {
    const entries = entriesOf(facts, type).filter(({ actor }) => of === undefined || (actor.kind === "signer" && actor.id === of));
    if (entries.length === 0) return failed(`${type} is missing.`, ONLY_REPORTED);
    const next = nextOf(entries, type, { after, last });
    if (next === undefined) return failed(`${type} is out of order.`, ONLY_REPORTED);
    after = next.seq;
  }
  return null;
}

// A signer may open, read and be asked again in another signing session; but what was signed before consent, or stored before
// completion, is not mended by doing it again.
const ONCE: readonly string[] = ["signature.applied", "envelope.completed", "vault.stored", "custody.assigned"];

function nextOf(
  entries: readonly Milestone[],
  type: string,
  { after, last }: { after: number; last: true | undefined },
): Milestone | undefined {
  if (last === true) return entries.at(-1);
  const isOnce = ONCE.includes(type);
  return (isOnce ? entries.slice(0, 1) : entries).find(({ seq }) => seq > after);
}

export const isInCheckpoint: Condition = (facts) => {
  const last = lastStoring(facts)?.seq ?? Number.POSITIVE_INFINITY;
  const { checkpoint } = facts;
  if (checkpoint?.signed === true && checkpoint.covers_seq >= last) return null;
  return failed("The trail is not in a signed checkpoint.", TAKE_CHECKPOINT);
};

// The authority's clock may run a little behind ours; and a token that comes a day later says nothing about that day.
const TOKEN_EARLY_MS = 5_000;
const TOKEN_LATE_MS = 24 * 3_600_000;

const isTimed: Condition = (facts) => {
  const { time, org, checkpoint } = facts;
  if (!time.configured && !org.require_external_time) return null;
  const { token } = time;
  if (token === null && !time.configured) {
    return failed("This organization requires an external time stamp and none is configured.", RESTORE_AUTHORITY);
  }
  const none = (why: string) => failed(`No time stamp from the configured authority (${why}).`, RESTORE_AUTHORITY);
  if (token === null) return none(time.failure ?? "none was asked for");
  if (!token.valid) return none(token.fault ?? "not valid");
  if (token.tree_size < (checkpoint?.tree_size ?? 0)) return none("it is about an earlier checkpoint");
  return isInWindow(token.gen_time, lastStoring(facts)?.at ?? "") ? null : none(`its time ${token.gen_time} is not that of the storing`);
};

/** Whether a token's time fits the last entry of the storing transaction. */
export function isInWindow(gen_time: string, stored_at: string): boolean {
  const later_ms = Date.parse(gen_time) - Date.parse(stored_at);
  return later_ms >= -TOKEN_EARLY_MS && later_ms <= TOKEN_LATE_MS;
}

const isOneRevision: Condition = ({ seal }) => {
  if (seal !== null && seal.revisions === seal.sealed_revisions + 1) return null;
  return failed("The stored PDF has a revision that the trail does not name.", "This cannot be repaired, only reported.");
};
