import { recordTypes } from "@countersign/evidence";
import { Type } from "typebox";
import { about, Day, Email, idOf, Label, Name, named, nullable, OptionalTimestamp, Reason, Sha256, Timestamp } from "../http/shapes.ts";
import { KeptAuthentication } from "../signing/identity/requirement.ts";
import { DeliveryShape, RecipientKindShape, RecipientStatusShape } from "../signing/shapes.ts";
import { signerStatuses } from "../signing/submission.ts";
import { TagNames } from "../tags/tag.ts";
import { Anchors, FieldView, PageView, PlacingDocuments, WarningShape, Warnings, WholeFieldView } from "../templates/field-shapes.ts";
import { Choices, choices } from "./choices.ts";
import { statuses } from "./envelope.ts";
import { MakerRoles } from "./maker.ts";
import { DraftRecipients, RecipientMessage, SendingRecipients } from "./recipient-input.ts";
import { MAX_SIGNERS, SendingSigner, SignerInput, SignerInputs, SignerLocale } from "./signer-input.ts";

/** The shapes of requests and responses about envelopes. */

export const Status = named("EnvelopeStatus", Type.Enum([...statuses]));
const SignerStatus = named("SignerStatus", Type.Enum([...signerStatuses]));
const ExternalId = Type.String({ minLength: 1, maxLength: 200, description: "Your own id for the envelope" });
const FreeObject = Type.Object({}, { additionalProperties: true });

export const SecuredPartyShape = named(
  "SecuredParty",
  Type.Object({
    name: Type.String({ minLength: 1, maxLength: 300 }),
    role: Type.Optional(Type.String({ maxLength: 100 })),
    address: Type.Optional(Type.String({ maxLength: 500 })),
    email: Type.Optional(Email),
    identifier: Type.Optional(Type.String({ maxLength: 200, description: "For example a registration number" })),
  }),
);

export const RecordTypeShape = named(
  "RecordType",
  Type.Enum([...recordTypes], { description: "What kind of record the document is, as declared", default: "other" }),
);
export const InstrumentShape = named(
  "Instrument",
  Type.Object(
    { type: about(Label, "For example promissory note"), number: Label, date: Day },
    { description: "The instrument that the document is. A second record of the same one is recognized by it, also as a scan" },
  ),
);

export const CertificationShape = named(
  "CertificationInput",
  Type.Object({
    accepted: Type.Boolean(),
    terms_version: Type.String({ maxLength: 50, description: "The current version, from `get_certification_terms`" }),
    accepted_by: Type.Optional(
      named(
        "CertifierInput",
        Type.Object(
          { name: Name, email: Email },
          { description: "The person who accepts the terms. Without it the API key or user accepts them" },
        ),
      ),
    ),
  }),
);

const KbaRequired = Type.Boolean({ description: "true: signers answer identity questions before they can sign" });
const AutoVault = Type.Boolean({
  description: "true: the document is stored in the vault after everyone has signed. Sending then requires `certification`",
});

const WHO = "Everyone whom the envelope is for. Not together with `signers`, which is the short form for people who sign";

const Owner = about(idOf("user"), "The member who looks after the envelope. The default is its creator, or the creator of the API key");

export const CreateBody = Type.Object({
  envelope_name: Name,
  customer_email: Email,
  customer_name: Name,
  template_id: Type.Optional(Type.String({ maxLength: 100 })),
  external_id: Type.Optional(ExternalId),
  prefilled_data: Type.Optional(about(FreeObject, "Values by the name of the template's field")),
  secured_party: Type.Optional(SecuredPartyShape),
  record_type: Type.Optional(RecordTypeShape),
  instrument: Type.Optional(InstrumentShape),
  maker_roles: Type.Optional(MakerRoles),
  signers: Type.Optional(SignerInputs),
  recipients: Type.Optional(about(DraftRecipients, WHO)),
  kba_required: Type.Optional(KbaRequired),
  auto_vault_enabled: Type.Optional(AutoVault),
  tags: Type.Optional(TagNames),
  owner_user_id: Type.Optional(Owner),
  metadata: Type.Optional(about(FreeObject, "Your own data, at most 4 KiB as JSON. Returned as `metadata.custom`")),
  ...Choices.properties,
});

