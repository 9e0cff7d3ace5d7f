import type { DocumentRow, MarkRow, SignatureRow, SignedRows, SignerRow, ValueRow } from "@countersign/evidence";
import { join, raw, sql, type Tx } from "../../db/sql.ts";
import { asSent } from "../../envelopes/document-store.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { contexts, openEvidence, type SealingDeps, storedValue } from "../../signing/sealed-columns.ts";
import { CHANGED_MARK, CHANGED_VALUE } from "../../signing/signed-store.ts";

/**
 * The complete rows that a signed document is made from, as JSON, so that they can be moved from one database to another. `email_key` of a
 * signer is left out: the database makes it from the address.
 */

type Row = Readonly<Record<string, unknown>>;

interface Table {
  readonly name: string;
  /** identifies its rows within one envelope */
  readonly key: readonly string[];
  /** the columns that are restored in an existing row */
  readonly columns: readonly string[];
  /** The column that is encrypted, in `<column>_sealed`. Rows in memory have its plain value only. */
  readonly sealed?: SealedColumn;
}

/** The plain value as JSON has it, and the bytes that are encrypted. */
interface SealedColumn {
  readonly column: string;
  readonly contextOf: (row: Row) => string;
  readonly toBytes: (value: string) => Uint8Array;
  readonly fromBytes: (bytes: Uint8Array) => string;
}

const tables: Readonly<Record<TableName, Table>> = {
  document: { name: "documents", key: ["document_no"], columns: ["pdf_sha256", "name", "first_page", "pages", "is_signature_page"] },
  stamped: { name: "document_versions", key: ["document_no", "kind"], columns: ["sha256", "parent_sha256", "size"] },
  signers: {
    name: "signers",
    key: ["turn"],
    columns: [
      ...["slug", "email", "name", "role", "status", "signed_at", "recipient_id", "kind", "step", "delivery", "acted_at", "removed_at"],
    ],
  },
  fields: {
    name: "envelope_fields",
    key: ["position"],
    columns: [
      ...["name", "type", "role", "required", "readonly", "default_value", "options", "areas", "prefilled", "field_key", "document_no"],
      ...["settings", "show_if", "require_if", "formula"],
    ],
  },
  marks: {
    name: "adopted_marks",
    key: ["slug", "sha256"],
    columns: ["method", "content"],
    sealed: {
      column: "content",
      contextOf: (row) => contexts.mark(row.org_id as OrgId, String(row.sha256)),
      toBytes: (content) => bytesOf(content),
      fromBytes: (bytes) => `\\x${Buffer.from(bytes).toString("hex")}`,
    },
  },
  signatures: {
    name: "signatures",
    key: ["position"],
    columns: [
      ...["slug", "mark_sha256", "session", "consent_no", "intent_version", "intent_locale", "intent_sha256", "prepared_sha256"],
      ...["state_sha256", "values_sha256", "ip", "user_agent", "timezone", "applied_at", "signed_at"],
    ],
  },
  values: {
    name: "signed_values",
    key: ["position"],
    columns: ["slug", "value"],
    sealed: {
      column: "value",
      contextOf: (row) => contexts.value(row.org_id as OrgId, row.envelope_id as EnvelopeId, Number(row.position)),
      toBytes: (value) => Buffer.from(value, "utf8"),
      fromBytes: (bytes) => Buffer.from(bytes).toString("utf8"),
    },
  },
};

export type TableName = "document" | "stamped" | "signers" | "fields" | "marks" | "signatures" | "values";
export type StoredRows = Readonly<Record<TableName, readonly Row[]>>;

