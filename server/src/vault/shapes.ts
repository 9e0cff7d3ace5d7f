import { checkIds, warningCodes } from "@countersign/evidence";
import { Type } from "typebox";
import { CertificationShape, SecuredPartyShape, Status } from "../envelopes/shapes.ts";
import { idOf, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { AttestationBody } from "./attestation.ts";
import { copyStates } from "./copy.ts";

/** The vault at the edge. */

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });

export const CheckView = Type.Object({
  number: Type.Integer(),
  id: Type.Enum([...checkIds]),
  requirement: Type.String(),
  legal_reference: Type.String(),
  weight: Type.Integer(),
  satisfied: Type.Boolean(),
  detail: Type.String(),
  remedy: nullable(Type.String()),
});

export const ComplianceView = Type.Object({
  envelope_id: idOf("envelope"),
  envelope_name: Type.String(),
  customer_id: nullable(idOf("customer")),
  envelope_status: Status,
  vaulted: Type.Boolean(),
  compliant: Type.Boolean({ description: "A certificate exists, whatever its score" }),
  passed: Type.Boolean(),
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  evaluated_at: Timestamp,
  certificate_path: nullable(Type.String()),
  missing_requirements: Type.Array(Type.String()),
  warnings: Type.Array(Type.Object({ code: Type.Enum([...warningCodes]), message: Type.String() })),
  checks: Type.Array(CheckView, { minItems: 8, maxItems: 8 }),
});

export const SignedDepositBody = Type.Object({ certification: CertificationShape, secured_party: Type.Optional(SecuredPartyShape) });
export const UploadDepositBody = Type.Object({
  source: Type.Enum(["paper_upload", "electronic_signed"]),
  certification: CertificationShape,
  secured_party: Type.Optional(SecuredPartyShape),
  attestation: Type.Optional(AttestationBody),
});

export const VaultedView = Type.Object({
  envelope_id: idOf("envelope"),
  status: Status,
  vaulted: Type.Boolean(),
  compliant: Type.Boolean(),
  source: Type.Optional(Type.Enum(["paper_upload", "electronic_signed"])),
  path: nullable(Type.String()),
  hash: nullable(Hash),
  size: nullable(Type.Integer()),
  stored_at: OptionalTimestamp,
  score: nullable(Type.Integer()),
  passed: nullable(Type.Boolean()),
  missing_requirements: nullable(Type.Array(Type.String())),
  certificate_path: nullable(Type.String()),
});

export const AttestedView = Type.Object({
  envelope_id: idOf("envelope"),
  attestation_no: Type.Integer({ minimum: 1 }),
  attestation_sha256: Hash,
  recorded_at: Timestamp,
});

const CopyStateShape = Type.Enum([...copyStates]);
const SourceShape = Type.Enum(["signed_here", "electronic_signed", "paper_upload"]);

export const VaultQuery = Type.Partial(
  Type.Object({
    state: CopyStateShape,
    source: SourceShape,
    passed: Type.Enum(["true", "false"]),
    customer_id: Type.String({ maxLength: 100 }),
    q: Type.String({ minLength: 1, maxLength: 200, description: "In the envelope's name or external_id, without regard to case" }),
  }),
);

export const ListedView = Type.Object({
  envelope_id: idOf("envelope"),
  envelope_name: Type.String(),
  customer_id: nullable(idOf("customer")),
  external_id: nullable(Type.String()),
  state: CopyStateShape,
  source: SourceShape,
  score: Type.Integer({ minimum: 0, maximum: 100 }),
  passed: Type.Boolean(),
  stored_at: Timestamp,
  retention_until: Timestamp,
  verified_at: OptionalTimestamp,
});

export const RecordView = Type.Object({
  envelope_id: idOf("envelope"),
  state: CopyStateShape,
  source: SourceShape,
  path: Type.String(),
  hash: Hash,
  size: Type.Integer(),
  stored_at: Timestamp,
  retention_until: Timestamp,
  legal_hold: Type.Boolean(),
  custodian: nullable(Type.Object({ permission_id: idOf("custodianPermission"), user_id: idOf("user"), since: Timestamp })),
  secured_party: nullable(SecuredPartyShape),
  certificate: Type.Object({ path: Type.String(), revision: Type.Integer(), score: Type.Integer(), passed: Type.Boolean() }),
  verified_at: OptionalTimestamp,
});
