import type { FileAnswer } from "../http/endpoint.ts";
import type { Attachment } from "../mail/smtp.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { serveCompletion } from "./completion-certificate.ts";
import { lookUpVersion } from "./document-store.ts";
import type { EnvelopeDeps } from "./envelope.ts";
import { issueDocument } from "./issue-document.ts";
import { findEnvelope } from "./store.ts";

const BY = asSystem(systemOrigin("countersign worker", "mail.send"));

export interface AttachDeps extends EnvelopeDeps {
  /** larger documents are not attached; the message then has only its link */
  readonly maxAttachedBytes: number;
}

/**
 * The files that go with the message that everyone has signed: the document, and the certificate of how it was signed. Each attempt to
 * send makes and records a copy for this recipient, before its first byte leaves. It is marked as a copy if the document is, or may become,
 * a record that must have one original: with auto-vault, in the vault, or with a secured party.
 */
export async function attachSigned(deps: AttachDeps, org: OrgId, envelope_id: EnvelopeId, to: string): Promise<readonly Attachment[]> {
  const { secured_party, size } = await deps.db.tx(org, async (tx) => ({
    ...(await findEnvelope(tx, org, envelope_id)),
    size: (await lookUpVersion(tx, org, envelope_id, "stamped"))?.size ?? Number.POSITIVE_INFINITY,
  }));
  if (size > deps.maxAttachedBytes) return [];
  const reader = { caller: { ...BY, org }, named: to, early: "partial", marked: secured_party !== null } as const;
  const document = await orNothing(issueDocument(deps, reader, envelope_id));
  return document.length === 0 ? [] : [...document, ...(await orNothing(serveCompletion(deps, org, envelope_id)))];
}

/**
 * Nothing if the file cannot be had now: the record was changed, the blob store does not answer, the PDF threads are busy. The link in the
 * message works once that is over, so the message goes out without the file, and its words do not speak of one.
 */
async function orNothing(made: Promise<FileAnswer>): Promise<readonly Attachment[]> {
  try {
    const { bytes, file_name = "document.pdf", type } = await made;
    return [{ file_name, type, bytes }];
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
