import type { Leased, Read } from "../db/sql.ts";
import type { Admission, Rights } from "../http/authenticate.ts";
import type { Origin } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { sha256 } from "../shared/secrets.ts";
import { isRawKey } from "./key.ts";
import { lookUpScopes, useSecret } from "./store.ts";

/**
 * One statement finds the key, checks its end and its addresses, counts the request in the rolling minute, records its use and sets the org
 * of the connection. Nothing is cached, so a deactivated key fails on the next request everywhere. Text that cannot be a key is rejected
 * without a statement.
 */
export async function authenticateKey(read: Leased, rawKey: string, from: Pick<Origin, "ip" | "user_agent">): Promise<Admission | null> {
  if (!isRawKey(rawKey)) return null;
  const row = await useSecret(read, sha256(rawKey), from);
  if (row === null) return null;
  await read.enter(row.org_id);
  return {
    org: row.org_id,
    actor: { kind: "key", id: row.key_id },
    scopes: row.scopes,
    session: null,
    accepted: row.accepted,
    quota: { limit: row.quota, remaining: row.remaining, reset: Number(row.reset_at) },
    expires_at: row.expires_at,
    lenient_fields: row.lenient_fields,
  };
}

/** What the key may do by now; null if it no longer works here. The request was counted when it was admitted. */
export async function recheckKey(read: Read, org: OrgId, rawKey: string, { ip }: Pick<Origin, "ip">): Promise<Rights | null> {
  const scopes = await lookUpScopes(read, org, sha256(rawKey), ip);
  return scopes === null ? null : { scopes, session: null };
}
