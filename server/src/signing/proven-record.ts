import {
  CONTENT_VERSION,
  type ContentVersion,
  contentVersionOf,
  type Difference,
  type DocumentRow,
  firstDifference,
  type Head,
  hashOfFields,
  hashOfSigners,
  type Link,
  type SignedRows,
  type SignerRow,
} from "@countersign/evidence";
import { readChain } from "../audit/read-chain.ts";
import { lockHead, readHead } from "../audit/read-head.ts";
import type { Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { type Locale, locales } from "../shared/locales.ts";
import { Problem } from "../shared/problems.ts";
import type { SentField } from "./field.ts";
import { contentOf, localesIn, type SignedContent, type ValuesOf } from "./signed-content.ts";
import { readSigned, type SignedTables } from "./signed-store.ts";
import { listRecipients } from "./store.ts";
import type { Recipient, SentDocument, SentPart, SigningDeps } from "./submission.ts";

/** Everything that is shown to a signer, signed, stamped or sealed comes from here: rows that were compared with the audit chain. */

/** Callers MUST use these values and not read them again, because a row may have changed since. */
export interface ProvenRecord {
  readonly document: SentDocument & ValuesOf;
  readonly recipients: readonly Recipient[];
  readonly signed: readonly SignedContent[];
  /** of the hashes of its fields and signers */
  readonly content_version: ContentVersion;
}

export type RecordDeps = Pick<SigningDeps, "db" | "values" | "findDocument" | "findEnvelope">;

/** Rows and chain differ, because one of them was changed directly in the database. */
export class RecordMismatch extends Problem {
  readonly envelope_id: EnvelopeId;
  readonly difference: Difference;

  constructor(envelope_id: EnvelopeId, difference: Difference) {
    const message = "the stored record and the audit trail differ";
    super("record_mismatch", difference.what, { details: [{ location: "path", field: null, code: "record_mismatch", message }] });
    this.envelope_id = envelope_id;
    this.difference = difference;
  }
}

/** Throws RecordMismatch. A caller that writes MUST take the envelope's locks first, because the chain's lock is the last one. */
export async function provenRecord(
  deps: Pick<RecordDeps, "findDocument" | "values">,
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
): Promise<ProvenRecord> {
  const { rows, links, document, recipients, tables } = await readRecord(deps, tx, org, envelope_id);
  const difference = firstDifference(rows, links);
  if (difference !== null) throw new RecordMismatch(envelope_id, difference);
  return {
    document: { ...document, values_locale: valuesLocale(links) },
    recipients,
    signed: contentOf(tables, localesIn(links)),
    content_version: contentVersionOf(links),
  };
}

/** As the chain has it. An envelope that was sent by an earlier version has none: its values are written as they are stored. */
function valuesLocale(links: readonly Link[]): Locale | null {
  const data = links.find(({ entry }) => entry.type === "envelope.sent")?.data?.data;
  const { values_locale } = Object(data) as { values_locale?: unknown };
  return locales.find((locale) => locale === values_locale) ?? null;
}

/** Rows and chain of the same moment, and the objects made from the rows. */
export interface StoredRecord {
  readonly rows: SignedRows;
  readonly links: readonly Link[];
  readonly document: SentDocument;
  readonly recipients: readonly Recipient[];
  readonly tables: SignedTables;
}

// Usually nothing is appended while the rows are read. A reader that is interrupted twice locks the chain.
const READS_WITHOUT_LOCK = 2;

/**
 * Rows and chain of the same moment. Each action writes its rows and its entry in one transaction, so rows that were read while the head
 * did not change belong to the chain that ends there. The head comes with the document, which is read first.
 */
export async function readRecord(
  deps: Pick<RecordDeps, "findDocument" | "values">,
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
): Promise<StoredRecord> {
  for (let reads = 1; ; reads++) {
    const isLocked = reads > READS_WITHOUT_LOCK;
    if (isLocked) await lockHead(tx, org, envelope_id);
    const document = await deps.findDocument(tx, org, envelope_id);
    const { head } = document;
    const recipients = await listRecipients(tx, org, envelope_id);
    const tables = await readSigned(deps, tx, org, envelope_id);
    const links = await readChain(tx, org, envelope_id);
    if (!isLocked && !(await isStillHead(tx, org, envelope_id, head, links))) continue;
    const { prepared_sha256, stamped_sha256, signed_sha256, kba_required, is_completed, documents, fields } = document;
    const rows: SignedRows = {
      org_id: org,
      envelope_id,
      head,
      is_completed,
      prepared_sha256,
      stamped_sha256,
      signed_sha256,
      kba_required,
      documents: documents.map(comparedDocument),
      fields,
      signers: recipients.map(comparedRecipient),
      values: tables.values,
      signatures: tables.signatures.map((row) => ({ ...row, signed_at: row.signed_at.toISOString() })),
      marks: tables.marks,
    };
    return { rows, links, document, recipients, tables };
  }
}

/** Listed by hand: what a bundle contains about each document. */
const comparedDocument = (part: SentPart): DocumentRow => ({
  document_no: part.document_no,
  name: part.name,
  sha256: part.sha256,
  first_page: part.first_page,
  pages: part.pages,
  is_signature_page: part.is_signature_page,
  part_sha256: part.part_sha256,
});

/** Listed by hand: what a bundle contains about each person. */
const comparedRecipient = (recipient: Recipient): SignerRow => ({
  slug: recipient.slug,
  turn: recipient.turn,
  email: recipient.email,
  name: recipient.name,
  role: recipient.role,
  recipient_id: recipient.recipient_id,
  kind: recipient.kind,
  step: recipient.step,
  delivery: recipient.delivery,
  status: recipient.status,
  signed_at: recipient.signed_at?.toISOString() ?? null,
  ...(recipient.kind !== "signer" && { acted_at: recipient.acted_at?.toISOString() ?? null }),
});

/** The chain was read last. If it ends with the head that was read first, nothing was appended in between. */
async function isStillHead(tx: Tx, org: OrgId, envelope_id: EnvelopeId, head: Head | null, links: readonly Link[]): Promise<boolean> {
  const last = links.at(-1)?.entry.hash;
  return last === head?.hash || (await readHead(tx, org, envelope_id))?.hash === head?.hash;
}

/** The hashes of fields and signers in `envelope.sent`, against which later records are checked. */
export function sentHashes(fields: readonly SentField[], recipients: readonly Recipient[]) {
  return { content_version: CONTENT_VERSION, fields_sha256: hashOfFields(fields), ...signersHash(recipients, CONTENT_VERSION) };
}

/** Part of every entry that changes a recipient after the envelope was sent, by the same list of members as when it was sent. */
export const signersHash = (recipients: readonly Recipient[], version: ContentVersion) => ({
  signers_sha256: hashOfSigners(recipients, version),
});
