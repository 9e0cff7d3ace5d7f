import type { Read, Tx } from "../../db/sql.ts";
import type { Envelope } from "../../envelopes/envelope.ts";
import { lockRow } from "../../envelopes/store.ts";
import type { ControlPolicy } from "../../shared/control-policies.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import type { Assignment } from "../assignments/assignment.ts";
import { lookUpAssignee } from "../assignments/store.ts";
import type { LockedCopy } from "../copy.ts";
import { lockCopy } from "../copy-store.ts";
import { isPinned } from "../links/remote-store.ts";
import { isEnrolled, type Party } from "../parties/party.ts";
import { listPeople, lookUpParty } from "../parties/store.ts";
import { policyOf } from "./policy-store.ts";
import { listPledges, type Pledge } from "./register-store.ts";

/** Who controls a record, as an act finds it. The caller holds the locks of the envelope and its copy. */
export interface Control {
  readonly org: OrgId;
  readonly envelope: Envelope;
  readonly copy: LockedCopy;
  readonly policy: ControlPolicy;
  /** the secured party on record; null: the organization itself is the controller */
  readonly assignee: Assignment | null;
  /** the same, if it is in the list of parties */
  readonly party: Party | null;
  readonly pledges: readonly Pledge[];
}

/** Locks the envelope, then its copy. 409 if it is not vaulted. */
export async function lockControl(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<Control> {
  const envelope = await lockRow(tx, org, envelope_id);
  const copy = await lockCopy(tx, org, envelope_id);
  return controlOf(tx, org, envelope, copy);
}

export async function controlOf(read: Read, org: OrgId, envelope: Envelope, copy: LockedCopy): Promise<Control> {
  const { envelope_id } = envelope;
  const assignee = await lookUpAssignee(read, org, envelope_id);
  const party = assignee?.party_id == null ? null : await lookUpParty(read, org, assignee.party_id);
  return {
    org,
    envelope,
    copy,
    policy: await policyOf(read, org, envelope_id),
    assignee,
    party,
    pledges: await listPledges(read, org, envelope_id),
  };
}

/** Whether the party has an approver. A party that is known by its name alone has none; another installation decides while it is pinned. */
export async function canConfirm(read: Read, org: OrgId, party: Party | null): Promise<boolean> {
  if (party === null) return false;
  if (party.vault_id !== null) return isPinned(read, org, party.vault_id);
  return isEnrolled(party, await listPeople(read, org, party.party_id));
}
