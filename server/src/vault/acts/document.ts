import { canonicalize, type Json } from "@countersign/evidence";
import type { ActId, ControlBatchId, EnvelopeId, HoldId, OrgId, PartyId, RemoteVaultId, UserId } from "../../shared/ids.ts";
import { sha256 } from "../../shared/secrets.ts";
import type { Party, PartyRights } from "../parties/party.ts";
import type { Act, ActKind, Need } from "./act.ts";

/** What those who decide agree to. It has every member, because its canonical bytes are what they sign. */
export interface ActDocument {
  readonly type: "countersign/act/1";
  readonly act_id: ActId;
  readonly kind: ActKind;
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId | null;
  /** only for an act on many records */
  readonly batch: NamedBatch | null;
  /** the name of the envelope when the act was proposed */
  readonly record_name: string | null;
  /** of the authoritative copy */
  readonly copy_sha256: string | null;
  readonly present_version: number | null;
  /** the secured party on record; null: no one, and the organization itself controls the record */
  readonly present_party: NamedParty | null;
  readonly reason: string;
  readonly party: NamedParty | null;
  readonly share_bp: number | null;
  readonly user: { readonly user_id: UserId; readonly name: string } | null;
  readonly hold_id: HoldId | null;
  /** the vault that a record is offered to */
  readonly vault: NamedVault | null;
  /** who receives an original that leaves the vault */
  readonly recipient: NamedRecipient | null;
  /** only for a change of a party's people */
  readonly people: PeopleChange | null;
  readonly needs: readonly Need[];
  readonly proposed_at: string;
  readonly expires_at: string;
}

/** Many records, by the root of the Merkle tree over them (`batchTree`). */
export interface NamedBatch {
  readonly control_batch_id: ControlBatchId;
  readonly root: string;
  readonly count: number;
}

/** Another installation, by its root, and the organization there. */
export interface NamedVault {
  readonly vault_id: RemoteVaultId;
  readonly name: string;
  readonly root_sha256: string;
  readonly org_id: string;
}

/** By name and e-mail address, as the proposer gave them. */
export interface NamedRecipient {
  readonly name: string;
  readonly email: string;
}

/** `party_id` is null for a party that is known by its name alone. */
export interface NamedParty {
  readonly party_id: PartyId | null;
  readonly name: string;
  readonly identifier: string | null;
}

export type PeopleChange =
  | {
      readonly add: { readonly email: string; readonly name: string; readonly rights: PartyRights };
      /** only if no approver of the party can be reached: two admins decide, and everyone who is known has time to object */
      readonly approvers_lost?: true;
    }
  | { readonly remove: { readonly person_id: string; readonly email: string } };

export const nameParty = ({ party_id, name, identifier }: Pick<Party, "party_id" | "name" | "identifier">): NamedParty => ({
  party_id,
  name,
  identifier,
});

export function writeDocument(document: ActDocument): { document: string; sha256: string } {
  const text = canonicalize(document as unknown as Json);
  return { document: text, sha256: sha256(text).toString("hex") };
}

export const readDocument = ({ document }: Pick<Act, "document">): ActDocument => JSON.parse(document) as ActDocument;
