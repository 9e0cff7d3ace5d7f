import { Type } from "typebox";
import { findStatus } from "../../envelopes/store.ts";
import { type Endpoint, endpoint, listing } from "../../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Reason, Timestamp } from "../../http/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { ActorView } from "../shapes.ts";
import { liftHold, placeHold } from "./place-hold.ts";
import { presentHold, presentRetention } from "./present.ts";
import { extendRetentionOf } from "./retention.ts";
import { listHolds } from "./store.ts";

const RetentionView = named(
  "VaultRetention",
  Type.Object({
    envelope_id: idOf("envelope"),
    retention_until: Timestamp,
    lock: about(
      named("VaultRetentionLock", Type.Object({ kind: Type.Enum(["application", "object_lock"]), until: Timestamp })),
      "What prevents the stored file from being deleted: this service, or the object lock of the storage",
    ),
  }),
);
const HoldView = named(
  "LegalHold",
  Type.Object({
    hold_id: idOf("legalHold"),
    envelope_id: idOf("envelope"),
    reason: Type.String(),
    placed_by: ActorView,
    placed_at: Timestamp,
    released_by: nullable(ActorView),
    released_at: about(OptionalTimestamp, "null while the hold is in force"),
  }),
);

const retentionExample = {
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  retention_until: "2056-01-05T00:00:00.000Z",
  lock: { kind: "application", until: "2056-01-05T00:00:00.000Z" },
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

/** Retention and legal holds. */
export function keepingEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "extend_retention",
      summary: "Extend the retention of an authoritative copy",
      description:
        "Extends the retention of an authoritative copy to a later date. An earlier date is refused; the same date changes nothing.",
      resource: "Vault",
      sdk: "vault.retention.extend",
      method: "PUT",
      path: "/partner/envelopes/:envelope_id/vault/retention",
      access: mayWrite,
      ...oneEnvelope,
      body: Type.Object({ retention_until: about(Timestamp, "Not earlier than the date on record, and within 100 years") }),
      answer: [200, RetentionView],
      problems: ["envelope_not_vaulted", "copy_wrong_state", "retention_shorter"],
      examples: { request: { retention_until: retentionExample.retention_until }, answer: retentionExample },
      run: async (caller, { params, body }) =>
        presentRetention(await extendRetentionOf(deps, caller, params.envelope_id, new Date(body.retention_until))),
    }),
    endpoint({
      name: "place_legal_hold",
      summary: "Place a legal hold",
      description:
        "Keeps an authoritative copy in the vault until the hold is released. It cannot be exported, and an export that has already started cannot be acknowledged. A copy can have several holds at once.",
      resource: "Vault",
      sdk: "vault.legalHolds.create",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/vault/legal-hold",
      access: mayWrite,
      ...oneEnvelope,
      body: Type.Object({ reason: Reason }),
      answer: [201, HoldView],
      problems: ["envelope_not_vaulted", "copy_wrong_state"],
      examples: { request: { reason: holdExample.reason }, answer: holdExample },
      run: async (caller, { params, body }) => presentHold(await placeHold(deps, caller, params.envelope_id, body.reason)),
    }),
    listing({
      name: "list_legal_holds",
      summary: "List legal holds",
      description: "Returns the legal holds on an authoritative copy, newest first, including released ones.",
      resource: "Vault",
      sdk: "vault.legalHolds.list",
      path: "/partner/envelopes/:envelope_id/vault/legal-hold",
      access: { anyScope: ["vault:read"], custodian: "envelope_id" },
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
      summary: "Release a legal hold",
      stepUp: true,
      description: "Ends one hold; other holds on the copy stay in force. The hold stays in the list. Releasing it again changes nothing.",
      resource: "Vault",
      sdk: "vault.legalHolds.release",
      method: "DELETE",
      path: "/partner/envelopes/:envelope_id/vault/legal-hold/:hold_id",
      access: mayWrite,
      params: { envelope_id: "envelope", hold_id: "legalHold" },
      missing: "hold_not_found",
      answer: [200, HoldView],
      problems: ["registration_required"],
      examples: { answer: releasedExample },
      run: async (caller, { params }) => presentHold(await liftHold(deps, caller, params.envelope_id, params.hold_id)),
    }),
  ];
}
