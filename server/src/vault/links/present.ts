import { iso, isoOrNull } from "../../http/shapes.ts";
import type { KeptMessage, RemoteVault, SignedMessage, VaultTransfer } from "./link.ts";
import type { Received } from "./receive-message.ts";
import type { Piece } from "./serve-piece.ts";

export const presentVault = (one: RemoteVault) => ({
  vault_id: one.vault_id,
  name: one.name,
  url: one.url,
  root_sha256: one.root_sha256,
  org_id: one.remote_org_id,
  state: one.state,
  pinned_at: iso(one.pinned_at),
});

/** Without keys: the one of the package never leaves except inside the release. */
export const presentTransfer = (one: VaultTransfer) => ({
  transfer_id: one.transfer_id,
  direction: one.direction,
  state: one.state,
  vault_id: one.vault_id,
  vault_name: one.vault_name,
  envelope_id: one.envelope_id,
  copy_id: one.copy_id,
  origin_envelope_id: one.origin_envelope_id,
  origin_copy_id: one.origin_copy_id,
  envelope_name: one.envelope_name,
  copy_sha256: one.copy_sha256,
  lineage_id: one.lineage_id,
  act_id: one.act_id,
  customer_id: one.customer_id,
  custodian_user_id: one.custodian_user_id,
  package_sha256: one.package_sha256,
  reason: one.reason,
  last_error: one.last_error,
  created_at: iso(one.created_at),
  updated_at: iso(one.updated_at),
  expires_at: iso(one.expires_at),
  closed_at: isoOrNull(one.closed_at),
  settled_at: isoOrNull(one.settled_at),
});

export const presentSigned = ({ bytes, signature }: SignedMessage) => ({
  bytes: bytes.toString("base64"),
  signature: signature.toString("base64"),
});

export const presentMessage = (one: KeptMessage) => ({ kind: one.kind, at: iso(one.at), ...presentSigned(one) });

export const presentReceived = ({ transfer_id, state, reply }: Received) => ({
  transfer_id,
  state,
  reply: reply === null ? null : presentSigned(reply),
});

export const presentPiece = ({ package_size, offset, piece }: Piece) => ({ package_size, offset, piece });
