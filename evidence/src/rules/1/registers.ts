// Who kept the copy and who was its assignee, replayed from the entries alone. Rows of a table can be compared with this, and an
// offline reader needs nothing else.

import { canonicalize, type Json } from "../../canonical.ts";
import type { PermissionState } from "../../facts.ts";
import { hashOfJson, type Milestone } from "./chain-facts.ts";

export type ReplayedPermission = {
  readonly permission_id: string;
  readonly user_id: string;
  readonly from_user_id: string | null;
  readonly state: PermissionState;
  /** times and numbers are those of the entries */
  readonly activated_at: string | null;
  readonly closed_at: string | null;
  readonly last_seq: number;
};

export type ReplayedAssignment = {
  readonly seq: number;
  readonly party: Json;
  readonly party_sha256: string;
  readonly consent: Json;
  readonly recorded_at: string;
  readonly entry_seq: number;
};

/** The entry that cannot have happened after those before it. */
export type RegisterFault = { readonly seq: number; readonly reason: string };

export type Custody = { readonly permissions: readonly ReplayedPermission[]; readonly fault: RegisterFault | null };
export type Assignments = { readonly assignments: readonly ReplayedAssignment[]; readonly fault: RegisterFault | null };

/** The registers of a bundle, `registers.json` once canonical. */
export type Registers = {
  readonly type: "countersign/registers/1";
  readonly custody: readonly ReplayedPermission[];
  readonly assignments: readonly ReplayedAssignment[];
};

/** Null where the entries contradict one another; then `replayCustody` or `replayAssignments` says where. */
export function registersOf(milestones: readonly Milestone[]): Registers | null {
  const custody = replayCustody(milestones);
  const register = replayAssignments(milestones);
  if (custody.fault !== null || register.fault !== null) return null;
  return { type: "countersign/registers/1", custody: custody.permissions, assignments: register.assignments };
}

/**
 * Custody from its entries: from `vault.stored` on exactly one permission is active, until the copy leaves by `vault.exported`.
 * @example replayCustody(facts.chain.milestones).permissions.filter(({ state }) => state === "active")
 */
export function replayCustody(milestones: readonly Milestone[]): Custody {
  const permissions = new Map<string, ReplayedPermission>();
  let ended = false;
  for (const entry of milestones) {
    const move = custodyMoves.get(entry.type);
    if (move === undefined) continue;
    const reason = ended ? "after the copy had left" : move(permissions, entry);
    if (reason !== null) return { permissions: [...permissions.values()], fault: { seq: entry.seq, reason } };
    ended = entry.type === "vault.exported";
  }
  return { permissions: [...permissions.values()], fault: null };
}

/** Applies one entry, or says why it cannot have happened. */
type Move = (permissions: Map<string, ReplayedPermission>, entry: Milestone) => string | null;

const closing =
  (state: PermissionState): Move =>
  (permissions, entry) => {
    const pending = permissions.get(text(entry, "permission_id"));
    if (pending?.state !== "pending") return "no transfer is pending under this permission";
    permissions.set(pending.permission_id, { ...pending, state, closed_at: entry.at, last_seq: entry.seq });
    return null;
  };

const custodyMoves: ReadonlyMap<string, Move> = new Map(
  Object.entries<Move>({
    "custody.assigned": (permissions, entry) => {
      const [permission_id, user_id] = [text(entry, "permission_id"), text(entry, "user_id")];
      if (permissions.size > 0) return "a second first custodian";
      if (permission_id === "" || user_id === "") return "nobody is named";
      const fresh = { from_user_id: null, state: "active", activated_at: entry.at, closed_at: null, last_seq: entry.seq } as const;
      permissions.set(permission_id, { permission_id, user_id, ...fresh });
      return null;
    },
    "custody.initiated": (permissions, entry) => {
      const [permission_id, user_id, from] = [text(entry, "permission_id"), text(entry, "user_id"), text(entry, "from_user_id")];
      const all = [...permissions.values()];
      if (permission_id === "" || permissions.has(permission_id)) return "a permission that is already known";
      if (all.some(({ state }) => state === "pending")) return "another transfer is pending";
      if (activeOf(permissions)?.user_id !== from || user_id === from || user_id === "") return "not from the custodian to another user";
      const fresh = { state: "pending", activated_at: null, closed_at: null, last_seq: entry.seq } as const;
      permissions.set(permission_id, { permission_id, user_id, from_user_id: from, ...fresh });
      return null;
    },
    "custody.accepted": (permissions, entry) => {
      const pending = permissions.get(text(entry, "permission_id"));
      const before = activeOf(permissions);
      if (pending?.state !== "pending" || pending.user_id !== text(entry, "user_id")) return "no such transfer is pending";
      if (before === undefined || before.permission_id !== text(entry, "released_permission_id")) return "it releases somebody else";
      permissions.set(before.permission_id, { ...before, state: "released", closed_at: entry.at, last_seq: entry.seq });
      permissions.set(pending.permission_id, { ...pending, state: "active", activated_at: entry.at, last_seq: entry.seq });
      return null;
    },
    "custody.rejected": closing("rejected"),
    "custody.cancelled": closing("cancelled"),
    "custody.expired": closing("expired"),
    "vault.exported": (permissions, entry) => {
      const before = activeOf(permissions);
      if (before === undefined || before.permission_id !== text(entry, "permission_id")) return "it releases somebody else";
      permissions.set(before.permission_id, { ...before, state: "released", closed_at: entry.at, last_seq: entry.seq });
      return null;
    },
  }),
);

const activeOf = (permissions: ReadonlyMap<string, ReplayedPermission>): ReplayedPermission | undefined =>
  [...permissions.values()].find(({ state }) => state === "active");

/** The assignees in their order: each hash is that of its party, and every change has the consent of the party before. */
export function replayAssignments(milestones: readonly Milestone[]): Assignments {
  const assignments: ReplayedAssignment[] = [];
  for (const entry of milestones) {
    if (entry.type !== "assignment.recorded") continue;
    const { seq = null, party = null, party_sha256 = null, consent = null } = entry.said ?? {};
    const reason = assignmentFault(assignments, { seq, party, party_sha256, consent });
    if (reason !== null) return { assignments, fault: { seq: entry.seq, reason } };
    assignments.push({
      seq: Number(seq),
      party,
      party_sha256: String(party_sha256),
      consent,
      recorded_at: entry.at,
      entry_seq: entry.seq,
    });
  }
  return { assignments, fault: null };
}

function assignmentFault(
  before: readonly ReplayedAssignment[],
  row: Readonly<Record<"seq" | "party" | "party_sha256" | "consent", Json>>,
): string | null {
  const previous = before.at(-1);
  if (typeof row.seq !== "number" || row.seq <= (previous?.seq ?? 0)) return "the register's numbers do not rise";
  if (hashOfJson(row.party) !== row.party_sha256) return "the hash is not that of the party";
  if (previous !== undefined && row.consent === null) return "changed without recorded consent";
  return null;
}

function text({ said }: Milestone, name: string): string {
  const value = said?.[name];
  return typeof value === "string" ? value : "";
}

/** The bytes of `registers.json`. */
export const registersJson = (registers: Registers): string => canonicalize(registers);
