import { listEntries } from "../audit/read-chain.ts";
import { presentTrailItem } from "../envelopes/present.ts";
import { TrailItemView } from "../envelopes/shapes.ts";
import { Answered, acting, type Endpoint, endpoint, listing, reading, serving } from "../http/endpoint.ts";
import { keeperOf } from "../shared/caller.ts";
import { attestAgain } from "./attest-again.ts";
import { AttestationBody } from "./attestation.ts";
import { evaluateAgain, readCompliance } from "./compliance.ts";
import { findCopy } from "./copy-store.ts";
import { serveEvidence } from "./evidence-bundle.ts";
import * as examples from "./examples.ts";
import { countVault } from "./figures-store.ts";
import { listVault } from "./list-store.ts";
import { presentAttested, presentCompliance, presentFigures, presentListed, presentRecord, presentVaulted } from "./present.ts";
import { readRecord } from "./read-record.ts";
import { CERTIFICATE_FILE_TYPE, issueVaultCopy, serveCertificate } from "./served-files.ts";
import {
  AttestedView,
  CertificateQuery,
  CertificateView,
  ComplianceView,
  FiguresView,
  ListedView,
  RecordView,
  SignedDepositBody,
  UploadDepositBody,
  VaultedView,
  VaultQuery,
} from "./shapes.ts";
import { type PipelineDeps, statusUrl } from "./vault.ts";
import { type UploadDeposit, type Vaulted, vaultInSigned, vaultInUpload } from "./vault-in.ts";

const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;
const mayRead = { anyScope: ["vault:read"], custodian: "envelope_id" } as const;
const mayWrite = { anyScope: ["vault:write"] } as const;
const documentProblems = ["document_unavailable", "pdf_busy"] as const;

/** Deposits into the vault, and access to what is stored in it. */
export function vaultEndpoints(deps: PipelineDeps): Endpoint[] {
  return [...depositEndpoints(deps), ...complianceEndpoints(deps), ...readEndpoints(deps)];
}

/** Work that is not done within the wait continues in the background. */
const answered = (vaulted: Vaulted) => new Answered(presentVaulted(vaulted), {}, vaulted.certificate === null ? 202 : null);

function depositEndpoints(deps: PipelineDeps): Endpoint[] {
  return [
    endpoint({
      name: "vault_in_signed",
      summary: "Vault a completed envelope",
      description:
        "Stores the signed document of a completed envelope as its authoritative copy, for envelopes without auto_vault_enabled. The certification terms must be accepted. Returns 200 with the certificate when the envelope is vaulted, or 202 after 30 seconds while the work continues. The events vault.stored and vault.compliance.passed or vault.compliance.failed follow.",
      resource: "Vault",
      sdk: "vault.depositSigned",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/vault-in-signed",
      access: mayWrite,
      ...oneEnvelope,
      body: SignedDepositBody,
      answer: [200, VaultedView],
      mayContinue: true,
      problems: ["envelope_wrong_status", "certification_required", "certification_terms_outdated", "record_mismatch"],
      examples: { request: examples.signedDeposit, answer: examples.vaulted },
      prepare: (caller, { params, body }) => vaultInSigned(deps, caller, params.envelope_id, body),
      run: async (_caller, _input, vaulted) => answered(vaulted),
    }),
    endpoint({
      name: "vault_in_upload",
      summary: "Vault an original that was signed elsewhere",
      description:
        "Stores an uploaded document, signed on paper or in another system, as the authoritative copy of its envelope. The attestation contains what the depositor declares about the original; the optional file is the other system's record (PDF, PNG, JPEG or JSON). Returns 200 with the certificate when the envelope is vaulted, or 202 after 30 seconds while the work continues. The document must come from an upload and must not be blank. A document that the vault already has, also with something appended or as a copy that left, is refused.",
      resource: "Vault",
      sdk: "vault.depositUpload",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/vault-in-upload",
      access: mayWrite,
      ...oneEnvelope,
      body: UploadDepositBody,
      attached: "evidence",
      answer: [200, VaultedView],
      mayContinue: true,
      problems: [
        "envelope_wrong_status",
        "envelope_without_document",
        "several_documents",
        "certification_required",
        "certification_terms_outdated",
        "form_json_malformed",
        "document_blank",
        "upload_is_a_copy",
        "document_already_vaulted",
        "use_vault_in_signed",
        "export_receipt_used",
        "document_unavailable",
        "not_evidence",
        "disk_full",
        "storage_away",
      ],
      examples: { request: examples.uploadDeposit, answer: examples.vaultedUpload },
      prepare: (caller, { params, body, file }) => vaultInUpload(deps, caller, params.envelope_id, body as UploadDeposit, file),
      run: async (_caller, _input, vaulted) => answered(vaulted),
    }),
    endpoint({
      name: "add_attestation",
      summary: "Add an attestation to a vaulted original",
      description:
        "Corrects or completes what was declared about an original that was signed elsewhere. Earlier attestations stay on record. The latest one is used from the next evaluation on; call evaluate_compliance to evaluate now.",
      resource: "Vault",
      sdk: "vault.attestations.create",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/attestations",
      access: mayWrite,
      ...oneEnvelope,
      body: AttestationBody,
      answer: [201, AttestedView],
      problems: ["envelope_not_vaulted", "envelope_wrong_status", "copy_wrong_state"],
      examples: { request: examples.uploadDeposit.attestation, answer: examples.attested },
      run: async (caller, { params, body }) =>
        presentAttested(params.envelope_id, await attestAgain(deps, caller, params.envelope_id, body)),
    }),
  ];
}

