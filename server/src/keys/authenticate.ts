import type { Read } from "../db/sql.ts";
import type { Admission } from "../http/authenticate.ts";
import { sha256 } from "../shared/secrets.ts";
import { isRawKey } from "./key.ts";
import { useSecret } from "./store.ts";

/**
 * One statement finds the key, counts the request in the rolling minute, records its use and sets the org of the connection. Nothing
 * is cached, so a deactivated key fails on the next request everywhere. Text that cannot be a key is rejected without a statement.
 */
export async function authenticateKey(read: Read, rawKey: string): Promise<Admission | null> {
  if (!isRawKey(rawKey)) return null;
  const row = await useSecret(read, sha256(rawKey));
  if (row === null) return null;
  return {
    org: row.org_id,
    actor: { kind: "key", id: row.key_id },
    scopes: row.scopes,
    session: null,
    accepted: row.accepted,
    quota: { limit: row.quota, remaining: row.remaining, reset: Number(row.reset_at) },
    expires_at: row.secret_expires_at,
    lenient_fields: row.lenient_fields,
  };
}
