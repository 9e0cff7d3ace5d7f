import { Type } from "typebox";
import { acting, type Endpoint, endpoint, serving } from "../../http/endpoint.ts";
import { about, idOf, iso, isoOrNull, named, nullable, OptionalTimestamp, Sha256, Timestamp } from "../../http/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { AcknowledgedView } from "./http.ts";
import { acknowledgeAsRecipient, type ExportForRecipient, findExportFor, listExportsFor, servePackageTo } from "./person-exports.ts";
import { presentAcknowledged, presentExport } from "./present.ts";
import { Receipt, Status } from "./shapes.ts";

const ReceivedView = named(
  "PersonExport",
  Type.Object({
    export_id: idOf("vaultExport"),
    envelope_id: idOf("envelope"),
    copy_id: idOf("authoritativeCopy"),
    envelope_name: Type.String(),
    org_name: about(Type.String(), "Who hands the original over"),
    recipient_name: Type.String(),
    status: Status,
    reason: Type.String(),
    sha256: about(Sha256, "SHA-256 of the authoritative copy"),
    package_sha256: Sha256,
    package_size: Type.Integer({ description: "Bytes" }),
    created_at: Timestamp,
    expires_at: Timestamp,
    downloaded_at: OptionalTimestamp,
    closed_at: OptionalTimestamp,
    receipt: nullable(Receipt),
  }),
);

const person = { person: true } as const;
const oneExport = { params: { export_id: "vaultExport" }, missing: "export_not_found" } as const;

const presentReceived = (one: ExportForRecipient) => ({
  export_id: one.export_id,
  envelope_id: one.envelope_id,
  copy_id: one.copy_id,
  envelope_name: one.envelope_name,
  org_name: one.org_name,
  recipient_name: one.recipient.name,
  status: one.state,
  reason: one.reason,
  sha256: one.sha256,
  package_sha256: one.package_sha256,
  package_size: one.package_size,
  created_at: iso(one.created_at),
  expires_at: iso(one.expires_at),
  downloaded_at: isoOrNull(one.downloaded_at),
  closed_at: isoOrNull(one.closed_at),
  receipt: presentExport(one).receipt,
});

/** What recipients of originals call: the package, and taking the original over. */
export function personExportEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    acting({
      name: "list_person_exports",
      summary: "List the originals that are handed over to you",
      path: "/p/api/exports",
      access: person,
      answer: [200, Type.Array(ReceivedView)],
      run: async (who) => (await listExportsFor(deps, who)).map(presentReceived),
    }),
    acting({
      name: "get_person_export",
      summary: "Get an original that is handed over to you",
      path: "/p/api/exports/:export_id",
      access: person,
      ...oneExport,
      answer: [200, ReceivedView],
      run: async (who, { params }) => presentReceived(await findExportFor(deps, who, params.export_id)),
    }),
    serving({
      name: "get_person_export_package",
      summary: "Download the package with an original",
      description: "Returns the encrypted package. Each download is recorded in the audit trail of the record.",
      path: "/p/api/exports/:export_id/package",
      access: person,
      ...oneExport,
      types: ["application/octet-stream"],
      problems: ["export_closed", "document_unavailable"],
      run: (who, { params }) => servePackageTo(deps, who, params.export_id),
    }),
    endpoint({
      name: "acknowledge_person_export",
      summary: "Take over an original",
      description:
        "Confirms that you have the package. From then on the original is yours: it has left the vault, and the response contains the key of the package and a signed receipt. Repeating the request returns them again, which is recorded each time.",
      method: "POST",
      path: "/p/api/exports/:export_id/acknowledge",
      access: person,
      ...oneExport,
      body: Type.Object({ package_sha256: about(Sha256, "SHA-256 of the downloaded package") }),
      answer: [200, AcknowledgedView],
      problems: ["export_closed", "export_key_erased", "not_downloaded", "same_principal", "copy_wrong_state", "copy_on_hold"],
      idempotent: false,
      secret: true,
      run: async (who, { params, body }) =>
        presentAcknowledged(await acknowledgeAsRecipient(deps, who, params.export_id, body.package_sha256)),
    }),
  ];
}