export const ChangeBody = Type.Partial(
  Type.Object({
    envelope_name: Name,
    external_id: nullable(ExternalId),
    kba_required: KbaRequired,
    auto_vault_enabled: AutoVault,
    secured_party: nullable(SecuredPartyShape),
    maker_roles: MakerRoles,
    signers: SignerInputs,
    recipients: about(DraftRecipients, WHO),
    tags: about(TagNames, "Replaces the tags of the envelope, in any status. A tag that does not exist yet is created"),
    owner_user_id: about(idOf("user"), "The member who looks after the envelope. Can be changed in any status"),
    prefilled_data: about(
      FreeObject,
      "Values by the name of the document's field, in addition to those that were given before. null takes a value away",
    ),
    expires_at: about(
      Timestamp,
      "A new date of expiry for an envelope that is `sent` or `viewed`: at least 1 hour and at most 365 days from now",
    ),
    ...choices,
  }),
);

export const SendBody = Type.Partial(
  Type.Object({
    signers: Type.Array(SendingSigner, {
      maxItems: MAX_SIGNERS,
      description: "In signing order. The default is the signers of the draft or, if it has none, the customer",
    }),
    recipients: SendingRecipients,
    ...choices,
    certification: CertificationShape,
  }),
);

export const RemindBody = Type.Object({
  emails: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 254 }), {
      minItems: 1,
      maxItems: 100,
      description: "Only these signers; without it every signer whose turn it is",
    }),
  ),
});
export const CorrectBody = Type.Partial(Type.Object({ email: Email, name: Name, locale: SignerLocale }));
export const VoidBody = Type.Object({ reason: Reason });

const ListedSigner = named(
  "EnvelopeSummarySigner",
  Type.Object({
    name: Type.String(),
    email: Type.String(),
    role: Type.String(),
    order: Type.Integer(),
    status: SignerStatus,
  }),
);
const ListedCustomer = named(
  "EnvelopeSummaryCustomer",
  Type.Object({ customer_id: idOf("customer"), name: nullable(Type.String()), email: nullable(Type.String()) }),
);

export const RecipientView = named(
  "Recipient",
  Type.Object({
    recipient_id: about(nullable(idOf("recipient")), "null in a draft"),
    kind: RecipientKindShape,
    email: Type.String(),
    name: Type.String(),
    role: nullable(Type.String()),
    step: about(nullable(Type.Integer()), "Recipients of the same step act at the same time; null for a cc who only gets the result"),
    status: RecipientStatusShape,
    slug: about(
      nullable(Type.String()),
      "Identifies the recipient in paths. It does not open the document. null in a draft, and for callers who cannot send",
    ),
    delivery: DeliveryShape,
    acted_at: about(OptionalTimestamp, "When the person signed, approved, confirmed or declined"),
    locale: SignerLocale,
    message: about(nullable(Type.String()), "To this person only"),
    authentication: Type.Optional(
      about(
        KeptAuthentication,
        "Only in a draft that asks the person for codes. After sending, `list_signers` says what is required of signers",
      ),
    ),
  }),
);
export const RecipientsView = named("Recipients", Type.Object({ recipients: Type.Array(RecipientView) }));
export const ChangeRecipientBody = Type.Partial(
  Type.Object({
    email: about(Email, "Another person takes this place, with a new link. Consent and entries start again"),
    name: Name,
    step: Type.Integer({ minimum: 1, maximum: MAX_SIGNERS, description: "Not below the step that is running" }),
    message: RecipientMessage,
    locale: SignerLocale,
  }),
);
export const RemovedView = named(
  "RemovedRecipient",
  Type.Object({
    envelope_id: idOf("envelope"),
    recipient_id: idOf("recipient"),
    status: Status,
    warnings: Type.Array(WarningShape, { description: "`fields_left_empty` names the fields that no one fills in any more" }),
  }),
);
const ListedOwner = named("EnvelopeSummaryOwner", Type.Object({ user_id: idOf("user"), name: Type.String() }));

