import { Type } from "typebox";
import { Alternative, type Endpoint, endpoint, listing, reading, serving } from "../../http/endpoint.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Reason, Sha256, Timestamp } from "../../http/shapes.ts";
import { presentProposed } from "../acts/present.ts";
import { ActProposedView } from "../acts/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { ActorView } from "../shapes.ts";
import { acknowledgeExport } from "./acknowledge-export.ts";
import { cancelExport } from "./ended-exports.ts";
import { presentAcknowledged, presentExport, presentStarted } from "./present.ts";
import { requestExport } from "./request-export.ts";
import { servePackage } from "./serve-package.ts";
import { Receipt, RecipientShape, Status } from "./shapes.ts";
import { findExport, listExports } from "./store.ts";

const started = {
  export_id: idOf("vaultExport"),
  envelope_id: idOf("envelope"),
  status: Status,
  recipient: RecipientShape,
  package_path: Type.String(),
  package_sha256: Sha256,
  package_size: Type.Integer({ description: "Bytes" }),
  expires_at: Timestamp,
};
const StartedView = named("VaultExportStarted", Type.Object(started));
const ExportView = named(
  "VaultExport",
  Type.Object({
    ...started,
    copy_id: idOf("authoritativeCopy"),
    reason: Type.String(),
    act_id: about(nullable(idOf("act")), "The act by which a party confirmed it; null if none had to"),
    initiated_by: ActorView,
    created_at: Timestamp,
    downloaded_at: about(OptionalTimestamp, "When the recipient first downloaded the package at /p/"),
    closed_at: OptionalTimestamp,
    receipt: nullable(Receipt),
  }),
);
export const AcknowledgedView = named(
  "VaultExportAcknowledged",
  Type.Object({
    export_id: idOf("vaultExport"),
    envelope_id: idOf("envelope"),
    status: Status,
    key: Type.String({
      pattern: "^[0-9a-f]{64}$",
      "x-message": "must be 64 lower-case hexadecimal characters",
      description: "Decrypts the package (AES-256-GCM). Repeating the request returns it again for 24 hours",
    }),
    receipt: Receipt,
  }),
);

const [hash, other] = ["9f2c".repeat(16), "41d0".repeat(16)];
const startedExample = {
  export_id: "exp_01h2xcejqtf2nbrexx3vqjhp41",
  envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
  status: "escrowed",
  recipient: { name: "Second Example Bank", email: "vault@example.com" },
  package_path: "org_01h2xcejqtf2nbrexx3vqjhp41/vault/env_01h2xcejqtf2nbrexx3vqjhp41/exp_01h2xcejqtf2nbrexx3vqjhp41.csvx",
  package_sha256: hash,
  package_size: 348_160,
  expires_at: "2026-01-19T09:30:00.000Z",
};
const exportExample = {
  ...startedExample,
  copy_id: "ac_01h2xcejqtf2nbrexx3vqjhp41",
  reason: "Sold to Second Example Bank",
  act_id: null,
  initiated_by: { kind: "key", id: "lk_01h2xcejqtf2nbrexx3vqjhp41" },
  created_at: "2026-01-05T09:30:00.000Z",
  downloaded_at: null,
  closed_at: null,
  receipt: null,
};
const acknowledgedExample = {
  export_id: startedExample.export_id,
  envelope_id: startedExample.envelope_id,
  status: "acknowledged",
  key: other,
  receipt: {
    document: {
      type: "countersign/export-receipt/1",
      org_id: "org_01h2xcejqtf2nbrexx3vqjhp41",
      envelope_id: startedExample.envelope_id,
      export_id: startedExample.export_id,
      copy_id: exportExample.copy_id,
      sha256: other,
      package_sha256: hash,
      recipient: startedExample.recipient,
      acknowledged_at: "2026-01-06T08:00:00.000Z",
      chain_head: { seq: 42, hash: other, at: "2026-01-06T08:00:00.000Z" },
      key_id: hash,
    },
    signature: hash + other,
  },
};

const mayRelease = { anyScope: ["vault:release"] } as const;
const oneExport = { params: { export_id: "vaultExport" }, missing: "export_not_found" } as const;

