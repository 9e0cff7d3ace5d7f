import { type Read, sql, type Tx } from "../db/sql.ts";
import type { LegalText } from "./text.ts";

/** Keeps rows that are already there: the same bytes are the same text, whichever version they were published with first. */
export async function insertTexts(tx: Tx, texts: readonly LegalText[]): Promise<void> {
  // In one order for all processes, so that two that start at the same time cannot wait for each other.
  const ordered = [...texts].sort((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  const column = (name: keyof LegalText) => ordered.map((text) => text[name]);
  await tx.query(sql`
    insert into published_texts (sha256, kind, version, locale, text)
    select * from unnest(${column("sha256")}::text[], ${column("kind")}::text[], ${column("version")}::text[], ${column("locale")}::text[],
      ${column("text")}::text[])
    on conflict (sha256) do nothing`);
}

/** The texts with these hashes. A hash of a text that this installation never published has none. */
export async function listTexts(read: Read, hashes: readonly string[]): Promise<LegalText[]> {
  const { rows } = await read.query<LegalText>(sql`
    select kind, version, locale, sha256, text from published_texts where sha256 = any(${hashes}::text[])`);
  return rows;
}
