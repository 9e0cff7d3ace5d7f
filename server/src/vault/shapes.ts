import { checkIds, rules2 } from "@countersign/evidence";
import { type Static, Type } from "typebox";
import { CertificationShape, InstrumentShape, RecordTypeShape, SecuredPartyShape, Status } from "../envelopes/shapes.ts";
import { about, idOf, named, nullable, OptionalTimestamp, Sha256, Timestamp } from "../http/shapes.ts";
import { controlPolicies } from "../shared/control-policies.ts";
import { assignmentStates, confirmations } from "./assignments/assignment.ts";
import { AttestationBody } from "./attestation.ts";
import { copyStates, depositSources } from "./copy.ts";
import { transferStatuses } from "./custody/permission.ts";
import { Receipt as ExportReceipt } from "./exports/shapes.ts";

/** Schemas of the vault's requests and responses. */

/** The actor of an action: a key, a user, a signer or the service itself. */
export const ActorView = named("Actor", Type.Object({ kind: Type.String(), id: Type.String() }));
export const TransferStatusShape = named("CustodyTransferStatus", Type.Enum([...transferStatuses]));
export const AssignmentStatusShape = named("AssignmentStatus", Type.Enum([...assignmentStates]));

const DepositSourceShape = named("VaultDepositSource", Type.Enum([...depositSources]));
const Flag = Type.Enum(["true", "false"]);

/** How a copy came into the vault and where it was signed. The same two members in every view. */
export const originOfCopy = {
  source: Type.Union([DepositSourceShape, Type.Null()], {
    description: "As in the event vault.stored; null if the copy was stored automatically after signing",
  }),
  signed_here: Type.Boolean({
    description: "true: signed through this service. false: deposited as a file that was signed elsewhere",
  }),
};

const GradeShape = named(
  "ComplianceGrade",
  Type.Enum([...rules2.grades], {
    description:
      "proven: a third party can recompute it. attested: it rests on a statement of the depositor, or on this installation's own clock, lock or key alone. not_shown: the check is not satisfied. null for a certificate from before grades",
  }),
);

export const StandingShape = named(
  "ComplianceStanding",
  Type.Enum([...rules2.standings], {
    description:
      "proven: all eight checks. attested: score 100, at least one check attested. not_passed: below 100. left, destroyed: what became of the copy. not_assessed: the latest certificate is from before grades",
  }),
);

const Count = Type.Integer({ minimum: 0 });
const StandingCounts = named(
  "VaultStandingCounts",
  Type.Object(Object.fromEntries(rules2.standings.map((standing) => [standing, Count])) as Record<rules2.Standing, typeof Count>),
);
export const FiguresView = named(
  "VaultStatistics",
  Type.Object({
    by_standing: about(StandingCounts, "All records of the vault, by the standing of their latest certificate"),
    tampered: about(StandingCounts, "Those of them whose stored bytes are no longer the ones that were sealed"),
  }),
);

/** How much of a score a third party can recompute. */
export const grading = {
  rules: Type.Integer({ minimum: 1, maximum: 2, description: "The rules of the evaluation; those of rules 1 have no grades" }),
  proven_score: nullable(Type.Integer({ minimum: 0, maximum: 100, description: "The points of the proven checks; null under rules 1" })),
};

export const CheckView = named(
  "ComplianceCheckResult",
  Type.Object({
    number: Type.Integer(),
    id: named("ComplianceCheck", Type.Enum([...checkIds])),
    requirement: Type.String(),
    legal_reference: Type.String(),
    weight: Type.Integer({ description: "The points that the check adds to the score if it is satisfied" }),
    satisfied: Type.Boolean(),
    detail: Type.String({ description: "What was found" }),
    remedy: nullable(Type.String({ description: "What would satisfy the check" })),
    grade: nullable(GradeShape),
    grade_reason: nullable(Type.String({ description: "Why this grade; null like the grade" })),
  }),
);

export const WarningView = named(
  "ComplianceWarning",
  Type.Object({ code: named("ComplianceWarningCode", Type.Enum([...rules2.warningCodes])), message: Type.String() }),
);

