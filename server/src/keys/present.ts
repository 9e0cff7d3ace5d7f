import { iso, isoOrNull } from "../http/shapes.ts";
import { modeOf, type OrgId } from "../shared/ids.ts";
import type { Scope } from "../shared/scopes.ts";
import { type ApiKey, statusOf } from "./key.ts";

/** The fields of the response, listed explicitly. */
export const presentKey = (key: ApiKey) => ({
  key_id: key.key_id,
  partner_name: key.partner_name,
  key_hint: key.key_hint,
  scopes: key.scopes,
  rate_limit_rpm: key.rate_limit_rpm,
  mode: modeOf(key.org_id),
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

/** Who calls: with a key, or in a session without one. */
interface CalledBy {
  readonly org_id: OrgId;
  readonly org_name: string;
  readonly scopes: readonly Scope[];
  readonly key: ApiKey | null;
  readonly console_url: string;
}

export const presentCaller = ({ org_id, org_name, scopes, key, console_url }: CalledBy) => ({
  org_id,
  org_name,
  mode: modeOf(org_id),
  key_id: key?.key_id ?? null,
  partner_name: key?.partner_name ?? null,
  scopes: [...scopes],
  rate_limit_rpm: key?.rate_limit_rpm ?? null,
  lenient_fields: key?.lenient_fields ?? false,
  console_url,
});

/** The only view with the raw key, for the responses of create and rotate. */
export const presentNewKey = (key: ApiKey & { api_key: string }) => ({ ...presentKey(key), api_key: key.api_key });
