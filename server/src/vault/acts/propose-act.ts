import type { Tx } from "../../db/sql.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import type { Caller } from "../../shared/caller.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { type EnvelopeId, type HoldId, newId, type OrgId, type PartyId, type RemoteVaultId, type UserId } from "../../shared/ids.ts";
import { invalidField, Problem } from "../../shared/problems.ts";
import { requireState, type VaultDeps } from "../copy.ts";
import { lookUpMember } from "../custody/store.ts";
import { findVault } from "../links/remote-store.ts";
import { findParty } from "../parties/store.ts";
import { findPrincipal, type Principal } from "../principal-store.ts";
import { ACT_DAYS, type ActWithDecisions, openNeeds } from "./act.ts";
import { concludeAct } from "./conclude-act.ts";
import { type Control, lockControl } from "./control.ts";
import { type ActDocument, type NamedRecipient, nameParty } from "./document.ts";
import { insertProposal } from "./insert-proposal.ts";
import { DEFAULT_STATES, type Kind, type Member, type Subject } from "./kind.ts";
import { kinds, type RecordKind } from "./kinds.ts";
import { findAct } from "./store.ts";

export interface Proposal {
  readonly kind: RecordKind;
  readonly reason: string;
  /** the version of control that the proposer saw */
  readonly present_version: number;
  readonly party_id?: PartyId;
  readonly share_bp?: number;
  readonly user_id?: UserId;
  readonly hold_id?: HoldId;
  readonly vault_id?: RemoteVaultId;
  readonly recipient?: NamedRecipient;
}

/** Proposes an act on a vaulted record. It takes effect at once if no one has to confirm it. */
export function proposeAct(
  deps: Pick<VaultDeps, "db">,
  caller: Caller,
  envelope_id: EnvelopeId,
  proposal: Proposal,
): Promise<ActWithDecisions> {
  const { org } = caller;
  refuseOtherMembers(proposal);
  refuseWithoutScope(caller, proposal);
  return deps.db.tx(org, async (tx) => {
    const control = await lockControl(tx, org, envelope_id);
    return proposeOn(tx, caller, control, proposal, { principal: await findPrincipal(tx, caller) });
  });
}

const letsLeave: readonly RecordKind[] = ["transfer_out", "export_out", "paper_out", "destroy"];

/** What lets an original leave needs the scope that exports need. */
export function refuseWithoutScope({ scopes }: Caller, { kind }: { readonly kind: string }): void {
  if ((letsLeave as readonly string[]).includes(kind) && !scopes.includes("vault:release"))
    throw new Problem("scope_missing", "", { words: { scope: "vault:release" } });
}

interface Terms {
  /** null: the service itself proposes */
  readonly principal: Principal | null;
  readonly days?: number;
}

/** The same for callers that hold the locks. */
export async function proposeOn(
  tx: Tx,
  caller: Caller,
  control: Control,
  proposal: Proposal,
  { principal, days = ACT_DAYS }: Terms,
): Promise<ActWithDecisions> {
  const { org, copy } = control;
  const { kind } = proposal;
  const rules: Kind = kinds[kind];
  requireState(copy, ...(rules.states ?? DEFAULT_STATES));
  if (proposal.present_version !== copy.control_version) throw new Problem("control_changed");
  const subject = await subjectOf(tx, org, proposal);
  const needs = await rules.needs(tx, control, subject);
  const document: ActDocument = {
    type: "countersign/act/1",
    act_id: newId("act", copy.now.getTime()),
    kind,
    org_id: org,
    envelope_id: copy.envelope_id,
    batch: null,
    record_name: control.envelope.envelope_name,
    copy_sha256: copy.sha256,
    present_version: copy.control_version,
    present_party: presentParty(control),
    reason: proposal.reason,
    party: subject.party === null ? null : nameParty(subject.party),
    share_bp: subject.share_bp,
    user: subject.user,
    hold_id: subject.hold_id,
    vault: subject.vault,
    recipient: subject.recipient,
    people: null,
    needs,
    proposed_at: copy.now.toISOString(),
    expires_at: new Date(copy.now.getTime() + days * DAY_MS).toISOString(),
  };
  const { act_id } = document;
  await insertProposal(tx, caller, document, principal);
  await rules.propose?.(tx, caller, control, document);
  const act = await findAct(tx, org, act_id);
  if (openNeeds(act).length > 0) {
    await enqueue(tx, "vault.tell-asked", { org_id: org, act_id });
    return act;
  }
  await concludeAct(tx, caller, control, act);
  return findAct(tx, org, act_id);
}

export function presentParty({ assignee, party }: Pick<Control, "assignee" | "party">): ActDocument["present_party"] {
  if (assignee === null) return null;
  return party === null ? { party_id: null, name: assignee.party.name, identifier: assignee.party.identifier ?? null } : nameParty(party);
}

const members: readonly Member[] = ["party_id", "share_bp", "user_id", "hold_id", "vault_id", "recipient"];

/** Each kind has its own members, so that no one confirms something that has no meaning. */
export function refuseOtherMembers(proposal: Omit<Proposal, "reason" | "present_version">): void {
  const { takes } = kinds[proposal.kind];
  for (const member of members) {
    const isGiven = proposal[member] !== undefined;
    if (isGiven && !takes.includes(member))
      throw invalidField(member, "unknown_field", `does not belong to an act of kind ${proposal.kind}`);
    if (!isGiven && takes.includes(member)) throw invalidField(member, "required", `is needed for an act of kind ${proposal.kind}`);
  }
}

/** Finds what the members of a proposal name. */
export async function subjectOf(
  tx: Tx,
  org: OrgId,
  { party_id, share_bp, user_id, hold_id, vault_id, recipient }: Omit<Proposal, "kind" | "reason" | "present_version">,
): Promise<Subject> {
  const party = party_id === undefined ? null : await findParty(tx, org, party_id);
  const user = user_id === undefined ? null : await lookUpMember(tx, org, user_id);
  if (user_id !== undefined && user === null) throw new Problem("member_not_found");
  const vault = vault_id === undefined ? null : await namedVault(tx, org, vault_id);
  return { party, share_bp: share_bp ?? null, user, hold_id: hold_id ?? null, vault, recipient: recipient ?? null };
}

async function namedVault(tx: Tx, org: OrgId, vault_id: RemoteVaultId): Promise<Subject["vault"]> {
  const { name, root_sha256, remote_org_id: org_id, state } = await findVault(tx, org, vault_id);
  if (state !== "pinned") throw new Problem("remote_vault_not_found");
  return { vault_id, name, root_sha256, org_id };
}
