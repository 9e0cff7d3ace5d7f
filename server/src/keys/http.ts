import { Type } from "typebox";
import { type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { idOf, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { scopes } from "../shared/scopes.ts";
import { createKey } from "./create-key.ts";
import { deactivateKey } from "./deactivate-key.ts";
import { DEFAULT_GRACE_SECONDS, type KeyDeps, MAX_GRACE_SECONDS } from "./key.ts";
import { presentKey, presentNewKey } from "./present.ts";
import { rotateKey } from "./rotate-key.ts";
import { findKey, listKeys } from "./store.ts";
import { testWebhook } from "./test-webhook.ts";
import { type KeyChange, updateKeyDetails } from "./update-key.ts";

/** Any text. */
const PartnerName = Type.String({ minLength: 1, maxLength: 200 });
const Scopes = Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: 50 });
const RateLimit = Type.Integer({ minimum: 1, maximum: 100_000 });
const FreeObject = Type.Object({}, { additionalProperties: true });

const keyView = {
  key_id: idOf("key"),
  partner_name: Type.String(),
  key_hint: Type.String(),
  scopes: Type.Array(Type.String()),
  rate_limit_rpm: Type.Integer(),
  status: Type.Enum(["active", "deactivated"]),
  webhook: nullable(FreeObject),
  last_used_at: OptionalTimestamp,
  created_at: Timestamp,
  updated_at: Timestamp,
  rotated_at: OptionalTimestamp,
  previous_key_expires_at: OptionalTimestamp,
  deactivated_at: OptionalTimestamp,
  created_by: nullable(idOf("user")),
};
const KeyView = Type.Object(keyView);
const NewKeyView = Type.Object({ ...keyView, api_key: Type.String({ pattern: "^lk_[0-9a-f]{40}$" }) });

const admin = { role: "admin" } as const;
const oneKey = { params: { key_id: "key" }, missing: "key_not_found" } as const;

/** Key management: a session of an admin. A key can never manage keys. */
export function keyEndpoints(deps: KeyDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_key",
      summary: "Create a key; the raw key is in this answer only",
      method: "POST",
      path: "/partners/keys",
      access: admin,
      body: Type.Object({ partner_name: PartnerName, scopes: Scopes, rate_limit_rpm: Type.Optional(RateLimit) }),
      answer: [201, NewKeyView],
      secret: true,
      run: async (caller, { body }) => presentNewKey(await createKey(deps, caller, body)),
    }),
    listing({
      name: "list_keys",
      summary: "All keys of the organization, without raw keys",
      path: "/partners/keys",
      access: admin,
      item: KeyView,
      run: async (caller, page, read) => {
        const { items, total } = await listKeys(read, caller.org, page);
        return { items: items.map(presentKey), total };
      },
    }),
    reading({
      name: "get_key",
      summary: "One key, without its raw key",
      path: "/partners/keys/:key_id",
      access: admin,
      ...oneKey,
      answer: [200, KeyView],
      run: async (caller, { params }, read) => presentKey(await findKey(read, caller.org, params.key_id)),
    }),
    endpoint({
      name: "update_key",
      summary: "Change name, scopes, limit or webhook; the same key keeps working",
      method: "PATCH",
      path: "/partners/keys/:key_id",
      access: admin,
      ...oneKey,
      body: Type.Partial(
        Type.Object({ partner_name: PartnerName, scopes: Scopes, rate_limit_rpm: RateLimit, webhook: nullable(FreeObject) }),
      ),
      answer: [200, KeyView],
      problems: ["key_deactivated"],
      run: async (caller, { params, body }) => presentKey(await updateKeyDetails(deps, caller, params.key_id, body as KeyChange)),
    }),
    endpoint({
      name: "rotate_key",
      summary: "A new raw key; the one before it works until the grace period ends",
      method: "POST",
      path: "/partners/keys/:key_id/rotate",
      access: admin,
      ...oneKey,
      body: Type.Object({ grace_period_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_GRACE_SECONDS })) }),
      answer: [200, NewKeyView],
      problems: ["key_deactivated"],
      secret: true,
      run: async (caller, { params, body }) => {
        const grace = body.grace_period_seconds ?? DEFAULT_GRACE_SECONDS;
        return presentNewKey(await rotateKey(deps, caller, params.key_id, grace));
      },
    }),
    endpoint({
      name: "deactivate_key",
      summary: "The key is refused from the next request on",
      method: "DELETE",
      path: "/partners/keys/:key_id",
      access: admin,
      ...oneKey,
      answer: [200, Type.Object({ key_id: idOf("key"), status: Type.Literal("deactivated"), deactivated_at: Timestamp })],
      run: async (caller, { params }) => {
        const deactivated_at = await deactivateKey(deps, caller, params.key_id);
        return { key_id: params.key_id, status: "deactivated", deactivated_at: deactivated_at.toISOString() } as const;
      },
    }),
    endpoint({
      name: "test_webhook",
      summary: "Fire a webhook.test event to every enabled endpoint of the organization",
      method: "POST",
      path: "/partners/keys/:key_id/test-webhook",
      access: admin,
      ...oneKey,
      answer: [202, Type.Object({ event_id: idOf("event"), endpoints: Type.Integer() })],
      problems: ["key_deactivated"],
      run: (caller, { params }) => testWebhook(deps, caller, params.key_id),
    }),
  ];
}