const AnnexView = named(
  "ComplianceAnnex",
  Type.Object({
    id: named("ComplianceAnnexId", Type.Enum([...rules2.annexIds])),
    title: Type.String({ description: "The statute" }),
    clauses: Type.Array(
      named(
        "ComplianceClause",
        Type.Object({
          clause: Type.String({ description: "The number of the clause" }),
          fact: Type.String({ description: "What the service recorded that bears on the clause. No conclusion of law" }),
          grade: GradeShape,
          reason: Type.String({ description: "Why this grade" }),
          entries: Type.Array(Type.Integer({ minimum: 1 }), { description: "The audit entries that the fact rests on" }),
        }),
      ),
    ),
  }),
);

const Annexes = Type.Array(AnnexView, {
  description:
    "Facts beside the clauses of statutes, which no score counts. For chattel_paper UCC 9-105, for transferable_record 15 USC 7021 and UETA 16, for other none",
});

export const ComplianceView = named(
  "Compliance",
  Type.Object({
    envelope_id: idOf("envelope"),
    envelope_name: Type.String(),
    customer_id: nullable(idOf("customer")),
    envelope_status: Status,
    vaulted: Type.Boolean(),
    compliant: Type.Boolean({ description: "A certificate exists, regardless of its score" }),
    passed: Type.Boolean({ description: "The score is 100" }),
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    ...grading,
    standing: about(nullable(StandingShape), "null in a preview"),
    evaluated_at: Timestamp,
    certificate_path: nullable(Type.String({ description: "null for a preview, which has no certificate" })),
    missing_requirements: Type.Array(Type.String()),
    warnings: Type.Array(WarningView),
    checks: Type.Array(CheckView, { minItems: 8, maxItems: 8 }),
    annexes: Annexes,
  }),
);

/** `compliance.json` of evidence/, as stored. `source` has the three values of evidence files here. */
export const CertificateView = named(
  "ComplianceCertificate",
  Type.Object({
    type: Type.Enum(["countersign/compliance/1", "countersign/compliance/2"]),
    certificate_id: Type.String(),
    revision: Type.Integer({ minimum: 1 }),
    source: Type.Enum(["signed_here", "electronic_signed", "paper_upload"], {
      description: "Where the document was signed, as in evidence files. Vault records show it as signed_here",
    }),
    ...ComplianceView.properties,
    annexes: Type.Optional(about(Annexes, "Missing for a record of type other, as in the file")),
    document_sha256: Sha256,
    facts_sha256: Sha256,
    chain_head: Type.String(),
    checkpoint: nullable(
      named("ComplianceCheckpoint", Type.Object({ tree_size: Type.Integer(), root: Sha256, at: Timestamp, key_id: Sha256 })),
    ),
    time_source: Type.String(),
    as_of: about(
      nullable(
        named("ComplianceAsOf", Type.Object({ at: Timestamp, chain_seq: Type.Integer(), chain_hash: Sha256, tree_size: Type.Integer() })),
      ),
      "What was looked at: the last entry of the audit trail and the size of the log; null under rules 1",
    ),
  }),
);
export type CertificateData = Static<typeof CertificateView>;

const certificateFormats = ["pdf", "json", "file"] as const;
export type CertificateFormat = (typeof certificateFormats)[number];
export const CertificateQuery = Type.Object({
  format: Type.Optional(
    Type.Enum([...certificateFormats], {
      default: "pdf",
      description: "json: the certificate as data. file: the exact JSON file whose hash is on record. pdf: the sealed PDF",
    }),
  ),
});

export const SignedDepositBody = Type.Object({ certification: CertificationShape, secured_party: Type.Optional(SecuredPartyShape) });
export const UploadDepositBody = Type.Object({
  source: DepositSourceShape,
  certification: CertificationShape,
  secured_party: Type.Optional(SecuredPartyShape),
  attestation: Type.Optional(AttestationBody),
  record_type: Type.Optional(RecordTypeShape),
  instrument: Type.Optional(InstrumentShape),
  export_receipt: Type.Optional(
    about(
      ExportReceipt,
      "Of an original that left a vault: the signed receipt of its export. The file must be authoritative.pdf of the package",
    ),
  ),
});

export const VaultedView = named(
  "VaultDeposit",
  Type.Object({
    envelope_id: idOf("envelope"),
    status: Status,
    vaulted: Type.Boolean(),
    compliant: Type.Boolean({ description: "A certificate exists, regardless of its score" }),
    source: Type.Optional(originOfCopy.source),
    signed_here: Type.Optional(originOfCopy.signed_here),
    path: nullable(Type.String()),
    hash: about(nullable(Sha256), "SHA-256 of the authoritative copy"),
    size: nullable(Type.Integer({ description: "Bytes" })),
    stored_at: OptionalTimestamp,
    score: nullable(Type.Integer()),
    passed: nullable(Type.Boolean()),
    missing_requirements: nullable(Type.Array(Type.String())),
    warnings: about(nullable(Type.Array(WarningView)), "What the score does not count and you should know; null like the score"),
    certificate_path: nullable(Type.String()),
  }),
);

