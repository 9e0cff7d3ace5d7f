import { type Read, sql, type Tx } from "../db/sql.ts";
import type { CustomerId, EnvelopeId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { Field } from "../signing/field.ts";
import type { UploadedDocument } from "./document.ts";
import type { ListedEnvelope, Status } from "./envelope.ts";
import type { SignerInput } from "./signer-input.ts";

export interface EnvelopeFilter {
  readonly customer_id?: string | undefined;
  readonly status?: Status | undefined;
}

/** One statement for a page and the total behind it; the total comes with its row even when the page is empty. */
const LIST = `
  with found as (
    select envelope_id from envelopes
    where org_id = $1 and ($2::text is null or customer_id = $2) and ($3::text is null or status = $3)
  ), page as (
    select envelope_id, envelope_name, status, customer_id, external_id, created_at, updated_at from envelopes
    where org_id = $1 and ($2::text is null or customer_id = $2) and ($3::text is null or status = $3)
    order by envelope_id desc limit $4 offset $5
  )
  select (select count(*) from found)::int as total, page.* from (values (1)) as one left join page on true order by envelope_id desc`;

export async function listEnvelopes(
  read: Read,
  org: OrgId,
  filter: EnvelopeFilter,
  { page, limit }: PageRequest,
): Promise<Page<ListedEnvelope>> {
  const { rows } = await read.query<ListedEnvelope & { total: number }>({
    name: "list-envelopes",
    text: LIST,
    values: [org, filter.customer_id ?? null, filter.status ?? null, limit, (page - 1) * limit],
  });
  return { items: rows.filter((row) => row.envelope_id !== null), total: rows[0]?.total ?? 0 };
}

export interface NewEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  readonly status: Status;
  readonly customer_id: CustomerId;
  readonly is_upload: boolean;
  readonly signers: readonly SignerInput[];
  readonly auto_vault_enabled: boolean;
  readonly kba_required: boolean;
  readonly created_by: string;
}

export async function insertEnvelope(tx: Tx, org: OrgId, envelope: NewEnvelope): Promise<void> {
  const { envelope_id, envelope_name, status, customer_id, is_upload, auto_vault_enabled, kba_required, created_by } = envelope;
  // Listed by hand, as everything that is kept: a signer's other fields are not ours.
  const signers = envelope.signers.map(({ email, name, role }) => ({ email, name, role }));
  await tx.query(sql`
    insert into envelopes (org_id, envelope_id, envelope_name, status, customer_id, is_upload, auto_vault_enabled, kba_required, signers, created_by)
    values (${org}, ${envelope_id}, ${envelope_name}, ${status}, ${customer_id}, ${is_upload}, ${auto_vault_enabled}, ${kba_required},
      ${JSON.stringify(signers)}, ${created_by})`);
}

type StoredDocument = Pick<UploadedDocument, "envelope_id" | "name" | "path" | "content_type" | "kept" | "pdf" | "received" | "taken">;

export async function insertDocument(tx: Tx, org: OrgId, document: StoredDocument): Promise<void> {
  const { envelope_id, name, path, content_type, kept, pdf, taken } = document;
  await tx.query(sql`
    insert into documents (org_id, envelope_id, name, path, content_type, hash, size, pdf_sha256, pages, roles)
    values (${org}, ${envelope_id}, ${name}, ${path}, ${content_type}, ${kept.sha256}, ${kept.size}, ${pdf.sha256},
      ${JSON.stringify(taken.pages)}, ${taken.roles})`);
}

/** What came, and what is shown and signed, which descends from it. */
export async function insertVersions(
  tx: Tx,
  org: OrgId,
  id: EnvelopeId,
  { received, pdf }: Pick<StoredDocument, "received" | "pdf">,
): Promise<void> {
  await tx.query(sql`
    insert into document_versions (org_id, envelope_id, kind, sha256, parent_sha256, size) values
      (${org}, ${id}, 'received', ${received.sha256}, null, ${received.size}),
      (${org}, ${id}, 'stored', ${pdf.sha256}, ${received.sha256}, ${pdf.size})`);
}

/** `role` null: the first signer's. */
export type EnvelopeField = Omit<Field, "role"> & { readonly role: string | null };

export async function insertEnvelopeFields(tx: Tx, org: OrgId, id: EnvelopeId, fields: readonly EnvelopeField[]): Promise<void> {
  if (fields.length === 0) return;
  const rows = fields.map((field, position) => ({ ...field, position }));
  await tx.query({
    name: "insert-envelope-fields",
    text: `
      insert into envelope_fields (org_id, envelope_id, position, name, type, role, required, readonly, default_value, options, areas, anchor_match)
      select $1, $2, f.position, f.name, f.type, f.role, f.required, f.readonly, f.default_value, f.options, f.areas, f.anchor_match
      from jsonb_to_recordset($3) as f (position int, name text, type text, role text, required boolean, readonly boolean, default_value text,
        options text[], areas jsonb, anchor_match jsonb)`,
    values: [org, id, JSON.stringify(rows)],
  });
}
