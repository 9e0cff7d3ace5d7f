import { iso, isoOrNull } from "../../http/shapes.ts";
import type { Acknowledged } from "./acknowledge-export.ts";
import { isSignedReceipt, type SignedReceipt, type VaultExport } from "./export.ts";

/** The response to starting an export. */
export const presentStarted = (one: VaultExport) => ({
  export_id: one.export_id,
  envelope_id: one.envelope_id,
  status: one.state,
  recipient: { name: one.recipient.name, email: one.recipient.email },
  package_path: one.package_path,
  package_sha256: one.package_sha256,
  package_size: one.package_size,
  expires_at: iso(one.expires_at),
});

/** Without the key, which only the response to the acknowledgement contains. */
export const presentExport = (one: VaultExport) => ({
  ...presentStarted(one),
  copy_id: one.copy_id,
  reason: one.reason,
  act_id: one.act_id,
  initiated_by: one.initiated_by,
  created_at: iso(one.created_at),
  downloaded_at: isoOrNull(one.downloaded_at),
  closed_at: isoOrNull(one.closed_at),
  receipt: one.receipt === null || !isSignedReceipt(one.receipt) ? null : presentReceipt(one.receipt),
});

export const presentAcknowledged = ({ exported, key, receipt }: Acknowledged) => ({
  export_id: exported.export_id,
  envelope_id: exported.envelope_id,
  status: exported.state,
  key,
  receipt: presentReceipt(receipt),
});

const presentReceipt = ({ document, signature }: SignedReceipt) => ({
  document: {
    type: document.type,
    org_id: document.org_id,
    envelope_id: document.envelope_id,
    export_id: document.export_id,
    copy_id: document.copy_id,
    sha256: document.sha256,
    package_sha256: document.package_sha256,
    recipient: { name: document.recipient.name, email: document.recipient.email },
    acknowledged_at: document.acknowledged_at,
    chain_head: { seq: document.chain_head.seq, hash: document.chain_head.hash, at: document.chain_head.at },
    key_id: document.key_id,
  },
  signature,
});