export const AttestedView = named(
  "AttestationRecord",
  Type.Object({
    envelope_id: idOf("envelope"),
    attestation_no: Type.Integer({ minimum: 1 }),
    attestation_sha256: about(Sha256, "SHA-256 of the canonical JSON (RFC 8785) of the attestation"),
    recorded_at: Timestamp,
  }),
);

export const CopyStateShape = named("VaultCopyState", Type.Enum([...copyStates]));

export const VaultQuery = Type.Partial(
  Type.Object({
    state: CopyStateShape,
    source: Type.Enum([...depositSources, "signed_here"], {
      description: "As in the vault record. The value signed_here is deprecated: use signed_here=true",
    }),
    signed_here: Flag,
    passed: Flag,
    standing: StandingShape,
    customer_id: Type.String({ maxLength: 100 }),
    custodian_user_id: Type.String({ maxLength: 100, description: "Copies whose custodian is this person" }),
    q: Type.String({ minLength: 1, maxLength: 200, description: "Beginnings of words of the envelope, its signers or its tags" }),
  }),
);

export const ListedView = named(
  "VaultedEnvelope",
  Type.Object({
    envelope_id: idOf("envelope"),
    envelope_name: Type.String(),
    customer_id: nullable(idOf("customer")),
    external_id: nullable(Type.String()),
    state: CopyStateShape,
    ...originOfCopy,
    score: Type.Integer({ minimum: 0, maximum: 100 }),
    passed: Type.Boolean(),
    ...grading,
    standing: StandingShape,
    stored_at: Timestamp,
    retention_until: Timestamp,
    verified_at: about(OptionalTimestamp, "When the stored file was last read and found unchanged"),
  }),
);

const heldBy = { party_id: idOf("party"), name: Type.String(), act_id: idOf("act") };

export const RecordView = named(
  "VaultRecord",
  Type.Object({
    envelope_id: idOf("envelope"),
    state: CopyStateShape,
    ...originOfCopy,
    path: Type.String(),
    hash: about(Sha256, "SHA-256 of the authoritative copy"),
    size: Type.Integer({ description: "Bytes" }),
    stored_at: Timestamp,
    retention_until: Timestamp,
    legal_hold: Type.Boolean({ description: "At least one legal hold is in force" }),
    custodian: about(
      nullable(
        named("VaultCustodian", Type.Object({ permission_id: idOf("custodianPermission"), user_id: idOf("user"), since: Timestamp })),
      ),
      "null once the copy has left the vault",
    ),
    secured_party: nullable(SecuredPartyShape),
    registry_reference: about(nullable(Type.String()), "What the organization's registry called the latest registration of an act"),
    control_version: Type.Integer({
      minimum: 1,
      description: "Grows with each change of who controls or keeps the record; an act names it",
    }),
    control: named(
      "VaultControl",
      Type.Object({
        policy: Type.Enum([...controlPolicies]),
        controller: about(
          nullable(
            named(
              "VaultController",
              Type.Object({ party_id: nullable(idOf("party")), name: Type.String(), confirmation: Type.Enum([...confirmations]) }),
            ),
          ),
          "The secured party on record; null: the organization itself",
        ),
        pledges: Type.Array(named("VaultPledge", Type.Object({ ...heldBy, since: Timestamp }))),
        participations: Type.Array(
          named(
            "VaultParticipation",
            Type.Object({ ...heldBy, share_bp: Type.Integer({ description: "In basis points" }), since: Timestamp }),
          ),
        ),
      }),
    ),
    record_type: RecordTypeShape,
    instrument: nullable(InstrumentShape),
    certificate: named(
      "VaultCertificate",
      Type.Object({
        path: Type.String(),
        revision: Type.Integer(),
        score: Type.Integer(),
        passed: Type.Boolean(),
        ...grading,
        standing: StandingShape,
      }),
    ),
    verified_at: about(OptionalTimestamp, "When the stored file was last read and found unchanged"),
    status_url: Type.String({
      description: "A public page without log-in that says the present state of the record; with `.json` at its end, a signed answer",
    }),
  }),
);
