import { FENCED } from "../db/fence.ts";
import { type Leased, named, type Read, raw, sql } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";

/** The origins that can frame an envelope's pages, before the organization is known. Empty for an unknown id. */
export async function listEmbedOrigins(read: Read, envelope_id: EnvelopeId): Promise<readonly string[]> {
  const { rows } = await read.query<{ embed_origins: string[] | null }>(sql`select find_embed_origins(${envelope_id}) as embed_origins`);
  return rows[0]?.embed_origins ?? [];
}

/** From here on the connection sees only the rows of this organization, if row-level security applies to its login. */
export async function enterOrg(read: Leased, org: OrgId): Promise<void> {
  if (read.isShared) return read.enter(org);
  await read.query(named("enter-org-of-link")`select set_config('app.org', ${org}, false), ${raw(FENCED)}`);
}
