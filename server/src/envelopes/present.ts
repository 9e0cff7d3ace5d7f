import { iso } from "../http/shapes.ts";
import type { UploadedDocument } from "./document.ts";
import type { ListedEnvelope } from "./envelope.ts";

/** The list's seven fields, and no other. */
export const presentListed = (envelope: ListedEnvelope) => ({
  envelope_id: envelope.envelope_id,
  envelope_name: envelope.envelope_name,
  status: envelope.status,
  customer_id: envelope.customer_id,
  external_id: envelope.external_id,
  created_at: iso(envelope.created_at),
  updated_at: iso(envelope.updated_at),
});

/** The answer to an upload, in the specification's spelling. */
export const presentUploaded = (document: UploadedDocument) => ({
  customer_id: document.customer_id,
  envelope_id: document.envelope_id,
  name: document.name,
  signers: document.signers.map(({ email, name, role }) => ({ email, name, role })),
  path: document.path,
  hash: document.kept.sha256,
  size: document.kept.size,
  contentType: document.content_type,
  auto_vault_enabled: document.auto_vault_enabled,
  kba_required: document.kba_required,
  ...(document.warnings.length > 0 && { warnings: [...document.warnings] }),
});
