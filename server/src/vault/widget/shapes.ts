import { Type } from "typebox";
import { SecuredPartyShape, Status } from "../../envelopes/shapes.ts";
import { about, idOf, LocaleName, named, nullable, OptionalTimestamp, Sha256, Timestamp } from "../../http/shapes.ts";
import { ShownPage } from "../../signing/shapes.ts";
import {
  AssignmentStatusShape,
  CheckView,
  CopyStateShape,
  grading,
  originOfCopy,
  StandingShape,
  TransferStatusShape,
  WarningView,
} from "../shapes.ts";

/** Schemas of the vault widget's requests and responses. */

const EnvelopeOfVault = named(
  "OpenedVaultEnvelope",
  Type.Object({
    envelope_id: idOf("envelope"),
    name: Type.String(),
    status: Status,
    sender: Type.String({ description: "The organization" }),
  }),
);

const CopyOfVault = named(
  "OpenedVaultCopy",
  Type.Object({
    copy_id: idOf("authoritativeCopy"),
    state: CopyStateShape,
    state_since: OptionalTimestamp,
    ...originOfCopy,
    sha256: Sha256,
    size: Type.Integer(),
    stored_at: Timestamp,
    verified_at: OptionalTimestamp,
    retention_until: Timestamp,
    legal_hold: Type.Boolean(),
  }),
);

const CustodyStepView = named(
  "OpenedVaultCustodyStep",
  Type.Object({
    from: nullable(Type.String()),
    to: Type.String(),
    status: TransferStatusShape,
    initiated_at: Timestamp,
    since: OptionalTimestamp,
    until: OptionalTimestamp,
  }),
);

const AssigneeView = named(
  "OpenedVaultAssignee",
  Type.Object({
    seq: Type.Integer(),
    name: Type.String(),
    status: AssignmentStatusShape,
    with_consent: Type.Boolean({ description: "Whether the previous party consented; false for the first party" }),
    recorded_at: Timestamp,
  }),
);

export const VaultView = named(
  "OpenedVault",
  Type.Object({
    envelope: EnvelopeOfVault,
    you: named("OpenedVaultReader", Type.Object({ email: Type.String(), may_have_evidence: Type.Boolean() })),
    copy: CopyOfVault,
    document: named("OpenedVaultDocument", Type.Object({ page_count: Type.Integer(), pages: Type.Array(ShownPage) })),
    custodian: about(
      nullable(named("OpenedVaultCustodian", Type.Object({ name: Type.String(), since: Timestamp }))),
      "null once the copy has left the vault",
    ),
    custody: Type.Array(CustodyStepView, { description: "Newest first" }),
    secured_party: nullable(SecuredPartyShape),
    assignments: Type.Array(AssigneeView, { description: "Newest first" }),
    certificate: named(
      "OpenedVaultCertificate",
      Type.Object({
        revision: Type.Integer(),
        score: Type.Integer(),
        passed: Type.Boolean(),
        ...grading,
        standing: StandingShape,
        evaluated_at: Timestamp,
      }),
    ),
    checks: Type.Array(CheckView),
    warnings: Type.Array(WarningView),
    time_source: Type.Enum(["external", "self_operated"]),
    default_locale: LocaleName,
    branding: Type.Object({}, { additionalProperties: true, description: "The organization's branding, as PATCH /org/settings sets it" }),
    token_expires_at: Timestamp,
    server_time: Timestamp,
  }),
);

export const AccessView = named(
  "VaultAccess",
  Type.Object({
    seq: Type.Integer(),
    at: Timestamp,
    kind: Type.Enum(["key", "user", "system", "signer", "recipient", "viewer", "person", "vault"]),
    who: nullable(
      Type.String({
        description:
          "The name of a member, or the e-mail address of a signer, another recipient, a viewer or a person who acts for a party",
      }),
    ),
    what: nullable(Type.String({ description: "`copy`, `certificate`, `evidence`, `widget` or `package`; null after it was erased" })),
    ip: nullable(Type.String({ description: "Shown to members and signers only" })),
  }),
);

export const VerifyBody = Type.Object({
  sha256: Type.Optional(about(Sha256, "SHA-256 of a file, to find out whether this record knows it")),
});

const KnownFileView = named(
  "VaultKnownFile",
  Type.Object({
    kind: Type.Enum(["authoritative", "certificate", "copy", "signed"]),
    copy_id: nullable(Type.String()),
    revision: nullable(Type.Integer()),
    at: Timestamp,
  }),
);

export const VerificationView = named(
  "VaultVerification",
  Type.Object({
    checked_at: Timestamp,
    recorded_sha256: Sha256,
    found_sha256: nullable(Sha256),
    match: Type.Boolean(),
    seal: Type.Enum(["sound", "broken", "unread"]),
    chain: Type.Enum(["sound", "broken"]),
    entries: Type.Integer(),
    registers: Type.Enum(["sound", "different", "unread"]),
    timestamp: Type.Enum(["external", "broken", "self_operated", "unread"]),
    sound: Type.Boolean({ description: "Everything that was checked matches the record" }),
    state: CopyStateShape,
    duration_ms: Type.Integer(),
    file: about(nullable(KnownFileView), "null if no file was asked about, or if it does not belong to this record"),
  }),
);
