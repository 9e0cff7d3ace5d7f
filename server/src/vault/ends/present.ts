import { iso, isoOrNull } from "../../http/shapes.ts";
import type { RecordEnding } from "./ending.ts";
import type { PaperForPerson } from "./person-papers.ts";

export const presentEnding = (one: RecordEnding) => ({
  ending_id: one.ending_id,
  kind: one.kind,
  status: one.state,
  envelope_id: one.envelope_id,
  copy_id: one.copy_id,
  act_id: one.act_id,
  reason: one.reason,
  begun_at: iso(one.begun_at),
  done_at: isoOrNull(one.done_at),
  recipient: one.recipient === null ? null : { name: one.recipient.name, email: one.recipient.email },
  pdf_sha256: one.pdf_sha256,
  downloaded_at: isoOrNull(one.downloaded_at),
  files: one.files === null ? null : one.files.map(({ what, sha256, size, kept }) => ({ what, sha256, size, kept })),
  certificate_sha256: one.certificate_sha256,
});

export const presentPaper = (one: PaperForPerson) => ({
  ending_id: one.ending_id,
  status: one.state,
  envelope_id: one.envelope_id,
  envelope_name: one.envelope_name,
  org_name: one.org_name,
  reason: one.reason,
  sha256: one.sha256,
  pdf_sha256: one.pdf_sha256,
  begun_at: iso(one.begun_at),
  downloaded_at: isoOrNull(one.downloaded_at),
  done_at: isoOrNull(one.done_at),
  has_certificate: one.certificate_sha256 !== null,
});
