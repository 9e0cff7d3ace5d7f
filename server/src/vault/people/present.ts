import { iso } from "../../http/shapes.ts";
import type { Passkey } from "./person.ts";
import type { StartedSession } from "./start-session.ts";

export const presentSession = ({ token, expires_at }: StartedSession) => ({ token, expires_at: iso(expires_at) });

export const presentPasskey = ({ passkey_id, credential_id, name, algorithm, backed_up, created_at, last_used_at }: Passkey) => ({
  passkey_id,
  credential_id,
  name,
  algorithm,
  backed_up,
  created_at: iso(created_at),
  last_used_at: last_used_at === null ? null : iso(last_used_at),
});