export const ListedView = named(
  "EnvelopeSummary",
  Type.Object({
    envelope_id: idOf("envelope"),
    envelope_name: Type.String(),
    status: Status,
    customer_id: nullable(idOf("customer")),
    external_id: nullable(Type.String()),
    created_at: Timestamp,
    updated_at: Timestamp,
    signers: Type.Optional(
      Type.Array(ListedSigner, {
        description: "Only with expand=signers, in signing order. Before sending, the signers saved with the draft",
      }),
    ),
    customer: Type.Optional(about(nullable(ListedCustomer), "Only with expand=customer")),
    recipients: Type.Optional(
      Type.Array(RecipientView, { description: "Only with expand=recipients. Before sending, the people saved with the draft" }),
    ),
    tags: Type.Optional(Type.Array(Type.String(), { description: "Only with expand=tags" })),
    owner: Type.Optional(about(nullable(ListedOwner), "Only with expand=owner")),
  }),
);

const MetadataView = named(
  "EnvelopeMetadata",
  Type.Object({
    custom: about(nullable(FreeObject), "Your own data, as given in `metadata` when the envelope was created"),
    is_upload: Type.Boolean({ description: "true: created by uploading a customer's document" }),
    directory_id: nullable(Type.String()),
    auto_vault_enabled: Type.Boolean(),
    kba_required: Type.Boolean(),
    sent_at: OptionalTimestamp,
    expires_at: OptionalTimestamp,
    signer_count: Type.Integer(),
    secured_party: nullable(SecuredPartyShape),
    record_type: RecordTypeShape,
    instrument: nullable(InstrumentShape),
    maker_roles: MakerRoles,
    vault_file_path: nullable(Type.String()),
    ...choices,
    signers: Type.Union([Type.Array(SignerInput), Type.Null()], {
      description: "The signers of a draft, as PATCH accepts them. null after the envelope is sent; use list_signers instead",
    }),
    recipients: Type.Array(RecipientView, { description: "Everyone whom the envelope is for, by step" }),
    tags: Type.Array(Type.String()),
    owner_user_id: about(nullable(idOf("user")), "The member who looks after the envelope; null if the installation created it"),
    form_id: about(nullable(idOf("form")), "The public form on which a visitor started the envelope; null for every other envelope"),
    batch_id: about(nullable(idOf("bulkBatch")), "The bulk send that created the envelope"),
    prepared_by: about(
      nullable(named("PreparingKey", Type.Object({ key_id: idOf("key"), partner_name: Type.String() }))),
      "The API key that created the envelope; null if a person or the installation did",
    ),
  }),
);

export const EnvelopeView = named(
  "Envelope",
  Type.Object({
    envelope_id: idOf("envelope"),
    envelope_name: Type.String(),
    status: Status,
    customer_id: nullable(idOf("customer")),
    external_id: nullable(Type.String()),
    template_id: nullable(idOf("template")),
    created_at: Timestamp,
    updated_at: Timestamp,
    vaulted: Type.Boolean(),
    compliant: Type.Boolean({ description: "true: a compliance certificate exists, whatever its score" }),
    metadata: MetadataView,
  }),
);

export const StatusView = named(
  "EnvelopeStatusSummary",
  Type.Object({
    envelope_id: idOf("envelope"),
    status: Status,
    vaulted: Type.Boolean(),
    compliant: Type.Boolean(),
    signed_at: about(OptionalTimestamp, "When the last signer signed"),
    updated_at: Timestamp,
  }),
);

