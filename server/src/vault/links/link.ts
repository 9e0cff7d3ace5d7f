import type { ChainHead, LinkMessageBase } from "@countersign/evidence";
import type { Outbound } from "../../outbound/send-request.ts";
import type { Actor } from "../../shared/caller.ts";
import type { AuthoritativeCopyId, CustomerId, EnvelopeId, OrgId, RemoteVaultId, UserId, VaultTransferId } from "../../shared/ids.ts";
import type { VaultDeps } from "../copy.ts";
import type { PipelineDeps } from "../vault.ts";
import type { Direction, MessageKind, TransferState } from "./transfer.ts";

/** What links between vaults need besides what the vault has. */
export interface LinkParts {
  /** for messages: small and quick */
  readonly outbound: Outbound;
  /** for pieces of packages */
  readonly bulk: Outbound;
  /** the verifier that everyone has, in a thread of its own; `root` is the one that the organization pinned */
  readonly verifyBundle: (zip: Uint8Array, root: string) => Promise<BundleVerdict>;
}

export type BundleVerdict = { readonly verified: true } | { readonly verified: false; readonly says: string };

export type LinkDeps = PipelineDeps & VaultDeps & { readonly links: LinkParts };

/** Another installation, by its root, and the organization there. */
export interface RemoteVault {
  readonly vault_id: RemoteVaultId;
  readonly name: string;
  /** without a slash at the end */
  readonly url: string;
  readonly root_sha256: string;
  readonly remote_org_id: string;
  /** its trust document as it was received, verified against the root */
  readonly trust: string;
  readonly pinned_by: Actor;
  readonly pinned_at: Date;
  readonly state: "pinned" | "removed";
}

/** One side of a transfer. */
export interface VaultTransfer {
  readonly transfer_id: VaultTransferId;
  readonly direction: Direction;
  readonly vault_id: RemoteVaultId;
  /** of the other vault, as this organization calls it */
  readonly vault_name: string;
  readonly sender_root: string;
  readonly sender_org_id: string;
  readonly receiver_root: string;
  readonly receiver_org_id: string;
  readonly lineage_id: string;
  readonly copy_sha256: string;
  /** of the sender */
  readonly origin_envelope_id: string;
  readonly origin_copy_id: string;
  /** ours; null at the receiver until the record is stored */
  readonly envelope_id: EnvelopeId | null;
  readonly copy_id: AuthoritativeCopyId | null;
  readonly envelope_name: string;
  readonly act_id: string | null;
  readonly state: TransferState;
  readonly customer_id: CustomerId | null;
  readonly custodian_user_id: UserId | null;
  readonly accepted_by: Actor | null;
  readonly package_sha256: string | null;
  readonly package_size: number | null;
  readonly packed_head: ChainHead | null;
  readonly packed_key_id: string | null;
  readonly k_enc: Buffer | null;
  readonly release: Buffer | null;
  readonly reason: string | null;
  readonly created_by: Actor;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly expires_at: Date;
  readonly closed_at: Date | null;
  readonly settled_at: Date | null;
  readonly attempts: number;
  readonly last_error: string | null;
}

/** A message as it travels and as it is kept. */
export interface SignedMessage {
  readonly bytes: Buffer;
  /** raw Ed25519 over exactly these bytes */
  readonly signature: Buffer;
}

export interface KeptMessage extends SignedMessage {
  readonly kind: MessageKind;
  readonly at: Date;
}

export interface TransferRef {
  readonly org_id: OrgId;
  readonly transfer_id: VaultTransferId;
  readonly direction: Direction;
}

/** Time for a person at the other vault to accept, and for both to do the rest. Then the sender takes the offer back. */
export const TRANSFER_DAYS = 14;

/** What every message of a transfer says. */
export const partiesOf = (one: VaultTransfer): Omit<LinkMessageBase, "at" | "key_id"> => ({
  transfer_id: one.transfer_id,
  sender: { root: one.sender_root, org_id: one.sender_org_id },
  receiver: { root: one.receiver_root, org_id: one.receiver_org_id },
  lineage_id: one.lineage_id,
  copy_sha256: one.copy_sha256,
});

/** Binds the key of a package to its row: copied into another row, it cannot be decrypted. */
export const packageKeyContext = (transfer_id: VaultTransferId): string => `package key of ${transfer_id}`;
