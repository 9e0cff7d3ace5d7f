import { iso, isoOrNull } from "../http/shapes.ts";
import { type ApiKey, statusOf } from "./key.ts";

/** The fields of the response, listed explicitly. */
export const presentKey = (key: ApiKey) => ({
  key_id: key.key_id,
  partner_name: key.partner_name,
  key_hint: key.key_hint,
  scopes: key.scopes,
  rate_limit_rpm: key.rate_limit_rpm,
  status: statusOf(key),
  lenient_fields: key.lenient_fields,
  webhook: key.webhook,
  expires_at: isoOrNull(key.expires_at),
  allowed_cidrs: key.allowed_cidrs,
  last_used_at: isoOrNull(key.last_used_at),
  last_used_ip: key.last_used_ip,
  last_used_user_agent: key.last_used_user_agent,
  created_at: iso(key.created_at),
  updated_at: iso(key.updated_at),
  rotated_at: isoOrNull(key.rotated_at),
  previous_key_expires_at: isoOrNull(key.previous_key_expires_at),
  deactivated_at: isoOrNull(key.deactivated_at),
  created_by: key.created_by,
});

/** The only view with the raw key, for the responses of create and rotate. */
export const presentNewKey = (key: ApiKey & { api_key: string }) => ({ ...presentKey(key), api_key: key.api_key });
