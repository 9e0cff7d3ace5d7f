import type { Actor } from "../../shared/caller.ts";
import type { ActId, ControlBatchId, EnvelopeId, PartyId, UserId } from "../../shared/ids.ts";

/** What changes who controls or keeps a record, and takes effect only when those concerned have confirmed it. */

export const actKinds = [
  "designate",
  "correct_party",
  "assign",
  "release",
  "participate",
  "pledge",
  "release_pledge",
  "designate_custodian",
  "move_custody",
  "acknowledge_control",
  "release_hold",
  "transfer_out",
  "export_out",
  "paper_out",
  "destroy",
  "recover",
  "change_people",
] as const;
export type ActKind = (typeof actKinds)[number];

/** About a record; a change of a party's people is not. */
export type RecordKind = Exclude<ActKind, "change_people">;

export const actStates = ["proposed", "confirmed", "registering", "effective", "refused", "cancelled", "expired", "superseded"] as const;
export type ActState = (typeof actStates)[number];

const openStates: readonly ActState[] = ["proposed", "confirmed", "registering"];
export const isOpen = ({ state }: Pick<Act, "state">): boolean => openStates.includes(state);

/** Why they are asked. */
export type NeedRole = "controller" | "assignee" | "pledgee" | "party" | "custodian" | "admin" | "approver" | "recipient";

/** A party, a member or an admin who must confirm the act. */
export interface Need {
  readonly role: NeedRole;
  readonly party_id: PartyId | null;
  /** only for a custodian */
  readonly user_id: UserId | null;
  readonly name: string;
  /** false: the party has no approver, and the policy lets the act take effect without it */
  readonly asked: boolean;
  /** only in the document, for a party that is another installation: the pinned root, and the organization there */
  readonly vault?: { readonly root_sha256: string; readonly org_id: string };
}

export const decisions = ["confirm", "refuse"] as const;
export type Decision = (typeof decisions)[number];
export const methods = ["passkey", "code", "session", "key", "vault_key"] as const;
export type Method = (typeof methods)[number];

export interface Approval {
  readonly approval_no: number;
  readonly role: NeedRole;
  readonly party_id: PartyId | null;
  readonly actor: Actor;
  readonly principal: string;
  readonly principal_email: string;
  readonly decision: Decision;
  readonly method: Method;
  readonly proof: Readonly<Record<string, unknown>> | null;
  /** whether the person is also a member of the organization whose act it is */
  readonly is_member: boolean;
  /** whether the organization had replaced the approvers of the party by then */
  readonly approvers_replaced: boolean;
  readonly at: Date;
}

export interface Act {
  readonly act_id: ActId;
  readonly kind: ActKind;
  /** null for an act about a party's people, or on many records */
  readonly envelope_id: EnvelopeId | null;
  /** only for an act on many records */
  readonly control_batch_id: ControlBatchId | null;
  /** canonical JSON; decisions are over its hash */
  readonly document: string;
  readonly sha256: string;
  /** the current one: an overdue act is expired even before the job has run */
  readonly state: ActState;
  readonly expected_version: number | null;
  readonly proposed_by: Actor;
  readonly principal: string | null;
  readonly principal_email: string | null;
  readonly proposed_at: Date;
  readonly expires_at: Date;
  /** while it is confirmed and others can object */
  readonly waits_until: Date | null;
  readonly closed_at: Date | null;
  readonly updated_at: Date;
}

/** With what became of the request. Not part of the document, which is fixed. */
export interface NeedNow extends Need {
  /** addresses of the party's people from which the request came back or that a mail server refused; that of an installation that did not take it */
  readonly unreachable: readonly string[];
}

export interface ActWithDecisions extends Act {
  readonly needs: readonly NeedNow[];
  readonly approvals: readonly Approval[];
}

/** Those who were asked and have not decided. */
export const openNeeds = (act: Pick<ActWithDecisions, "needs" | "approvals">): Need[] =>
  act.needs.filter((need, index) => need.asked && !isDecided(act, index));

/**
 * Whether the need with this index has its decision. A decision of a party counts for every role in which it was asked; one of an admin counts
 * once, so that two admins are two persons.
 */
export function isDecided({ needs, approvals }: Pick<ActWithDecisions, "needs" | "approvals">, index: number): boolean {
  const need = needs[index] as Need;
  const decisions = approvals.filter((approval) => isDecisionOf(approval, need));
  return (
    decisions.length >
    (isUnnamed(need) ? needs.slice(0, index).filter(({ role, ...rest }) => role === need.role && isUnnamed(rest)).length : 0)
  );
}

const isUnnamed = ({ party_id, user_id }: Pick<Need, "party_id" | "user_id">): boolean => party_id === null && user_id === null;

function isDecisionOf({ role, party_id, actor }: Approval, need: Need): boolean {
  if (need.party_id !== null) return party_id === need.party_id;
  return role === need.role && (need.user_id === null || (party_id === null && actorUser(actor, need)));
}

// A custodian can decide with a key of their own, so the actor need not be the user.
const actorUser = (actor: Actor, need: Need): boolean => actor.kind === "key" || actor.id === need.user_id;

/** Who can object to an act that waits: the people of the party, who were not asked because they could not be reached. */
export const objectors = ({ state, waits_until, needs }: ActWithDecisions): readonly Need[] =>
  state === "confirmed" && waits_until !== null ? needs.filter(({ party_id }) => party_id !== null) : [];

// Long enough for a holiday of the one person who can confirm.
export const ACT_DAYS = 14;
// As long as an act lasts, for the same reason.
export const OBJECTION_DAYS = 14;
