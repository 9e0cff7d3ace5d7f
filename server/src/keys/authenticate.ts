import { FENCED } from "../db/fence.ts";
import type { Read } from "../db/sql.ts";
import type { Admission } from "../http/authenticate.ts";
import type { KeyId, OrgId } from "../shared/ids.ts";
import type { Scope } from "../shared/scopes.ts";
import { sha256 } from "../shared/secrets.ts";
import { isRawKey } from "./key.ts";

interface Row {
  org_id: OrgId;
  key_id: KeyId;
  scopes: Scope[];
  secret_expires_at: Date | null;
  accepted: boolean;
  quota: number;
  remaining: number;
  reset_at: string;
  lenient_fields: boolean;
}

/**
 * One statement finds the key, counts the request in the rolling minute, notes its use and gives the connection its org. Nothing
 * is cached, so a deactivated key fails on the next request everywhere. What cannot be a key is refused without asking.
 */
export async function authenticateKey(read: Read, rawKey: string): Promise<Admission | null> {
  if (!isRawKey(rawKey)) return null;
  const { rows } = await read.query<Row>({
    name: "authenticate-key",
    text: `select *, ${FENCED} from authenticate_key($1)`,
    values: [sha256(rawKey)],
  });
  const row = rows[0];
  if (row === undefined) return null;
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
