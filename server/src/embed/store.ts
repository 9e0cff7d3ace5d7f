import { FENCED } from "../db/fence.ts";
import { type Read, raw, sql } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";

/** Who may show an envelope's pages in a frame, before any org is known. Nobody for an id that is nobody's. */
export async function listEmbedOrigins(read: Read, envelope_id: EnvelopeId): Promise<readonly string[]> {
  const { rows } = await read.query<{ embed_origins: string[] | null }>(sql`select find_embed_origins(${envelope_id}) as embed_origins`);
  return rows[0]?.embed_origins ?? [];
}

/** From here on the connection sees the rows of this org, if row-level security holds for its login. */
export async function enterOrg(read: Read, org: OrgId): Promise<void> {
  await read.query(sql`select set_config('app.org', ${org}, false), ${raw(FENCED)}`);
}
