import { Type } from "typebox";
import { Email, idOf, Name, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { signerStatuses } from "../signing/submission.ts";
import { Anchors, FieldView, PageView, Warnings, WholeFieldView } from "../templates/field-shapes.ts";
import { Choices, choices } from "./choices.ts";
import { statuses } from "./envelope.ts";
import { MAX_SIGNERS, SendingSigner, SignerInput, SignerInputs, SignerLocale } from "./signer-input.ts";

/** Envelopes at the edge: what requests say of them, and what answers show. */

export const Status = Type.Enum([...statuses]);
const ExternalId = Type.String({ minLength: 1, maxLength: 200 });
const FreeObject = Type.Object({}, { additionalProperties: true });

export const SecuredPartyShape = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 300 }),
  role: Type.Optional(Type.String({ maxLength: 100 })),
  address: Type.Optional(Type.String({ maxLength: 500 })),
  email: Type.Optional(Email),
  identifier: Type.Optional(Type.String({ maxLength: 200 })),
});

export const CertificationShape = Type.Object({
  accepted: Type.Boolean(),
  terms_version: Type.String({ maxLength: 50 }),
  accepted_by: Type.Optional(Type.Object({ name: Name, email: Email })),
});

export const CreateBody = Type.Object({
  envelope_name: Name,
  customer_email: Email,
  customer_name: Name,
  template_id: Type.Optional(Type.String({ maxLength: 100 })),
  external_id: Type.Optional(ExternalId),
  prefilled_data: Type.Optional(FreeObject),
  secured_party: Type.Optional(SecuredPartyShape),
  signers: Type.Optional(SignerInputs),
  kba_required: Type.Optional(Type.Boolean()),
  auto_vault_enabled: Type.Optional(Type.Boolean()),
  metadata: Type.Optional(FreeObject),
  ...Choices.properties,
});

export const ChangeBody = Type.Partial(
  Type.Object({
    envelope_name: Name,
    external_id: nullable(ExternalId),
    kba_required: Type.Boolean(),
    auto_vault_enabled: Type.Boolean(),
    secured_party: nullable(SecuredPartyShape),
    signers: SignerInputs,
    ...choices,
  }),
);

export const SendBody = Type.Partial(
  Type.Object({
    signers: Type.Array(SendingSigner, { maxItems: MAX_SIGNERS }),
    ...choices,
    certification: CertificationShape,
  }),
);

export const RemindBody = Type.Object({
  emails: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 254 }), { minItems: 1, maxItems: 100 })),
});
export const CorrectBody = Type.Partial(Type.Object({ email: Email, name: Name, locale: SignerLocale }));
export const VoidBody = Type.Object({ reason: Type.String({ minLength: 1, maxLength: 500, pattern: "\\S" }) });

export const ListedView = Type.Object({
  envelope_id: idOf("envelope"),
  envelope_name: Type.String(),
  status: Status,
  customer_id: nullable(Type.String()),
  external_id: nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
  signers: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        email: Type.String(),
        role: Type.String(),
        order: Type.Integer(),
        status: Type.Enum([...signerStatuses]),
      }),
      { description: "With expand=signers: in signing order; before it is sent, those saved with it" },
    ),
  ),
  customer: Type.Optional(
    Type.Union(
      [Type.Object({ customer_id: idOf("customer"), name: nullable(Type.String()), email: nullable(Type.String()) }), Type.Null()],
      {
        description: "With expand=customer",
      },
    ),
  ),
});