export const UploadedView = named(
  "UploadedDocument",
  Type.Object({
    customer_id: idOf("customer"),
    envelope_id: idOf("envelope"),
    name: Type.String(),
    signers: Type.Array(named("UploadedDocumentSigner", Type.Omit(SignerInput, ["locale"]))),
    path: Type.String(),
    hash: about(Sha256, "Of the stored file. A PDF is cleaned before it is stored"),
    size: Type.Integer({ description: "Bytes of the stored file" }),
    contentType: named("DocumentContentType", Type.Enum(["application/pdf", "image/png", "image/jpeg"])),
    auto_vault_enabled: Type.Boolean(),
    kba_required: Type.Boolean(),
    warnings: Warnings,
  }),
);

const SomeRole = about(nullable(Type.String()), "null in a draft whose tags name no role; the first signer then fills in the field");

export const PlacedView = named(
  "PlacedEnvelopeFields",
  Type.Object({
    envelope_id: idOf("envelope"),
    fields_added: Type.Integer(),
    fields: Type.Array(named("PlacedEnvelopeField", Type.Object({ ...FieldView.properties, role: SomeRole }))),
    warnings: Warnings,
    anchors: Anchors,
  }),
);

export const FieldsView = named(
  "EnvelopeFields",
  Type.Object({
    envelope_id: idOf("envelope"),
    roles: Type.Array(Type.String(), { description: "Roles of the fields, in the order in which they first appear" }),
    pages: Type.Array(PageView),
    documents: PlacingDocuments,
    fields: Type.Array(
      named(
        "EnvelopeField",
        Type.Object({
          ...WholeFieldView.properties,
          role: SomeRole,
          prefilled: Type.Optional(about(Type.String(), "What the sender has filled in")),
        }),
      ),
    ),
  }),
);

export const SentSigner = named(
  "SentSigner",
  Type.Object({
    email: Type.String(),
    name: Type.String(),
    role: Type.String(),
    order: Type.Integer({ description: "Place in the signing order, counted from 1" }),
    slug: Type.String({
      description: "Identifies the signer in paths. It does not open the document; opening it requires a link or a token",
    }),
    status: SignerStatus,
  }),
);

const CertificationView = named(
  "Certification",
  Type.Object({
    accepted: Type.Literal(true),
    terms_version: Type.String(),
    terms_sha256: Sha256,
    accepted_by: nullable(named("Certifier", Type.Object({ name: Type.String(), email: Type.String() }))),
  }),
);

export const SentView = named(
  "SentEnvelope",
  Type.Object({
    envelope_id: idOf("envelope"),
    status: Status,
    submission_id: nullable(idOf("submission")),
    sent_at: OptionalTimestamp,
    expires_at: OptionalTimestamp,
    signers: Type.Array(SentSigner, { description: "Those who sign, in signing order" }),
    recipients: Type.Array(RecipientView, { description: "Everyone, by step" }),
    certification: nullable(CertificationView),
    warnings: Type.Array(WarningShape),
  }),
);

export const RemindedView = named(
  "EnvelopeReminder",
  Type.Object({
    envelope_id: idOf("envelope"),
    reminded: Type.Array(Type.String(), { description: "The e-mail addresses of the reminded signers" }),
    reminded_at: Timestamp,
  }),
);
export const VoidedView = named(
  "VoidedEnvelope",
  Type.Object({
    envelope_id: idOf("envelope"),
    status: Status,
    voided_at: OptionalTimestamp,
    reason: nullable(Type.String()),
  }),
);
export const TermsView = named(
  "CertificationTerms",
  Type.Object({
    terms_version: Type.String(),
    terms_sha256: Sha256,
    text: Type.String({ description: "Markdown" }),
    effective_at: Timestamp,
  }),
);
export const TrailItemView = named(
  "EnvelopeAuditEntry",
  Type.Object({
    seq: Type.Integer({ description: "Place in the hash chain, counted from 1" }),
    type: Type.String(),
    at: Timestamp,
    actor: named("AuditActor", Type.Object({ kind: Type.String(), id: Type.String() })),
    data: about(nullable(FreeObject), "null after the data was erased"),
    hash: Sha256,
  }),
);