function complianceEndpoints(deps: PipelineDeps): Endpoint[] {
  return [
    acting({
      name: "get_compliance",
      summary: "Get the compliance result of an envelope",
      description:
        "Returns the eight checks of the latest certificate. Before the envelope is vaulted, it returns a preview of what an evaluation would find now, and certificate_path is null.",
      resource: "Compliance",
      sdk: "compliance.get",
      path: "/partner/envelopes/:envelope_id/compliance",
      access: { anyScope: ["compliance:read", "envelopes:read", "vault:read"], custodian: "envelope_id" },
      ...oneEnvelope,
      answer: [200, ComplianceView],
      examples: { answer: examples.compliance },
      run: async (caller, { params }) => presentCompliance(await readCompliance(deps, caller, params.envelope_id)),
    }),
    endpoint({
      name: "evaluate_compliance",
      summary: "Evaluate a vaulted envelope again",
      description:
        "Reads the stored copy again, runs the eight checks, and issues a new revision of the certificate. Use it after adding an attestation or a secured party. The event vault.compliance.passed or vault.compliance.failed follows.",
      resource: "Compliance",
      sdk: "compliance.evaluate",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/compliance",
      access: mayWrite,
      ...oneEnvelope,
      answer: [200, ComplianceView],
      problems: ["envelope_wrong_status", ...documentProblems],
      examples: { answer: examples.compliance },
      prepare: (caller, { params }) => evaluateAgain(deps, caller, params.envelope_id),
      run: async (_caller, _input, compliance) => presentCompliance(compliance),
    }),
  ];
}

