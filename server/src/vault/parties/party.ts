import type { OrgId, PartyId, PersonId, RemoteVaultId } from "../../shared/ids.ts";

export const partyKinds = ["people", "org", "vault"] as const;
export type PartyKind = (typeof partyKinds)[number];

/** An organization or person that can be assigned a record, hold a pledge on it, or receive it. */
export interface Party {
  readonly party_id: PartyId;
  readonly kind: PartyKind;
  readonly name: string;
  /** a registration number or the like, unique in the organization's list */
  readonly identifier: string | null;
  readonly address: string | null;
  /** only for another organization of this installation */
  readonly org_ref: OrgId | null;
  /** only for another installation */
  readonly vault_id: RemoteVaultId | null;
  /** when the organization first named an approver in place of those who could not be reached; null: never */
  readonly approvers_replaced_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const partyRights = ["approve", "view"] as const;
export type PartyRights = (typeof partyRights)[number];

export const personStates = ["invited", "active", "removed"] as const;

/** A person who acts for a party. `invited`: has not logged in since being added. */
export interface PartyPerson {
  readonly party_id: PartyId;
  readonly person_id: PersonId;
  readonly email: string;
  readonly name: string;
  readonly rights: PartyRights;
  readonly state: (typeof personStates)[number];
  readonly added_at: Date;
}

export interface NewPerson {
  readonly email: string;
  readonly name: string;
  readonly rights: PartyRights;
}

export const isApprover = ({ rights, state }: Pick<PartyPerson, "rights" | "state">): boolean =>
  rights === "approve" && state !== "removed";

/** Whether the party has an approver. Another organization always can. For another installation, see `canConfirm`. */
export const isEnrolled = ({ kind }: Pick<Party, "kind">, people: readonly PartyPerson[]): boolean =>
  kind === "org" || people.some(isApprover);
