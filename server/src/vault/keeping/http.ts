import { Type } from "typebox";
import { findStatus } from "../../envelopes/store.ts";
import { type Endpoint, endpoint, listing } from "../../http/endpoint.ts";
import { idOf, nullable, OptionalTimestamp, Timestamp } from "../../http/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { extendRetentionOf } from "./extend-retention.ts";
import { liftHold, placeHold } from "./place-hold.ts";
import { presentHold, presentRetention } from "./present.ts";
import { listHolds } from "./store.ts";

const By = Type.Object({ kind: Type.String(), id: Type.String() });

const RetentionView = Type.Object({
  envelope_id: idOf("envelope"),
  retention_until: Timestamp,
  lock: Type.Object({ kind: Type.Enum(["application", "object_lock"]), until: Timestamp }),
});
const HoldView = Type.Object({
  hold_id: idOf("legalHold"),
  envelope_id: idOf("envelope"),
  reason: Type.String(),
  placed_by: By,
  placed_at: Timestamp,
  released_by: nullable(By),
  released_at: OptionalTimestamp,
});

const retentionExample = {
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  retention_until: "2036-01-05T00:00:00.000Z",
  lock: { kind: "application", until: "2036-01-05T00:00:00.000Z" },
};
const holdExample = {
  hold_id: "hold_01h2xcejqtf2nbrexx3vqjhp41",
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  reason: "Lawsuit 7/2026",
  placed_by: { kind: "user", id: "usr_01h2xcejqtf2nbrexx3vqjhp41" },
  placed_at: "2026-01-05T09:30:00.000Z",
  released_by: null,
  released_at: null,
};
const releasedExample = { ...holdExample, released_by: holdExample.placed_by, released_at: "2026-06-01T08:00:00.000Z" };

const mayWrite = { anyScope: ["vault:write"] } as const;
const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;

/** How long a copy is kept, and what keeps it longer. */
export function keepingEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "extend_retention",
      summary: "Keep an authoritative copy longer; retention never ends earlier than it did",
      method: "PUT",
      path: "/partner/envelopes/:envelope_id/vault/retention",
      access: mayWrite,
      ...oneEnvelope,
      body: Type.Object({ retention_until: Timestamp }),
      answer: [200, RetentionView],
      problems: ["envelope_not_vaulted", "copy_wrong_state", "retention_shorter"],
      examples: { request: { retention_until: retentionExample.retention_until }, answer: retentionExample },
      run: async (caller, { params, body }) =>
        presentRetention(await extendRetentionOf(deps, caller, params.envelope_id, new Date(body.retention_until))),
    }),
    endpoint({
      name: "place_legal_hold",
      summary: "Keep an authoritative copy here whatever happens; holds stack",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/vault/legal-hold",
      access: mayWrite,
      ...oneEnvelope,
      body: Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500, pattern: "\\S" }) }),
      answer: [201, HoldView],
      problems: ["envelope_not_vaulted", "copy_wrong_state"],
      examples: { request: { reason: holdExample.reason }, answer: holdExample },
      run: async (caller, { params, body }) => presentHold(await placeHold(deps, caller, params.envelope_id, body.reason)),
    }),
    listing({
      name: "list_legal_holds",
      summary: "Legal holds on an authoritative copy, newest first, those that were released too",
      path: "/partner/envelopes/:envelope_id/vault/legal-hold",
      access: { anyScope: ["vault:read"] },
      ...oneEnvelope,
      item: HoldView,
      examples: { answer: holdExample },
      run: async (caller, { params, page, limit }, read) => {
        await findStatus(read, caller.org, params.envelope_id);
        const { items, total } = await listHolds(read, caller.org, params.envelope_id, { page, limit });
        return { items: items.map(presentHold), total };
      },
    }),
    endpoint({
      name: "release_legal_hold",
      summary: "Release a legal hold; a second time changes nothing",
      method: "DELETE",
      path: "/partner/envelopes/:envelope_id/vault/legal-hold/:hold_id",
      access: mayWrite,
      params: { envelope_id: "envelope", hold_id: "legalHold" },
      missing: "hold_not_found",
      answer: [200, HoldView],
      examples: { answer: releasedExample },
      run: async (caller, { params }) => presentHold(await liftHold(deps, caller, params.envelope_id, params.hold_id)),
    }),
  ];
}
