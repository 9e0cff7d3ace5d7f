import { Type } from "typebox";
import { acting, type Endpoint, serving } from "../../http/endpoint.ts";
import { idOf, iso, named, Sha256, Timestamp } from "../../http/shapes.ts";
import type { PersonCaller } from "../../shared/caller.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { readCompliance } from "../compliance.ts";
import { serveEvidence } from "../evidence-bundle.ts";
import { presentCompliance } from "../present.ts";
import { readRecord } from "../read-record.ts";
import { appendAccess, issueVaultCopy, serveCertificate } from "../served-files.ts";
import { ComplianceView, CopyStateShape } from "../shapes.ts";
import { findOrgSettings } from "../store.ts";
import type { PipelineDeps } from "../vault.ts";
import { findAudited, requireDownload } from "./find-audited.ts";

const AuditedView = named(
  "AuditedRecord",
  Type.Object({
    envelope_id: idOf("envelope"),
    envelope_name: Type.String(),
    org_name: Type.String(),
    party_name: Type.String({ description: "The party for which you look at it" }),
    state: CopyStateShape,
    sha256: Sha256,
    stored_at: Timestamp,
    retention_until: Timestamp,
    revision: Type.Integer({ description: "Of the latest certificate" }),
    compliance: ComplianceView,
    may_download: Type.Boolean(),
    until: Timestamp,
  }),
);

const person = { person: true } as const;
const oneRecord = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;
const fileProblems = ["download_not_granted", "document_unavailable", "envelope_not_vaulted"] as const;

/** What an auditor sees of a record. Each view and download is an entry of the record's chain. */
export function personAuditEndpoints(deps: PipelineDeps): Endpoint[] {
  const mayDownload = async (who: PersonCaller, envelope_id: EnvelopeId) => {
    const { caller, grant } = await findAudited(deps, who, envelope_id);
    requireDownload(grant);
    return caller;
  };
  return [
    acting({
      name: "get_audited_record",
      summary: "Look at a record as an auditor",
      path: "/p/api/records/:envelope_id",
      access: person,
      ...oneRecord,
      answer: [200, AuditedView],
      run: async (who, { params: { envelope_id } }) => {
        const { caller, grant } = await findAudited(deps, who, envelope_id);
        const { org } = caller;
        const { record, org_name } = await deps.db.tx(org, async (tx) => {
          await appendAccess(tx, caller, envelope_id, "record");
          return { record: await readRecord(tx, org, envelope_id), org_name: (await findOrgSettings(tx, org)).name };
        });
        const { state, sha256, stored_at, retention_until } = record.copy;
        return {
          envelope_id,
          envelope_name: record.envelope.envelope_name,
          org_name,
          party_name: grant.party_name,
          state,
          sha256,
          stored_at: iso(stored_at),
          retention_until: iso(retention_until),
          revision: record.certificate.revision,
          compliance: presentCompliance(await readCompliance(deps, caller, envelope_id)),
          may_download: grant.may_download,
          until: iso(grant.until),
        };
      },
    }),
    serving({
      name: "get_audited_copy",
      summary: "Download a marked copy as an auditor",
      path: "/p/api/records/:envelope_id/copy",
      access: person,
      ...oneRecord,
      types: ["application/pdf"],
      problems: [...fileProblems, "copy_wrong_state", "pdf_busy"],
      run: async (who, { params }) => issueVaultCopy(deps, await mayDownload(who, params.envelope_id), params.envelope_id),
    }),
    serving({
      name: "get_audited_certificate",
      summary: "Download the certificate as an auditor",
      path: "/p/api/records/:envelope_id/certificate",
      access: person,
      ...oneRecord,
      types: ["application/pdf"],
      problems: fileProblems,
      run: async (who, { params }) =>
        serveCertificate(deps, await mayDownload(who, params.envelope_id), params.envelope_id, "pdf") as never,
    }),
    serving({
      name: "get_audited_evidence",
      summary: "Download the evidence bundle as an auditor",
      path: "/p/api/records/:envelope_id/evidence",
      access: person,
      ...oneRecord,
      types: ["application/zip"],
      problems: [...fileProblems, "copy_wrong_state", "pdf_busy"],
      run: async (who, { params }) => serveEvidence(deps, await mayDownload(who, params.envelope_id), params.envelope_id),
    }),
  ];
}
