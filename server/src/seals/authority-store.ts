import { type Read, sql, type Tx } from "../db/sql.ts";
import { sha256 } from "../shared/secrets.ts";

/** What a root is trusted for: time stamps, or signatures in uploaded documents. */
export type AuthorityPurpose = "tsa" | "upload";

/** Keeps a root for ever, so that what it has verified verifies after the setting has changed. */
export async function rememberAuthority(tx: Tx, purpose: AuthorityPurpose, der: Uint8Array): Promise<void> {
  await tx.query(sql`
    insert into authority_certificates (sha256, der, purpose) values (${sha256(der).toString("hex")}, ${der}, ${purpose})
    on conflict do nothing`);
}

/** DER, in the order in which they were first used. */
export async function listAuthorities(read: Read, purpose: AuthorityPurpose): Promise<Buffer[]> {
  const { rows } = await read.query<{ der: Buffer }>(sql`
    select der from authority_certificates where purpose = ${purpose} order by first_used_at, sha256`);
  return rows.map(({ der }) => der);
}
