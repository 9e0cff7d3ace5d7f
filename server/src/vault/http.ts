import { Type } from "typebox";
import { listEntries } from "../audit/read-chain.ts";
import { presentTrailItem } from "../envelopes/present.ts";
import { TrailItemView } from "../envelopes/shapes.ts";
import { Answered, acting, type Endpoint, endpoint, listing, reading, serving } from "../http/endpoint.ts";
import { attestAgain } from "./attest-again.ts";
import { AttestationBody } from "./attestation.ts";
import { evaluateAgain, readCompliance } from "./compliance.ts";
import { findCopy } from "./copy.ts";
import { serveEvidence } from "./evidence-bundle.ts";
import * as examples from "./examples.ts";
import { issueVaultCopy, serveCertificate } from "./hand-out.ts";
import { listVault } from "./list-vault.ts";
import { presentAttested, presentCompliance, presentListed, presentRecord, presentVaulted } from "./present.ts";
import { readRecord } from "./read-record.ts";
import {
  AttestedView,
  ComplianceView,
  ListedView,
  RecordView,
  SignedDepositBody,
  UploadDepositBody,
  VaultedView,
  VaultQuery,
} from "./shapes.ts";
import type { PipelineDeps } from "./vault.ts";
import { type Vaulted, vaultInSigned, vaultInUpload } from "./vault-in.ts";

const oneEnvelope = { params: { envelope_id: "envelope" }, missing: "envelope_not_found" } as const;
const mayRead = { anyScope: ["vault:read"] } as const;
const mayWrite = { anyScope: ["vault:write"] } as const;
const documentProblems = ["document_unavailable", "pdf_busy"] as const;

/** Signed documents into the vault, and what can be known and had of those that are in it. */
export function vaultEndpoints(deps: PipelineDeps): Endpoint[] {
  return [...depositing(deps), ...judging(deps), ...lookingAt(deps)];
}

/** Whatever is not done within the wait goes on by itself. */
const answered = (vaulted: Vaulted) => new Answered(presentVaulted(vaulted), {}, vaulted.certificate === null ? 202 : null);

function depositing(deps: PipelineDeps): Endpoint[] {
  return [
    endpoint({
      name: "vault_in_signed",
      summary: "Vault a completed envelope that was not to be vaulted by itself; 202 while the pipeline goes on",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/vault-in-signed",
      access: mayWrite,
      ...oneEnvelope,
      body: SignedDepositBody,
      answer: [200, VaultedView],
      goesOn: true,
      problems: ["envelope_wrong_status", "certification_required", "certification_terms_outdated", "record_mismatch"],
      examples: { request: examples.signedDeposit, answer: examples.vaulted },
      prepare: (caller, { params, body }) => vaultInSigned(deps, caller, params.envelope_id, body),
      run: async (_caller, _input, vaulted) => answered(vaulted),
    }),
    endpoint({
      name: "vault_in_upload",
      summary:
        "Vault an uploaded original that was signed on paper or elsewhere, with what its depositor attests; 202 while the pipeline goes on",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/vault-in-upload",
      access: mayWrite,
      ...oneEnvelope,
      body: UploadDepositBody,
      attached: "evidence",
      answer: [200, VaultedView],
      goesOn: true,
      problems: [
        "envelope_wrong_status",
        "envelope_without_document",
        "certification_required",
        "certification_terms_outdated",
        "form_json_malformed",
        "document_blank",
        "document_unavailable",
        "not_evidence",
        "storage_away",
      ],
      examples: { request: examples.uploadDeposit, answer: examples.vaulted },
      prepare: (caller, { params, body, file }) => vaultInUpload(deps, caller, params.envelope_id, body, file),
      run: async (_caller, _input, vaulted) => answered(vaulted),
    }),
    endpoint({
      name: "add_attestation",
      summary: "Correct or complete what was attested about a vaulted original; it counts from the next evaluation on",
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

function judging(deps: PipelineDeps): Endpoint[] {
  return [
    acting({
      name: "get_compliance",
      summary: "The eight checks: as they were certified, and before vaulting as they would come out now",
      path: "/partner/envelopes/:envelope_id/compliance",
      access: { anyScope: ["compliance:read", "envelopes:read", "vault:read"] },
      ...oneEnvelope,
      answer: [200, ComplianceView],
      examples: { answer: examples.compliance },
      run: async (caller, { params }) => presentCompliance(await readCompliance(deps, caller, params.envelope_id)),
    }),
    endpoint({
      name: "evaluate_compliance",
      summary: "Evaluate a vaulted envelope again: a new revision, a new certificate, one more event",
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

function lookingAt(deps: PipelineDeps): Endpoint[] {
  return [
    listing({
      name: "list_vault",
      summary: "Vaulted envelopes with the score of their latest certificate, newest first",
      path: "/partner/vault",
      access: mayRead,
      query: VaultQuery,
      item: ListedView,
      examples: { answer: examples.listed },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listVault(read, caller.org, query, { page, limit });
        return { items: items.map(presentListed), total };
      },
    }),
    reading({
      name: "get_vault_record",
      summary: "What the vault holds of an envelope: the copy, its custodian, its assignee, its certificate",
      path: "/partner/envelopes/:envelope_id/vault",
      access: mayRead,
      ...oneEnvelope,
      answer: [200, RecordView],
      problems: ["envelope_not_vaulted"],
      examples: { answer: examples.record },
      run: async (caller, { params }, read) => presentRecord(await readRecord(read, caller.org, params.envelope_id)),
    }),
    serving({
      name: "get_vault_copy",
      summary: "A copy of the vaulted document, marked as one on every page",
      path: "/partner/envelopes/:envelope_id/vault/copy",
      access: mayRead,
      ...oneEnvelope,
      types: ["application/pdf"],
      problems: ["envelope_not_vaulted", "copy_wrong_state", ...documentProblems],
      run: (caller, { params }) => issueVaultCopy(deps, caller, params.envelope_id),
    }),
    serving({
      name: "get_compliance_certificate",
      summary: "The latest compliance certificate, for people or for programs",
      path: "/partner/envelopes/:envelope_id/vault/certificate",
      access: mayRead,
      ...oneEnvelope,
      query: Type.Object({ format: Type.Optional(Type.Enum(["pdf", "json"])) }),
      types: ["application/pdf", "application/json"],
      problems: ["envelope_not_vaulted", "document_unavailable"],
      run: (caller, { params, query }) => serveCertificate(deps, caller, params.envelope_id, query.format ?? "pdf"),
    }),
    serving({
      name: "get_evidence_bundle",
      summary: "Everything that it takes to check the document without this service, with a marked copy of it",
      path: "/partner/envelopes/:envelope_id/vault/evidence",
      access: mayRead,
      ...oneEnvelope,
      types: ["application/zip"],
      problems: ["envelope_not_vaulted", "copy_wrong_state", ...documentProblems],
      run: (caller, { params }) => serveEvidence(deps, caller, params.envelope_id),
    }),
    listing({
      name: "list_vault_accesses",
      summary: "Who had what of a vaulted document, newest first",
      path: "/partner/envelopes/:envelope_id/vault/access-log",
      access: mayRead,
      ...oneEnvelope,
      item: TrailItemView,
      problems: ["envelope_not_vaulted"],
      run: async (caller, { params, page, limit }, read) => {
        await findCopy(read, caller.org, params.envelope_id);
        const { items, total } = await listEntries(read, caller.org, params.envelope_id, { page, limit }, "vault.document.accessed");
        return { items: items.map((item) => presentTrailItem(item, caller)), total };
      },
    }),
  ];
}
