import { Type } from "typebox";
import { MAX_CIDRS } from "../http/address-list.ts";
import { type Endpoint, endpoint, listing, reading } from "../http/endpoint.ts";
import { about, idOf, ModeName, named, nullable, OptionalTimestamp, ScopeName, Timestamp } from "../http/shapes.ts";
import { scopes } from "../shared/scopes.ts";
import { createKey } from "./create-key.ts";
import { deactivateKey } from "./deactivate-key.ts";
import * as examples from "./examples.ts";
import { DEFAULT_GRACE_SECONDS, type KeyDeps, keyStatuses, MAX_GRACE_SECONDS } from "./key.ts";
import { presentCaller, presentKey, presentNewKey } from "./present.ts";
import { rotateKey } from "./rotate-key.ts";
import { findKey, findOrgName, listKeys } from "./store.ts";
import { testWebhook } from "./test-webhook.ts";
import { type KeyChange, updateKeyDetails } from "./update-key-details.ts";

/** Any text. */
const PartnerName = Type.String({ minLength: 1, maxLength: 200, description: "Any text that helps you recognize who uses the key" });
const Scopes = Type.Array(ScopeName, { minItems: 1, maxItems: 50, description: "What the key is allowed to do" });
const RateLimit = Type.Integer({ minimum: 1, maximum: 100_000, description: "The maximum number of requests in any 60 seconds" });
const WEBHOOK = "Your own notes, at most 4,096 bytes as JSON. They have no effect on webhook endpoints, which belong to the organization";
const LenientFields = Type.Boolean({
  description: "true: unknown fields in a body are ignored and listed in `X-Ignored-Fields`; false: they are refused with 422",
});
const EXPIRES = "From then on, requests with the key return 401; null: it does not expire. From 1 hour to 5 years ahead";
const ALLOWED =
  "The addresses that the key works from, as ranges such as `203.0.113.0/24`. Empty: all. From other addresses it returns 401";
const limits = {
  expires_at: about(OptionalTimestamp, EXPIRES),
  allowed_cidrs: Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: MAX_CIDRS, description: ALLOWED }),
};
const FreeObject = Type.Object({}, { additionalProperties: true });

const keyView = {
  key_id: idOf("key"),
  partner_name: Type.String(),
  key_hint: Type.String({ description: "The first 7 and the last 4 characters of the raw key" }),
  scopes: Type.Array(ScopeName),
  rate_limit_rpm: Type.Integer(),
  mode: about(ModeName, "`test`: a key of a sandbox, which reaches test data alone"),
  status: about(
    named("ApiKeyStatus", Type.Enum([...keyStatuses])),
    "`expired`: `expires_at` has passed. Requests with an expired or deactivated key return 401",
  ),
  lenient_fields: LenientFields,
  webhook: about(nullable(FreeObject), WEBHOOK),
  expires_at: about(OptionalTimestamp, EXPIRES),
  allowed_cidrs: Type.Array(Type.String(), { description: ALLOWED }),
  last_used_at: OptionalTimestamp,
  last_used_ip: nullable(Type.String()),
  last_used_user_agent: nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  rotated_at: OptionalTimestamp,
  previous_key_expires_at: about(
    OptionalTimestamp,
    "When the raw key from before the last rotation stops working; null if it no longer works",
  ),
  deactivated_at: OptionalTimestamp,
  created_by: about(nullable(idOf("user")), "The admin who created the key"),
};
const KeyView = named("ApiKey", Type.Object(keyView));
const RawKey = Type.String({
  pattern: "^lk_[0-9a-f]{40}$",
  "x-message": "must be an API key (lk_…)",
  description: "The raw key. It is only in this response; store it now",
});
const NewKeyView = named("NewApiKey", Type.Object({ ...keyView, api_key: RawKey }));
const DeactivatedView = named(
  "DeactivatedApiKey",
  Type.Object({ key_id: idOf("key"), status: Type.Literal("deactivated"), deactivated_at: Timestamp }),
);
const TestedView = named(
  "ApiKeyWebhookTest",
  Type.Object({ event_id: idOf("event"), endpoints: Type.Integer({ description: "The number of enabled endpoints that get the event" }) }),
);

