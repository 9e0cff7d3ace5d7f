import { type Attestation, hashOfJson } from "@countersign/evidence";
import { type Static, Type } from "typebox";
import { appendAudit } from "../audit/append-audit.ts";
import type { Tx } from "../db/sql.ts";
import { Day, named, nullable, Sha256 } from "../http/shapes.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId } from "../shared/ids.ts";
import { invalidField } from "../shared/problems.ts";
import { insertAttestation, type Recorded } from "./attestation-store.ts";
import type { EvidenceFile } from "./evidence-file.ts";
import { lookUpEvidence } from "./evidence-store.ts";

/** What the depositor of a signed original declares about it. We score the declaration; we do not tell anyone to do what it says. */

const Text = Type.String({ minLength: 1, maxLength: 300 });
const optional = <T extends Parameters<typeof nullable>[0]>(schema: T) => Type.Optional(nullable(schema));

const AttestationSigner = named(
  "AttestationSigner",
  Type.Object({
    name: optional(Text),
    email: optional(Text),
    role: optional(Text),
    signed_on: optional(Day),
    identified_by: optional(
      named("AttestationIdentification", Type.Enum(["known_personally", "government_id", "notary", "witness", "unknown"])),
    ),
    auth_methods: Type.Optional(
      Type.Array(
        named(
          "AttestationAuthMethod",
          Type.Enum(["email_link", "access_code", "sms", "kba", "sso", "government_id", "in_person", "unknown"]),
        ),
        { maxItems: 10 },
      ),
    ),
  }),
);

const AttestationPaper = named(
  "AttestationPaper",
  Type.Object({
    ink_signed: optional(Type.Boolean()),
    all_signatures_present: optional(Type.Boolean()),
    page_count: optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
    original_disposition: optional(named("AttestationDisposition", Type.Enum(["destroyed", "marked_as_copy", "retained"]))),
    disposition_on: optional(Day),
    disposition_by: optional(Text),
  }),
);

const AttestationExternal = named(
  "AttestationExternal",
  Type.Object({
    provider: optional(Text),
    transaction_id: optional(Text),
    consent_confirmed: optional(Type.Boolean()),
    prior_copy_status: optional(
      named("AttestationPriorCopyStatus", Type.Enum(["none_existed", "exported_with_acknowledgment", "marked_as_copy", "unknown"])),
    ),
    document_sha256: optional(Sha256),
    evidence_sha256: optional(Sha256),
  }),
);

export const AttestationBody = named(
  "Attestation",
  Type.Object({
    attested_by: optional(named("AttestationAuthor", Type.Object({ name: Text, title: optional(Text) }))),
    signers: Type.Optional(Type.Array(AttestationSigner, { maxItems: 100 })),
    paper: optional(AttestationPaper),
    external: optional(AttestationExternal),
  }),
);
export type AttestationInput = Static<typeof AttestationBody>;

/** With every member, null where nothing was declared. Returns null without the name of an attester. */
export function attestationOf(input: AttestationInput): Attestation | null {
  const { attested_by, signers = [], paper, external } = input;
  if (attested_by == null) return null;
  return {
    attested_by: { name: attested_by.name, title: attested_by.title ?? null },
    signers: signers.map((signer) => ({
      name: signer.name ?? null,
      email: signer.email ?? null,
      role: signer.role ?? null,
      signed_on: signer.signed_on ?? null,
      identified_by: signer.identified_by ?? null,
      auth_methods: [...(signer.auth_methods ?? [])],
    })),
    paper: paper == null ? null : paperOf(paper),
    external: external == null ? null : externalOf(external),
  };
}

const paperOf = (paper: NonNullable<AttestationInput["paper"]>): Attestation["paper"] => ({
  ink_signed: paper.ink_signed ?? null,
  all_signatures_present: paper.all_signatures_present ?? null,
  page_count: paper.page_count ?? null,
  original_disposition: paper.original_disposition ?? null,
  disposition_on: paper.disposition_on ?? null,
  disposition_by: paper.disposition_by ?? null,
});

const externalOf = (external: NonNullable<AttestationInput["external"]>): Attestation["external"] => ({
  provider: external.provider ?? null,
  transaction_id: external.transaction_id ?? null,
  consent_confirmed: external.consent_confirmed ?? null,
  prior_copy_status: external.prior_copy_status ?? null,
  document_sha256: external.document_sha256 ?? null,
  evidence_sha256: external.evidence_sha256 ?? null,
});

/** The two sources that can be attested. */
export type AttestedSource = "paper_upload" | "electronic_signed";

const others: Record<AttestedSource, { readonly member: "paper" | "external"; readonly says: string }> = {
  paper_upload: { member: "external", says: "is allowed only for documents that were signed electronically elsewhere" },
  electronic_signed: { member: "paper", says: "is allowed only for documents that were signed on paper" },
};

/** An attestation about the other kind of original was meant for another envelope. */
function refuseOtherSource(source: AttestedSource, input: AttestationInput, at: "" | "attestation." = ""): void {
  const { member, says } = others[source];
  if (input[member] != null) throw invalidField(`${at}${member}`, "conflict", says);
}

/** Adds the evidence file's hash to the attestation. If the attestation names a different hash, it is about another file. */
function namingEvidence(input: AttestationInput, source: AttestedSource, evidence: EvidenceFile, at: string): AttestationInput {
  const { external } = input;
  const named = external?.evidence_sha256 ?? evidence.sha256;
  if (named !== evidence.sha256)
    throw invalidField(`${at}external.evidence_sha256`, "conflict", "must be the SHA-256 of the uploaded evidence file");
  return source === "electronic_signed" ? { ...input, external: { ...external, evidence_sha256: named } } : input;
}

/**
 * Append-only: earlier attestations stay on record. An empty one is recorded too, so that the trail shows that nothing was declared.
 * `brought`: the evidence file that came with this attestation; it is already stored, and its hash enters the trail here.
 */
export async function recordAttestation(
  tx: Tx,
  caller: Caller,
  envelope_id: EnvelopeId,
  source: AttestedSource,
  input: AttestationInput,
  { at = "", brought = null }: { readonly at?: "" | "attestation."; readonly brought?: EvidenceFile | null } = {},
): Promise<Recorded> {
  const { org } = caller;
  refuseOtherSource(source, input, at);
  const evidence = brought ?? (await lookUpEvidence(tx, org, envelope_id));
  if (evidence === null && input.external?.evidence_sha256 != null)
    throw invalidField(`${at}external.evidence_sha256`, "conflict", "names an evidence file, but the deposit has none");
  const attestation = attestationOf(evidence === null ? input : namingEvidence(input, source, evidence, at)) ?? {};
  const attestation_sha256 = hashOfJson(attestation);
  const recorded = await insertAttestation(tx, org, envelope_id, { attestation, attestation_sha256, actor: caller.actor });
  const file =
    brought === null ? {} : { evidence_sha256: brought.sha256, evidence_size: brought.size, evidence_type: brought.content_type };
  await appendAudit(tx, org, {
    type: "attestation.recorded",
    by: caller,
    envelope_id,
    data: { attestation_sha256, attestation: { ...attestation }, ...file },
  });
  return { ...recorded, attestation_sha256 };
}