export const EnvelopeView = Type.Object({
  envelope_id: idOf("envelope"),
  envelope_name: Type.String(),
  status: Status,
  customer_id: nullable(idOf("customer")),
  external_id: nullable(Type.String()),
  template_id: nullable(idOf("template")),
  created_at: Timestamp,
  updated_at: Timestamp,
  vaulted: Type.Boolean(),
  compliant: Type.Boolean({ description: "A compliance certificate exists, whatever its score" }),
  metadata: Type.Object({
    custom: nullable(FreeObject),
    is_upload: Type.Boolean(),
    directory_id: nullable(Type.String()),
    auto_vault_enabled: Type.Boolean(),
    kba_required: Type.Boolean(),
    sent_at: OptionalTimestamp,
    expires_at: OptionalTimestamp,
    signer_count: Type.Integer(),
    secured_party: nullable(SecuredPartyShape),
    vault_file_path: nullable(Type.String()),
    ...choices,
    signers: Type.Union([Type.Array(SignerInput), Type.Null()], {
      description: "Before it is sent: those saved with it, as a change takes them. From then on null: they are in the list of its signers",
    }),
  }),
});

export const StatusView = Type.Object({
  envelope_id: idOf("envelope"),
  status: Status,
  vaulted: Type.Boolean(),
  compliant: Type.Boolean(),
  signed_at: OptionalTimestamp,
  updated_at: Timestamp,
});

export const UploadedView = Type.Object({
  customer_id: idOf("customer"),
  envelope_id: idOf("envelope"),
  name: Type.String(),
  signers: Type.Array(Type.Omit(SignerInput, ["locale"])),
  path: Type.String(),
  hash: Type.String({ pattern: "^[0-9a-f]{64}$", description: "SHA-256 of the stored file: of a PDF, after it was cleaned" }),
  size: Type.Integer(),
  contentType: Type.Enum(["application/pdf", "image/png", "image/jpeg"]),
  auto_vault_enabled: Type.Boolean(),
  kba_required: Type.Boolean(),
  warnings: Warnings,
});

const SomeRole = nullable(Type.String({ description: "null until it is sent, where no tag states one: the first signer's" }));

export const PlacedView = Type.Object({
  envelope_id: idOf("envelope"),
  fields_added: Type.Integer(),
  fields: Type.Array(Type.Object({ ...FieldView.properties, role: SomeRole })),
  warnings: Warnings,
  anchors: Anchors,
});

export const FieldsView = Type.Object({
  envelope_id: idOf("envelope"),
  roles: Type.Array(Type.String()),
  pages: Type.Array(PageView),
  fields: Type.Array(Type.Object({ ...WholeFieldView.properties, role: SomeRole })),
});

export const SentSigner = Type.Object({
  email: Type.String(),
  name: Type.String(),
  role: Type.String(),
  order: Type.Integer(),
  slug: Type.String(),
  status: Type.Enum([...signerStatuses]),
});

export const SentView = Type.Object({
  envelope_id: idOf("envelope"),
  status: Status,
  submission_id: nullable(idOf("submission")),
  sent_at: OptionalTimestamp,
  expires_at: OptionalTimestamp,
  signers: Type.Array(SentSigner),
  certification: nullable(
    Type.Object({
      accepted: Type.Literal(true),
      terms_version: Type.String(),
      terms_sha256: Type.String(),
      accepted_by: nullable(Type.Object({ name: Type.String(), email: Type.String() })),
    }),
  ),
  warnings: Type.Array(Type.Object({ code: Type.String(), message: Type.String() })),
});

export const RemindedView = Type.Object({ envelope_id: idOf("envelope"), reminded: Type.Array(Type.String()), reminded_at: Timestamp });
export const VoidedView = Type.Object({
  envelope_id: idOf("envelope"),
  status: Status,
  voided_at: OptionalTimestamp,
  reason: nullable(Type.String()),
});
export const TermsView = Type.Object({
  terms_version: Type.String(),
  terms_sha256: Type.String(),
  text: Type.String(),
  effective_at: Timestamp,
});
export const TrailItemView = Type.Object({
  seq: Type.Integer(),
  type: Type.String(),
  at: Timestamp,
  actor: Type.Object({ kind: Type.String(), id: Type.String() }),
  data: nullable(Type.Object({}, { additionalProperties: true, description: "null once it was erased" })),
  hash: Type.String(),
});