/** How an authoritative copy leaves the vault for good: it is packed, downloaded and acknowledged. */
export function exportEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_vault_export",
      summary: "Start a vault export",
      stepUp: true,
      description:
        "Packs the authoritative copy and its evidence for a recipient and encrypts the package. Until the export is acknowledged, cancelled or expires after 14 days, the copy is escrowed: it cannot be transferred or exported again. Refused while a legal hold or a pending custody transfer exists. The recipient gets an e-mail with a link to download the package and to acknowledge it. If a secured party or a pledgee must confirm the export, the response is 202 with an act, and the export starts when they have confirmed it.",
      resource: "Vault exports",
      sdk: "vault.exports.create",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/vault-out",
      access: mayRelease,
      params: { envelope_id: "envelope" },
      missing: "envelope_not_found",
      body: Type.Object({ recipient: RecipientShape, reason: Reason }),
      answer: [201, StartedView],
      alternative: [202, ActProposedView],
      problems: [
        "envelope_not_vaulted",
        "copy_wrong_state",
        "copy_on_hold",
        "transfer_pending",
        "custody_changed",
        "control_changed",
        "party_not_enrolled",
        "registration_required",
        "storage_away",
      ],
      examples: { request: { recipient: startedExample.recipient, reason: exportExample.reason }, answer: startedExample },
      prepare: (caller, { params }) => requestExport.prepare(deps, caller, params.envelope_id),
      run: async (caller, { params, body }, prepared) => {
        const { name, email } = body.recipient;
        const input = { recipient: { name, email }, reason: body.reason };
        const answer = await requestExport.save(deps, caller, params.envelope_id, prepared, input);
        return "proposed" in answer ? new Alternative(presentProposed(answer.proposed), 202) : presentStarted(answer.started);
      },
    }),
    listing({
      name: "list_vault_exports",
      summary: "List vault exports",
      description: "Returns the vault exports of the organization, newest first.",
      resource: "Vault exports",
      sdk: "vault.exports.list",
      path: "/partner/vault-exports",
      access: mayRelease,
      query: Type.Partial(Type.Object({ envelope_id: Type.String({ maxLength: 100 }), status: Status })),
      item: ExportView,
      examples: { answer: exportExample },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listExports(read, caller.org, query, { page, limit });
        return { items: items.map(presentExport), total };
      },
    }),
    reading({
      name: "get_vault_export",
      summary: "Get a vault export",
      description: "Returns one vault export. After it is acknowledged, the response contains the signed receipt, but never the key.",
      resource: "Vault exports",
      sdk: "vault.exports.get",
      path: "/partner/vault-exports/:export_id",
      access: mayRelease,
      ...oneExport,
      answer: [200, ExportView],
      examples: { answer: exportExample },
      run: async (caller, { params }, read) => presentExport(await findExport(read, caller.org, params.export_id)),
    }),
    serving({
      name: "get_vault_export_package",
      summary: "Download the package of a vault export",
      description:
        "Returns the encrypted package while the export is escrowed or acknowledged. The key that decrypts it is in the response of acknowledge_vault_export. Each download is recorded in the access log.",
      resource: "Vault exports",
      sdk: "vault.exports.package.get",
      path: "/partner/vault-exports/:export_id/package",
      access: mayRelease,
      ...oneExport,
      types: ["application/octet-stream"],
      problems: ["export_closed", "document_unavailable"],
      run: (caller, { params }) => servePackage(deps, caller, params.export_id),
    }),
    endpoint({
      name: "acknowledge_vault_export",
      summary: "Acknowledge a vault export",
      description:
        "Confirms for the recipient that the package has arrived. From then on the authoritative copy has left the vault. The response contains the key of the package and a signed receipt. If the response is lost, repeat the request within 24 hours; after that only the recipient gets the key. The person who started the export cannot acknowledge it, with whatever key. Under the control policy confirmed, only the recipient acknowledges it, with the link in the e-mail.",
      resource: "Vault exports",
      sdk: "vault.exports.acknowledge",
      method: "POST",
      path: "/partner/vault-exports/:export_id/acknowledge",
      access: mayRelease,
      ...oneExport,
      body: Type.Object({ package_sha256: about(Sha256, "SHA-256 of the downloaded package") }),
      answer: [200, AcknowledgedView],
      problems: [
        "export_closed",
        "export_key_erased",
        "export_key_for_recipient",
        "recipient_must_acknowledge",
        "same_principal",
        "no_principal",
        "copy_wrong_state",
        "copy_on_hold",
      ],
      // The operation itself is repeatable, and a response with a key must not be stored.
      idempotent: false,
      secret: true,
      examples: { request: { package_sha256: hash }, answer: acknowledgedExample },
      run: async (caller, { params, body }) =>
        presentAcknowledged(await acknowledgeExport(deps, caller, params.export_id, body.package_sha256)),
    }),
    endpoint({
      name: "cancel_vault_export",
      summary: "Cancel a vault export",
      description:
        "Ends an export that was not acknowledged. The authoritative copy stays in the vault, and the package can never be decrypted.",
      resource: "Vault exports",
      sdk: "vault.exports.cancel",
      method: "POST",
      path: "/partner/vault-exports/:export_id/cancel",
      access: mayRelease,
      ...oneExport,
      answer: [200, ExportView],
      problems: ["export_closed"],
      examples: { answer: { ...exportExample, status: "cancelled", closed_at: "2026-01-06T08:00:00.000Z" } },
      run: async (caller, { params }) => presentExport(await cancelExport(deps, caller, params.export_id)),
    }),
  ];
}
