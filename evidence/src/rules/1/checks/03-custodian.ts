import type { Facts, PermissionFacts } from "../../../facts.ts";
import type { Milestone } from "../chain-facts.ts";
import { replayCustody } from "../registers.ts";
import type { Check } from "./check.ts";
import { AGAIN, type Condition, entriesOf, failed, judgeBy } from "./wording.ts";

export const custodian: Check = {
  number: 3,
  id: "custodian",
  weight: 12,
  legal_reference: "UCC 9-105(b)(3)",
  requirement: "The record is maintained by an identified custodian, designated by the depositing organization.",
  judge: (facts) =>
    judgeBy(facts, [isAssigned, isMember, isDesignated, isAsRecorded, isUnbroken], (all) => {
      const { user_id, permission_id, activated_at } = active(all)[0] ?? noOne;
      return `Custodian ${user_id} (${permission_id}) since ${activated_at}.`;
    }),
};

const noOne = { user_id: "", permission_id: "", activated_at: "" };
const TRANSFER = `Transfer custody to an active user, ${AGAIN}.`;
const ONLY_REPORTED = "This cannot be repaired, only reported.";

const active = ({ permissions }: Facts): PermissionFacts[] => permissions.filter(({ state }) => state === "active");

const disagrees = (seq: number) => failed(`Custody records do not agree with the audit trail (entry ${seq}).`, ONLY_REPORTED);

const isAssigned: Condition = (facts) => {
  const count = active(facts).length;
  if (count === 1) return null;
  return count === 0
    ? failed("No custodian is assigned.", facts.copy === null ? "Vault the envelope." : TRANSFER)
    : disagrees(lastSeq(facts));
};

const isMember: Condition = (facts) => {
  const user_id = active(facts)[0]?.user_id ?? "";
  if (facts.members.some((member) => member.user_id === user_id && member.active)) return null;
  return failed(`Custodian ${user_id} is no longer an active member.`, TRANSFER);
};

// The first custodian comes with the copy, in the same transaction. For what was signed elsewhere it is the acceptance of the terms
// that designates one.
const isDesignated: Condition = (facts) => {
  const stored = entriesOf(facts, "vault.stored")[0];
  const assigned = entriesOf(facts, "custody.assigned")[0];
  if (stored === undefined || assigned?.seq !== stored.seq + 1) return disagrees(assigned?.seq ?? lastSeq(facts));
  if (facts.source === "signed_here") return null;
  const isAccepted = entriesOf(facts, "certification.accepted").some(({ seq }) => seq < assigned.seq);
  return isAccepted
    ? null
    : failed(`Nobody accepted the certification terms before the custodian was assigned (entry ${assigned.seq}).`, ONLY_REPORTED);
};

// Times are left out: a row has the time at which its transaction began, an entry the time at which it was written.
const isAsRecorded: Condition = (facts) => {
  const { permissions, fault } = replayCustody(facts.chain.milestones);
  if (fault !== null) return disagrees(fault.seq);
  const differing = permissions.find((replayed) => {
    const row = facts.permissions.find(({ permission_id }) => permission_id === replayed.permission_id);
    return row?.user_id !== replayed.user_id || row.from_user_id !== replayed.from_user_id || row.state !== replayed.state;
  });
  if (differing !== undefined) return disagrees(differing.last_seq);
  return permissions.length === facts.permissions.length ? null : disagrees(lastSeq(facts));
};

const isUnbroken: Condition = (facts) => {
  const held = facts.permissions.filter(({ activated_at }) => activated_at !== null);
  const spans = held.sort((a, b) => order(a.activated_at ?? "", b.activated_at ?? ""));
  let until = facts.copy?.stored_at ?? null;
  for (const { activated_at, closed_at, state } of spans) {
    if (until === null || activated_at === null || activated_at < until) return disagrees(lastSeq(facts));
    if (activated_at > until) return failed(`Custody has a gap from ${until} to ${activated_at}.`, ONLY_REPORTED);
    if ((closed_at === null) !== (state === "active")) return disagrees(lastSeq(facts));
    until = closed_at;
  }
  return null;
};

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const lastSeq = ({ chain }: Facts): number =>
  chain.milestones.filter(({ type }: Milestone) => type.startsWith("custody.") || type === "vault.stored").at(-1)?.seq ?? 0;