const CallerView = named(
  "KeyCaller",
  Type.Object({
    org_id: idOf("org"),
    org_name: Type.String(),
    mode: about(ModeName, "`test`: the organization is a sandbox"),
    key_id: about(nullable(idOf("key")), "Null for a console session"),
    partner_name: nullable(Type.String()),
    scopes: Type.Array(ScopeName),
    rate_limit_rpm: nullable(Type.Integer({ description: "The maximum number of requests in any 60 seconds" })),
    lenient_fields: LenientFields,
    console_url: Type.String({ description: "The address of the console, where people work" }),
  }),
);

const admin = { permission: "keys:manage" } as const;
const oneKey = { params: { key_id: "key" }, missing: "key_not_found" } as const;

/** Key management requires the session of an admin. A key can never manage keys. */
export function keyEndpoints(deps: KeyDeps, { consoleUrl }: { readonly consoleUrl: string }): Endpoint[] {
  return [
    reading({
      name: "get_caller",
      summary: "Get what your credential is",
      description:
        "Returns the organization that the key belongs to, what the key may do, and whether its data are tests. Call it first to check that a program has the right key. A console session gets the same without a key.",
      resource: "API keys",
      sdk: "apiKeys.me",
      path: "/partner/me",
      access: { anyScope: scopes, custodian: "closed" },
      answer: [200, CallerView],
      examples: { answer: examples.caller },
      run: async ({ org, actor, scopes: own }, _input, read) => {
        const key = actor.kind === "key" ? await findKey(read, org, actor.id) : null;
        return presentCaller({ org_id: org, org_name: await findOrgName(read, org), scopes: own, key, console_url: consoleUrl });
      },
    }),
    endpoint({
      name: "create_key",
      summary: "Create an API key",
      stepUp: true,
      description:
        "Creates a key with which a partner's server calls this API. The raw key is only in this response, so store it now. With `expires_at` and `allowed_cidrs` you limit until when and from where it works. Without `rate_limit_rpm` the key gets the installation's default limit. Only an admin in a console session can manage keys.",
      resource: "API keys",
      sdk: "apiKeys.create",
      method: "POST",
      path: "/partners/keys",
      access: admin,
      body: Type.Object({
        partner_name: PartnerName,
        scopes: Scopes,
        rate_limit_rpm: Type.Optional(RateLimit),
        expires_at: Type.Optional(limits.expires_at),
        allowed_cidrs: Type.Optional(limits.allowed_cidrs),
      }),
      answer: [201, NewKeyView],
      secret: true,
      examples: { request: examples.wanted, answer: examples.newKey },
      run: async (caller, { body }) => presentNewKey(await createKey(deps, caller, body)),
    }),
    listing({
      name: "list_keys",
      summary: "List API keys",
      description: "Lists all keys of the organization, newest first, including deactivated ones. Raw keys are never shown again.",
      resource: "API keys",
      sdk: "apiKeys.list",
      path: "/partners/keys",
      access: admin,
      item: KeyView,
      examples: { answer: examples.key },
      run: async (caller, page, read) => {
        const { items, total } = await listKeys(read, caller.org, page);
        return { items: items.map(presentKey), total };
      },
    }),
    reading({
      name: "get_key",
      summary: "Get an API key",
      description: "Returns one key with its scopes, its rate limit and the time of its last use. The raw key is never shown again.",
      resource: "API keys",
      sdk: "apiKeys.get",
      path: "/partners/keys/:key_id",
      access: admin,
      ...oneKey,
      answer: [200, KeyView],
      examples: { answer: examples.key },
      run: async (caller, { params }, read) => presentKey(await findKey(read, caller.org, params.key_id)),
    }),
    endpoint({
      name: "update_key",
      summary: "Update an API key",
      stepUp: true,
      description:
        "Changes the name, scopes, rate limit, expiry, addresses or notes of a key, or what happens to unknown fields. Fields that you leave out keep their values. The same raw key keeps working, and the change applies from the next request. Returns 409 if the key is deactivated.",
      resource: "API keys",
      sdk: "apiKeys.update",
      method: "PATCH",
      path: "/partners/keys/:key_id",
      access: admin,
      ...oneKey,
      body: Type.Partial(
        Type.Object({
          partner_name: PartnerName,
          scopes: Scopes,
          rate_limit_rpm: RateLimit,
          ...limits,
          lenient_fields: LenientFields,
          webhook: about(nullable(FreeObject), WEBHOOK),
        }),
      ),
      answer: [200, KeyView],
      problems: ["key_deactivated"],
      examples: { request: examples.change, answer: { ...examples.key, ...examples.change } },
      ifMatch: true,
      run: async (caller, { params, body, unchanged }) =>
        presentKey(await updateKeyDetails(deps, caller, params.key_id, body as KeyChange, (now) => unchanged(presentKey(now)))),
    }),
    endpoint({
      name: "rotate_key",
      summary: "Rotate an API key",
      stepUp: true,
      description:
        "Creates a new raw key, which is only in this response. The previous raw key keeps working until the grace period ends. A second rotation within that time ends the oldest one at once, so at most two raw keys work. Returns 409 if the key is deactivated.",
      resource: "API keys",
      sdk: "apiKeys.rotate",
      method: "POST",
      path: "/partners/keys/:key_id/rotate",
      access: admin,
      ...oneKey,
      body: Type.Object({
        grace_period_seconds: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: MAX_GRACE_SECONDS,
            default: DEFAULT_GRACE_SECONDS,
            description: "How long the previous raw key keeps working; 0 ends it at once",
          }),
        ),
      }),
      answer: [200, NewKeyView],
      problems: ["key_deactivated"],
      secret: true,
      examples: { request: { grace_period_seconds: 3600 }, answer: examples.rotated },
      run: async (caller, { params, body }) => {
        const grace = body.grace_period_seconds ?? DEFAULT_GRACE_SECONDS;
        return presentNewKey(await rotateKey(deps, caller, params.key_id, grace));
      },
    }),
    endpoint({
      name: "deactivate_key",
      summary: "Deactivate an API key",
      description:
        "Deactivates a key permanently. Requests with it return 401 from now on. The key stays in the list for the audit trail. Deactivating it again changes nothing and returns the original time.",
      resource: "API keys",
      sdk: "apiKeys.deactivate",
      method: "DELETE",
      path: "/partners/keys/:key_id",
      access: admin,
      ...oneKey,
      answer: [200, DeactivatedView],
      examples: { answer: examples.deactivated },
      run: async (caller, { params }) => {
        const deactivated_at = await deactivateKey(deps, caller, params.key_id);
        return { key_id: params.key_id, status: "deactivated", deactivated_at: deactivated_at.toISOString() } as const;
      },
    }),
    endpoint({
      name: "test_webhook",
      summary: "Send a test event to all webhook endpoints",
      description:
        "Sends a `webhook.test` event that names this key to every enabled webhook endpoint of the organization, regardless of their subscriptions. To test one endpoint, use `POST /webhooks/endpoints/{endpoint_id}/test`. Returns 409 if the key is deactivated.",
      resource: "API keys",
      sdk: "apiKeys.testWebhook",
      method: "POST",
      path: "/partners/keys/:key_id/test-webhook",
      access: admin,
      ...oneKey,
      answer: [202, TestedView],
      problems: ["key_deactivated"],
      examples: { answer: examples.tested },
      run: (caller, { params }) => testWebhook(deps, caller, params.key_id),
    }),
  ];
}