function readEndpoints(deps: PipelineDeps): Endpoint[] {
  return [
    listing({
      name: "list_vault",
      summary: "List vaulted envelopes",
      description:
        "Returns the vaulted envelopes of the organization with the score of their latest certificate, newest first. For a member with the role custodian: those of which they are the present or the requested custodian. With `q`, `meta.total` stops at 10,000 with `meta.total_capped`, and later pages are 422.",
      resource: "Vault",
      sdk: "vault.list",
      path: "/partner/vault",
      access: { anyScope: ["vault:read"], custodian: "own" },
      query: VaultQuery,
      item: ListedView,
      problems: ["search_too_broad", "page_too_deep"],
      examples: { answer: examples.listed },
      run: async (caller, { query, page, limit }, read) => {
        const { items, ...totals } = await listVault(read, caller.org, { ...query, keeper: keeperOf(caller) }, { page, limit });
        return { items: items.map(presentListed), ...totals };
      },
    }),
    reading({
      name: "get_vault_statistics",
      summary: "Get statistics of the vault",
      description:
        "Returns how many records the vault has, by the standing of their latest certificate. The list of the vault has the same records. Use it for a dashboard.",
      resource: "Vault",
      sdk: "vault.statistics.get",
      path: "/org/vault-statistics",
      access: { anyScope: ["vault:read"], custodian: "closed" },
      answer: [200, FiguresView],
      examples: { answer: examples.figures },
      run: async ({ org }, _input, read) => presentFigures(await countVault(read, org)),
    }),
    reading({
      name: "get_vault_record",
      summary: "Get the vault record of an envelope",
      description:
        "Returns what the vault holds for an envelope: the authoritative copy with its hash and retention, its custodian, its secured party and its latest certificate.",
      resource: "Vault",
      sdk: "vault.get",
      path: "/partner/envelopes/:envelope_id/vault",
      access: mayRead,
      ...oneEnvelope,
      answer: [200, RecordView],
      problems: ["envelope_not_vaulted"],
      examples: { answer: examples.record },
      run: async (caller, { params }, read) => {
        const record = await readRecord(read, caller.org, params.envelope_id);
        return presentRecord(record, statusUrl(deps.publicUrl, record.copy));
      },
    }),
    serving({
      name: "get_vault_copy",
      summary: "Download a marked copy of a vaulted document",
      description:
        "Returns a PDF in which every page is marked as a copy. The authoritative copy itself can leave the vault only through a vault export. Each download is recorded in the access log. The header X-Authoritative-Sha256 contains the SHA-256 of the authoritative copy.",
      resource: "Vault",
      sdk: "vault.copy.get",
      path: "/partner/envelopes/:envelope_id/vault/copy",
      access: mayRead,
      ...oneEnvelope,
      types: ["application/pdf"],
      problems: ["envelope_not_vaulted", "copy_wrong_state", ...documentProblems],
      run: (caller, { params }) => issueVaultCopy(deps, caller, params.envelope_id),
    }),
    serving({
      name: "get_compliance_certificate",
      summary: "Download the latest compliance certificate",
      description:
        "Returns the certificate of the latest evaluation as a sealed PDF, as data, or as the JSON file whose hash is on record. Each download is recorded in the access log.",
      resource: "Compliance",
      sdk: "compliance.certificate.get",
      path: "/partner/envelopes/:envelope_id/vault/certificate",
      access: mayRead,
      ...oneEnvelope,
      query: CertificateQuery,
      examples: { answer: examples.certificate },
      answer: [200, CertificateView],
      types: ["application/pdf", CERTIFICATE_FILE_TYPE],
      problems: ["envelope_not_vaulted", "document_unavailable"],
      run: (caller, { params, query }) => serveCertificate(deps, caller, params.envelope_id, query.format ?? "pdf"),
    }),
    serving({
      name: "get_evidence_bundle",
      summary: "Download the evidence bundle",
      description:
        "Returns a ZIP file with a marked copy of the document and everything that is needed to verify it without this service: audit trail, certificate, proofs and keys. Each download is recorded in the access log.",
      resource: "Vault",
      sdk: "vault.evidence.get",
      path: "/partner/envelopes/:envelope_id/vault/evidence",
      access: mayRead,
      ...oneEnvelope,
      types: ["application/zip"],
      problems: ["envelope_not_vaulted", "copy_wrong_state", ...documentProblems],
      run: (caller, { params }) => serveEvidence(deps, caller, params.envelope_id),
    }),
    listing({
      name: "list_vault_accesses",
      summary: "List accesses to a vaulted document",
      description:
        "Returns who opened or downloaded a vaulted document, its certificate, its evidence bundle or an export package, newest first.",
      resource: "Vault",
      sdk: "vault.accesses.list",
      path: "/partner/envelopes/:envelope_id/vault/access-log",
      access: mayRead,
      ...oneEnvelope,
      item: TrailItemView,
      problems: ["envelope_not_vaulted"],
      examples: { answer: examples.access },
      run: async (caller, { params, page, limit }, read) => {
        await findCopy(read, caller.org, params.envelope_id);
        const { items, total } = await listEntries(read, caller.org, params.envelope_id, { page, limit }, "vault.document.accessed");
        return { items: items.map((item) => presentTrailItem(item, caller)), total };
      },
    }),
  ];
}
