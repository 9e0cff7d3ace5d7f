import { FENCED } from "../db/fence.ts";
import { type Leased, named, type Read, raw, sql } from "../db/sql.ts";
import { type Taken, type TakenRow, takenIn, takeQuota } from "../http/quota.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";

/** The origins that can frame an envelope's pages, before the organization is known. Empty for an unknown id. */
export async function listEmbedOrigins(read: Read, envelope_id: EnvelopeId): Promise<readonly string[]> {
  const { rows } = await read.query<{ embed_origins: string[] | null }>(sql`select find_embed_origins(${envelope_id}) as embed_origins`);
  return rows[0]?.embed_origins ?? [];
}

/**
 * Counts a request of `subject`. From here on the connection sees only the rows of this organization, if row-level security applies to its
 * login. On a shared connection the count is a transaction of its own, so that requests with one token do not wait for each other.
 */
export async function enterCounted(read: Leased, org: OrgId, subject: string, limit: number, windowSeconds: number): Promise<Taken> {
  if (read.isShared) {
    const taken = await takeQuota(read, subject, limit, windowSeconds);
    await read.enter(org);
    return taken;
  }
  const { rows } = await read.query<TakenRow>(named("enter-org-of-link")`
    select set_config('app.org', ${org}, false), ${raw(FENCED)}, accepted, remaining, reset_at
    from take_quota(${subject}, ${limit}, make_interval(secs => ${windowSeconds}))`);
  return takenIn(rows, limit);
}
