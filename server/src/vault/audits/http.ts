import { Type } from "typebox";
import { type Endpoint, endpoint, listing } from "../../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Timestamp } from "../../http/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { ActorView } from "../shapes.ts";
import { createGrant } from "./create-grant.ts";
import { grantStates, MAX_GRANTED_IDS } from "./grant.ts";
import { presentGrant } from "./present.ts";
import { revokeGrant } from "./revoke-grant.ts";
import { listGrants } from "./store.ts";

const FilterShape = named(
  "AuditFilter",
  Type.Object({
    customer_id: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    controller_party_id: Type.Optional(about(idOf("party"), "The secured party on record")),
    external_ids: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 255 }), { minItems: 1, maxItems: MAX_GRANTED_IDS })),
  }),
);

const GrantView = named(
  "AuditGrant",
  Type.Object({
    grant_id: idOf("auditGrant"),
    party_id: idOf("party"),
    party_name: Type.String(),
    envelope_ids: nullable(Type.Array(idOf("envelope"))),
    filter: nullable(FilterShape),
    may_download: Type.Boolean(),
    until: Timestamp,
    state: Type.Enum([...grantStates]),
    granted_by: ActorView,
    granted_at: Timestamp,
    revoked_at: OptionalTimestamp,
  }),
);

const grantRequest = {
  party_id: "pty_01h2xcejqtf2nbrexx3vqjhp41",
  filter: { customer_id: "cust_01h2xcejqtf2nbrexx3vqjhp41" },
  may_download: true,
  until: "2050-03-31T00:00:00.000Z",
};
const grantExample = {
  grant_id: "agr_01h2xcejqtf2nbrexx3vqjhp41",
  ...grantRequest,
  party_name: "First Example Auditors LLP",
  envelope_ids: null,
  state: "active",
  granted_by: { kind: "user", id: "usr_01h2xcejqtf2nbrexx3vqjhp41" },
  granted_at: "2026-01-05T09:30:00.000Z",
  revoked_at: null,
};

const mayWrite = { anyScope: ["parties:write"] } as const;

/** What people of a party may look at as auditors. */
export function auditEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_audit_grant",
      summary: "Let a party look at records",
      description: `Lets the people of a party see vaulted records at /p/ until the given time: their state, checks and certificate, with may_download also the marked copy, the certificate and the evidence bundle. Name the records (at most ${MAX_GRANTED_IDS}), or a filter, which also covers records that match it later. Every view and download is recorded in the access log of the record.`,
      resource: "Control",
      sdk: "auditGrants.create",
      method: "POST",
      path: "/partner/audit-grants",
      access: mayWrite,
      body: Type.Object({
        party_id: idOf("party"),
        envelope_ids: Type.Optional(Type.Array(idOf("envelope"), { minItems: 1, maxItems: MAX_GRANTED_IDS })),
        filter: Type.Optional(FilterShape),
        may_download: Type.Boolean(),
        until: Timestamp,
      }),
      answer: [201, GrantView],
      problems: ["party_not_found"],
      examples: { request: grantRequest, answer: grantExample },
      run: async (caller, { body }) => presentGrant(await createGrant(deps, caller, body)),
    }),
    listing({
      name: "list_audit_grants",
      summary: "List audit grants",
      description: "Returns what parties may look at as auditors, newest first, with grants that ended or were revoked.",
      resource: "Control",
      sdk: "auditGrants.list",
      path: "/partner/audit-grants",
      access: mayWrite,
      query: Type.Partial(Type.Object({ party_id: Type.String({ maxLength: 100 }) })),
      item: GrantView,
      examples: { answer: grantExample },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listGrants(read, caller.org, query, { page, limit });
        return { items: items.map(presentGrant), total };
      },
    }),
    endpoint({
      name: "revoke_audit_grant",
      summary: "Revoke an audit grant",
      description: "Ends a grant at once: from the next request on, its records are not found for the people of the party.",
      resource: "Control",
      sdk: "auditGrants.revoke",
      method: "DELETE",
      path: "/partner/audit-grants/:grant_id",
      access: mayWrite,
      params: { grant_id: "auditGrant" },
      missing: "audit_grant_not_found",
      answer: [200, GrantView],
      examples: { answer: { ...grantExample, state: "revoked", revoked_at: "2026-02-05T09:30:00.000Z" } },
      run: async (caller, { params }) => presentGrant(await revokeGrant(deps, caller, params.grant_id)),
    }),
  ];
}