export async function readStoredRows(deps: SealingDeps, tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<StoredRows> {
  const found: Partial<Record<TableName, readonly Row[]>> = {};
  for (const [table, { name }] of Object.entries(tables) as [TableName, Table][]) {
    const ofEnvelope = table === "marks" ? ofSigned(org, envelope_id) : sql`t.envelope_id = ${envelope_id}`;
    const ofKind = table === "stamped" ? sql`and t.kind in ('stamped', 'part')` : sql``;
    const { rows } = await tx.query<{ row: Row }>(sql`
      select to_jsonb(t) - 'email_key' as row from ${raw(name)} t where t.org_id = ${org} and ${ofEnvelope} ${ofKind}`);
    found[table] = rows.map(({ row }) => opened(deps, org, tables[table as TableName], row));
  }
  return found as StoredRows;
}

/** One that cannot be decrypted becomes null, which differs from every value. A copy from before the encryption has no such column. */
function opened(deps: SealingDeps, org: OrgId, { sealed }: Table, row: Row): Row {
  if (sealed === undefined) return row;
  const { column, contextOf, fromBytes } = sealed;
  const { [`${column}_sealed`]: ciphertext = null, ...plain } = row;
  if (ciphertext === null) return plain;
  const bytes = openEvidence(deps, org, bytesOf(String(ciphertext)), contextOf(row));
  return { ...plain, [column]: bytes === null ? null : fromBytes(bytes) };
}

/** The row as it is written. */
function closed(deps: SealingDeps, org: OrgId, { sealed }: Table, row: Row): Row {
  if (sealed === undefined) return row;
  const { column, contextOf, toBytes } = sealed;
  const { plain, sealed: ciphertext } = storedValue(deps, org, toBytes(String(row[column])), contextOf(row));
  const hex = ciphertext === null ? null : `\\x${ciphertext.toString("hex")}`;
  return { ...row, [column]: plain === null ? null : row[column], [`${column}_sealed`]: hex };
}

const ofSigned = (org: OrgId, envelope_id: EnvelopeId) =>
  sql`(t.slug, t.sha256) in (select slug, mark_sha256 from signatures where org_id = ${org} and envelope_id = ${envelope_id})`;

type StoredSigner = SignerRow & { readonly removed_at: string | null };

/** The same rows in the form in which they are compared with the chain. Data of other tables comes from `rest`. */
export function asSignedRows(stored: StoredRows, rest: SignedRows): SignedRows {
  const documents = [...stored.document].sort((a, b) => Number(a.document_no) - Number(b.document_no));
  const firstPageOf = ({ document_no }: { readonly document_no?: number }) =>
    (documents.find((row) => row.document_no === document_no)?.first_page as number | null | undefined) ?? null;
  return {
    ...rest,
    prepared_sha256: String(documents[0]?.pdf_sha256 ?? ""),
    stamped_sha256: (stored.stamped.find(({ kind }) => kind === "stamped")?.sha256 as string | undefined) ?? null,
    documents: documents[0]?.document_no === 0 ? documents.slice(1).map((row) => partOf(row, stored)) : [],
    fields: (stored.fields as unknown as SignedRows["fields"]).map((field) => asSent(field, firstPageOf(field))),
    signers: (stored.signers as unknown as StoredSigner[])
      .filter(({ removed_at }) => removed_at === null)
      .map((row) => ({ ...row, signed_at: isoOf(row.signed_at), acted_at: isoOf(row.acted_at ?? null) })),
    values: (stored.values as unknown as (Omit<ValueRow, "value"> & { value: string | null })[]).map((row) => ({
      ...row,
      value: row.value ?? CHANGED_VALUE,
    })),
    signatures: (stored.signatures as unknown as SignatureRow[]).map((row) => ({ ...row, signed_at: isoOf(row.signed_at) ?? "" })),
    marks: (stored.marks as unknown as (Omit<MarkRow, "content"> & { content: string | null })[]).map((row) => ({
      ...row,
      content: row.content === null ? CHANGED_MARK : bytesOf(row.content),
    })),
  };
}

const partOf = (row: Row, { stamped }: StoredRows): DocumentRow => ({
  document_no: Number(row.document_no),
  name: String(row.name),
  sha256: String(row.pdf_sha256),
  first_page: Number(row.first_page),
  pages: Array.isArray(row.pages) ? row.pages.length : 0,
  is_signature_page: row.is_signature_page === true,
  part_sha256: (stamped.find(({ kind, document_no }) => kind === "part" && document_no === row.document_no)?.sha256 as string) ?? null,
});

const isoOf = (time: string | null): string | null => (time === null ? null : new Date(time).toISOString());
/** PostgreSQL writes bytes as `\x` and hexadecimal digits. */
const bytesOf = (text: string): Uint8Array => Buffer.from(text.slice(2), "hex");

// Referenced rows are inserted first and deleted last.
const written: readonly TableName[] = ["document", "stamped", "signers", "fields", "marks", "signatures", "values"];

/** Changes the tables from `before` to `after`. Returns how many rows were changed. */
export async function writeStoredRows(
  deps: SealingDeps,
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  before: StoredRows,
  after: StoredRows,
): Promise<number> {
  let changed = 0;
  for (const table of written) {
    for (const row of after[table]) {
      const old = before[table].find((one) => keyOf(table, one) === keyOf(table, row));
      if (old !== undefined && isSame(table, old, row)) continue;
      const encoded = closed(deps, org, tables[table], row);
      await (old === undefined ? insertRow(tx, table, encoded) : updateRow(tx, org, envelope_id, table, encoded));
      changed++;
    }
  }
  for (const table of [...written].reverse()) {
    for (const row of before[table].filter((one) => !after[table].some((other) => keyOf(table, other) === keyOf(table, one)))) {
      await tx.query(sql`delete from ${raw(tables[table].name)} t where ${isRow(org, envelope_id, table, row)}`);
      changed++;
    }
  }
  return changed;
}

const keyOf = (table: TableName, row: Row): string => JSON.stringify(tables[table].key.map((column) => row[column]));
const isSame = (table: TableName, a: Row, b: Row): boolean =>
  tables[table].columns.every((column) => JSON.stringify(a[column]) === JSON.stringify(b[column]));

async function insertRow(tx: Tx, table: TableName, row: Row): Promise<void> {
  const name = raw(tables[table].name);
  const columns = join(Object.keys(row).map((column) => raw(`"${column}"`)));
  await tx.query(
    sql`insert into ${name} (${columns}) select ${columns} from jsonb_populate_record(null::${name}, ${JSON.stringify(row)}::jsonb)`,
  );
}

async function updateRow(tx: Tx, org: OrgId, envelope_id: EnvelopeId, table: TableName, row: Row): Promise<void> {
  const { name, columns, sealed } = tables[table];
  const all = sealed === undefined ? columns : [...columns, `${sealed.column}_sealed`];
  const sets = join(all.map((column) => sql`${raw(`"${column}"`)} = r.${raw(`"${column}"`)}`));
  await tx.query(sql`
    update ${raw(name)} t set ${sets} from jsonb_populate_record(null::${raw(name)}, ${JSON.stringify(row)}::jsonb) r
    where ${isRow(org, envelope_id, table, row)}`);
}

function isRow(org: OrgId, envelope_id: EnvelopeId, table: TableName, row: Row) {
  const keys: readonly string[] = tables[table].key;
  const conditions = keys.map((column) => sql`t.${raw(`"${column}"`)} = ${row[column]}`);
  const ofEnvelope = table === "marks" ? [] : [sql`t.envelope_id = ${envelope_id}`];
  return join([sql`t.org_id = ${org}`, ...ofEnvelope, ...conditions], " and ");
}
