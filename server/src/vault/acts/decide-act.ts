import { hashOfJson, type Json } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { Actor, Caller, Origin } from "../../shared/caller.ts";
import type { ActId, OrgId, PartyId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import type { VaultDeps } from "../copy.ts";
import { lookUpParty } from "../parties/store.ts";
import { findPrincipal, isMemberAddress, isSamePrincipal, type Principal } from "../principal-store.ts";
import { findOrgSettings } from "../store.ts";
import { type ActWithDecisions, type Decision, type Method, type Need, objectors, openNeeds } from "./act.ts";
import { changePeople } from "./change-people.ts";
import { concludeAct } from "./conclude-act.ts";
import type { Control } from "./control.ts";
import { endAct, lockActWithControl, refuseClosed } from "./end-act.ts";
import type { ActOfOther } from "./read-act.ts";
import { startBatch } from "./start-batch.ts";
import { findAct, insertApproval, lookUpActOfPartyOrg, touchAct } from "./store.ts";

export interface DecisionInput {
  readonly decision: Decision;
  /** of the act's document: what the decider saw */
  readonly sha256: string;
  /** why it is refused */
  readonly reason?: string | null;
}

/** Who decides, with what credential, and for whom. */
export interface Decider extends Origin {
  readonly actor: Actor;
  readonly principal: Principal;
  readonly method: Method;
  readonly proof: Readonly<Record<string, unknown>> | null;
  /** Whether this decider is the one that the act asks for. */
  readonly isAsked: (need: Need) => boolean;
}

/** A member or a key decides, for this organization in its own acts or as a party to another organization's act. */
export async function decideAct(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  act_id: ActId,
  input: DecisionInput,
): Promise<ActWithDecisions | ActOfOther> {
  const { principal, foreign } = await deps.db.tx(caller.org, async (tx) => ({
    principal: await findPrincipal(tx, caller),
    foreign: await lookUpActOfPartyOrg(tx, act_id),
  }));
  const { actor, ip, user_agent, request_id } = caller;
  const who = { actor, ip, user_agent, request_id, principal, method: caller.session === null ? "key" : "session", proof: null } as const;
  const org = foreign?.org_id ?? caller.org;
  const isAsked = foreign === null ? isAskedAt(caller, principal) : isAskedFor(caller, foreign.party_id);
  return deps.db.tx(org, async (tx) => {
    const decided = await recordDecision(tx, org, act_id, { ...who, isAsked }, input);
    return foreign === null ? decided : { ...decided, org_name: (await findOrgSettings(tx, org)).name };
  });
}

/** For an organization that is a party, its admins and keys with the scope decide. */
const isAskedFor =
  ({ scopes }: Caller, party_id: PartyId): Decider["isAsked"] =>
  (need) =>
    need.party_id === party_id && scopes.includes("control:approve");

/** In the organization's own acts: the custodian who receives a record, and admins. */
function isAskedAt(caller: Caller, principal: Principal): Decider["isAsked"] {
  const isAdmin = caller.scopes.includes("control:approve");
  return (need) => (need.role === "custodian" ? need.user_id === principal.id : need.role === "admin" && isAdmin);
}

/** Under the locks of envelope, copy and act. With the last confirmation that was asked for, it takes effect in the same transaction, or waits for the registry. */
export async function recordDecision(
  tx: Tx,
  org: OrgId,
  act_id: ActId,
  decider: Decider,
  { decision, sha256: seen, reason = null }: DecisionInput,
): Promise<ActWithDecisions> {
  const { act, control } = await lockActWithControl(tx, org, act_id);
  refuseClosed(act);
  if (seen !== act.sha256) throw invalidField("sha256", "conflict", "is not the hash of this act");
  // Those who could not be reached can still object, as long as it has not taken effect.
  const need = [...openNeeds(act), ...(decision === "refuse" ? objectors(act) : [])].find(decider.isAsked);
  if (need === undefined) throw new Problem("not_asked");
  refuseSamePrincipal(act, decider.principal);
  const { actor, principal, method, proof } = decider;
  const by: Caller = { ...originOf(decider), org, actor, scopes: [], session: null };
  const { role, party_id } = need;
  const at = control?.copy.now ?? tx.now;
  const is_member = await isMemberAddress(tx, org, principal.email);
  const approvers_replaced = party_id !== null && (await lookUpParty(tx, org, party_id))?.approvers_replaced_at != null;
  const approval_no = act.approvals.length + 1;
  const approval = {
    approval_no,
    role,
    party_id,
    actor,
    principal: principal.id,
    principal_email: principal.email,
    decision,
    method,
    proof,
  };
  await insertApproval(tx, org, act_id, { ...approval, is_member, approvers_replaced, at });
  await touchAct(tx, org, act, at);
  const proof_sha256 = proof === null ? null : hashOfJson(proof as Json);
  const data = {
    act_id,
    kind: act.kind,
    sha256: act.sha256,
    role,
    party_id,
    email: principal.email,
    method,
    is_member,
    ...(approvers_replaced && { approvers_replaced }),
    proof_sha256,
    reason,
  };
  const type = decision === "confirm" ? "act.confirmed" : "act.refused";
  await appendAudit(tx, org, { type, by, ...(act.envelope_id !== null && { envelope_id: act.envelope_id }), data });
  const now = await findAct(tx, org, act_id);
  if (decision === "refuse") await endAct(tx, by, control, now, "refused", reason);
  else if (openNeeds(now).length === 0) await carryOut(tx, by, control, now);
  return findAct(tx, org, act_id);
}

/** What everyone has confirmed: a change of one record or of a party's people at once, of many records by jobs. */
function carryOut(tx: Tx, by: Caller, control: Control | null, act: ActWithDecisions): Promise<void> {
  if (control !== null) return concludeAct(tx, by, control, act);
  return act.control_batch_id === null ? changePeople(tx, by, act) : startBatch(tx, by.org, act);
}

const originOf = ({ ip, user_agent, request_id }: Origin): Origin => ({ ip, user_agent, request_id });

/** Two decisions never come from one person, and no one confirms what they proposed. */
function refuseSamePrincipal({ principal, principal_email, approvals }: ActWithDecisions, decider: Principal): void {
  const before = approvals.map(({ principal: id, principal_email: email }) => ({ id, email }));
  const all = principal === null || principal_email === null ? before : [...before, { id: principal, email: principal_email }];
  if (all.some((other) => isSamePrincipal(other, decider))) throw new Problem("same_principal");
}
