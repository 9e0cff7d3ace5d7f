import { HIGHEST_LEVEL, identityMethods } from "@countersign/evidence";
import { Type } from "typebox";
import { PageWidth } from "../documents/pages.ts";
import {
  about,
  BASE_64,
  idOf,
  Label,
  LocaleName,
  NOT_BLANK,
  named,
  nullable,
  OptionalTimestamp,
  Sha256,
  Slug,
  Timestamp,
} from "../http/shapes.ts";
import { ceremonyStates } from "./builtin/ceremony.ts";
import { apiTypes } from "./field.ts";
import { FieldSettingsShape } from "./field-settings.ts";
import { stepStates } from "./identity/identity.ts";
import { MAX_QUESTIONS, MIN_QUESTIONS } from "./identity/kba/partner-questions.ts";
import { deliveries, recipientKinds, recipientStatuses, signerStatuses } from "./submission.ts";

/** The shapes of the signing page's requests and responses. */

export const SignerStatusShape = named("SignerStatus", Type.Enum([...signerStatuses]));
export const RecipientStatusShape = named("RecipientStatus", Type.Enum([...recipientStatuses]));
export const DeliveryShape = named(
  "RecipientDelivery",
  Type.Enum([...deliveries], {
    description: "With `link`, the service sends this person no mail: hand over a link or embed the page",
    default: "email",
  }),
);

export const RecipientKindShape = named(
  "RecipientKind",
  Type.Enum([...recipientKinds], {
    description: "A signer signs, an approver approves or rejects, a viewer confirms that they have read it, a cc gets a copy",
  }),
);

const FieldId = named("SigningFieldId", Type.String({ pattern: "^f[0-9]{1,9}$", "x-message": "must be a field ID (f1)" }));
const Coordinate = Type.Number({ minimum: -100_000, maximum: 100_000 });
const Area = named(
  "SigningArea",
  Type.Object({ page: Type.Integer(), x: Type.Number(), y: Type.Number(), w: Type.Number(), h: Type.Number() }),
);
/** A page of the document: its number, and its size in points. */
export const ShownPage = named("ShownPage", Type.Object({ n: Type.Integer(), w: Type.Number(), h: Type.Number() }));
const PublishedText = named(
  "SigningText",
  Type.Object({ version: Type.String(), locale: LocaleName, sha256: Sha256, text: Type.String() }),
);

/** A drawn point is `[x, y, ms]`; the time is evidence and not drawn. */
const Drawn = named(
  "DrawnMarkInput",
  Type.Object({
    kind: Type.Literal("drawn"),
    w: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
    h: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
    strokes: Type.Array(Type.Array(Type.Array(Coordinate, { minItems: 2, maxItems: 3 })), { minItems: 1, maxItems: 4_000 }),
  }),
);
const Typed = named(
  "TypedMarkInput",
  Type.Object({
    kind: Type.Literal("typed"),
    text: Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f\\u007f]*$", "x-message": "must be one line of text" }),
    font: named("MarkFont", Type.Enum(["dancing-script", "caveat", "great-vibes", "plain"])),
  }),
);
const Uploaded = named(
  "UploadedMarkInput",
  Type.Object({
    kind: Type.Literal("uploaded"),
    png: Type.String({ format: "base64", contentEncoding: "base64", "x-message": BASE_64, minLength: 1, description: "At most 512 KB" }),
  }),
);
const Mark = named("MarkInput", Type.Union([Drawn, Typed, Uploaded]));
const MarkView = nullable(
  named(
    "Mark",
    Type.Union([
      named(
        "DrawnMark",
        Type.Object({
          kind: Type.Literal("drawn"),
          w: Type.Number(),
          h: Type.Number(),
          strokes: Type.Array(Type.Array(Type.Array(Type.Number()))),
        }),
      ),
      named("TypedMark", Type.Object({ kind: Type.Literal("typed"), text: Type.String(), font: Type.String() })),
      named("UploadedMark", Type.Object({ kind: Type.Literal("uploaded"), png: Type.String() })),
    ]),
  ),
);

const Value = Type.Unsafe<string | boolean | null>({ type: ["string", "boolean", "null"] });
const FieldType = named("FieldType", Type.Enum(apiTypes));
const Progress = named("SigningProgress", Type.Object({ done: Type.Integer(), total: Type.Integer() }));
const FieldError = named(
  "SigningFieldProblem",
  Type.Object({ code: Type.Enum(["required", "invalid_value", "does_not_fit"]), message: Type.String() }),
);

const MethodShape = named("IdentityMethod", Type.Enum([...identityMethods]));

/** What is required of a person, as the sender sees it. */
export const RequiredMethods = Type.Array(
  named(
    "RequiredMethod",
    Type.Object({
      method: MethodShape,
      state: about(
        Type.Enum(["unavailable", "required", "passed", "locked"]),
        "`passed`: in their latest attempt. A pass is valid for an hour, in one visit",
      ),
      links_only: Type.Optional(
        Type.Literal(true, {
          description: "Added by the organization's `min_identity_level`, and not asked of a person with an embed token",
        }),
      ),
    }),
  ),
);

export const IdentityStepView = named(
  "SigningIdentityStep",
  Type.Object({
    method: MethodShape,
    state: Type.Enum([...stepStates]),
    attempts_left: nullable(Type.Integer()),
    valid_until: OptionalTimestamp,
    hint: about(nullable(Type.String()), "Where a code is sent, shortened"),
  }),
);

export const IdentityView = named(
  "SigningIdentity",
  Type.Object({
    state: about(
      named("SigningIdentityState", Type.Enum(["not_required", ...stepStates])),
      "Of the first step that is not passed. The other two members are of this step too",
    ),
    valid_until: OptionalTimestamp,
    attempts_left: nullable(Type.Integer()),
    level: about(Type.Integer({ minimum: 0, maximum: HIGHEST_LEVEL }), "Of what is passed now. The levels are ours, not those of eIDAS"),
    steps: about(Type.Array(IdentityStepView), "What must be passed, in this order"),
  }),
);

export const StartedView = named(
  "StartedIdentityStep",
  Type.Object({
    challenge_id: Type.String(),
    expires_at: Timestamp,
    sent_to: about(nullable(Type.String()), "Where the code was sent, shortened; null if none is sent"),
    resend_after: about(OptionalTimestamp, "When another code can be requested; null if none is sent"),
  }),
);
export const CodeBody = Type.Object({
  challenge_id: Type.String({ maxLength: 100 }),
  code: Type.String({ minLength: 1, maxLength: 200 }),
});

const EnvelopeToSign = named(
  "OpenedSigningEnvelope",
  Type.Object({
    envelope_id: idOf("envelope"),
    name: Type.String(),
    status: Type.Enum(["sent", "viewed", "completed", "vaulted"]),
    expires_at: OptionalTimestamp,
    sender: Type.String(),
    message: nullable(Type.String()),
    success_text: about(nullable(Type.String()), "What the visitor of a public form reads after signing"),
  }),
);

const You = named(
  "OpenedSigningReader",
  Type.Object({
    name: nullable(Type.String()),
    email: Type.String(),
    role: nullable(Type.String()),
    status: nullable(RecipientStatusShape),
    mode: about(Type.Enum(["sign", "view"]), "`sign` for signers only"),
    signed_at: OptionalTimestamp,
    paper_requested_at: OptionalTimestamp,
  }),
);

const DocumentsToSign = Type.Array(
  named(
    "SigningDocumentPart",
    Type.Object({
      name: Type.String(),
      first_page: about(Type.Integer(), "Counted from 1, through all documents"),
      pages: Type.Integer(),
    }),
  ),
  { description: "The documents of an envelope with several, in order; empty for an envelope with one" },
);

const DocumentToSign = named(
  "OpenedSigningDocument",
  Type.Object({
    prepared_sha256: Sha256,
    state_sha256: Sha256,
    page_count: Type.Integer(),
    pages: Type.Array(ShownPage),
    prints_by_language: about(
      Type.Boolean(),
      "Whether numbers and dates are written into the document in the language of the person who entered them, or as they are stored, as for envelopes sent by an earlier version",
    ),
  }),
);

const FieldToSign = named(
  "SigningField",
  Type.Object({
    field_id: FieldId,
    name: Type.String(),
    type: FieldType,
    required: Type.Boolean(),
    readonly: Type.Boolean(),
    options: nullable(Type.Array(Type.String())),
    settings: about(FieldSettingsShape, "As the sender set them. Every checkbox of a group has the `min` and `max` of its group"),
    areas: Type.Array(Area),
    document: about(Type.Integer(), "The number of the document that it is on. Pages count through all documents"),
    value: about(
      Value,
      "As it is stored. A field that the sender locked has it as it is written into the document. Null for a day that is filled in at signing",
    ),
    error: nullable(FieldError),
  }),
);

const FieldValues = Type.Array(
  named(
    "SigningFieldValue",
    Type.Object({
      field_id: Type.String({ maxLength: 20 }),
      value: Type.Unsafe<string | number | boolean | null>({
        type: ["string", "number", "boolean", "null"],
        maxLength: 10_000,
        description: "For a signature or initials, true applies the adopted mark",
      }),
    }),
  ),
  { maxItems: 2_000 },
);

const FieldOfOthers = named(
  "SigningFieldOfOthers",
  Type.Object({
    label: about(Type.String(), "The name of the field"),
    type: FieldType,
    areas: Type.Array(Area),
    options: nullable(Type.Array(Type.String())),
    value: about(Value, "As it is written into the document"),
    mark_sha256: nullable(Sha256),
    name: nullable(Type.String()),
  }),
);

export const OpenedView = named(
  "OpenedSigning",
  Type.Object({
    envelope: EnvelopeToSign,
    you: You,
    recipient: about(
      nullable(
        named(
          "OpenedSigningRecipient",
          Type.Object({
            kind: RecipientKindShape,
            step: about(nullable(Type.Integer()), "People of the same step act at the same time; null for a cc who only gets the result"),
            delivery: DeliveryShape,
          }),
        ),
      ),
      "What the person of this token has to do; null if the address is no recipient's",
    ),
    state: named("SigningState", Type.Enum([...ceremonyStates])),
    signers: named(
      "SigningTurns",
      Type.Object(
        { signed: Type.Integer(), total: Type.Integer(), before_you: Type.Integer() },
        { description: "`before_you`: how many people of earlier steps have not acted yet" },
      ),
    ),
    identity: IdentityView,
    consent: nullable(named("SigningDisclosure", Type.Object({ accepted_at: OptionalTimestamp, disclosure: PublishedText }))),
    agreement: about(
      nullable(named("SigningAgreement", Type.Object({ accepted_at: OptionalTimestamp, text: PublishedText }))),
      "For a maker of a transferable record: the text to accept before signing",
    ),
    intent: nullable(PublishedText),
    document: nullable(DocumentToSign),
    documents: nullable(DocumentsToSign),
    fields: nullable(Type.Array(FieldToSign)),
    others: nullable(Type.Array(FieldOfOthers)),
    marks: nullable(
      Type.Array(named("SigningMark", Type.Object({ sha256: Sha256, mark: MarkView })), {
        description: "The marks that `others` refers to, each once",
      }),
    ),
    signature: MarkView,
    initials: MarkView,
    progress: nullable(Progress),
    revision: nullable(Type.Integer()),
    copy: named("OpenedSigningCopy", Type.Object({ ready: Type.Boolean() })),
    default_locale: LocaleName,
    branding: Type.Object({}, { additionalProperties: true, description: "The organization's branding, as PATCH /org/settings sets it" }),
    token_expires_at: Timestamp,
    token_renewable: Type.Boolean({
      description: "true: this page can renew its token itself (POST …/token), because a public form made it",
    }),
    server_time: Timestamp,
  }),
);

export const PreviewBody = Type.Object({
  role: about(Label, "A role that has fields"),
  lang: Type.Optional(about(LocaleName, "The language of the texts; English if it is left out")),
  values: Type.Optional(FieldValues),
});

export const PreviewView = named(
  "SigningPreview",
  Type.Object({
    name: about(Type.String(), "Of the envelope or template"),
    sender: Type.String(),
    message: nullable(Type.String()),
    recipient: named(
      "PreviewedRecipient",
      Type.Object({ name: about(nullable(Type.String()), "Null if it is not known yet"), role: Type.String(), kind: RecipientKindShape }),
    ),
    signers: about(Type.Integer(), "How many people would sign"),
    disclosure: about(nullable(PublishedText), "Null for a person who does not sign, like `intent`"),
    agreement: nullable(PublishedText),
    intent: nullable(PublishedText),
    pages: Type.Array(ShownPage),
    documents: DocumentsToSign,
    fields: about(Type.Array(FieldToSign), "With the given values, and what is wrong with them"),
    others: about(Type.Array(FieldOfOthers), "What the sender has filled in for others"),
    progress: Progress,
    default_locale: LocaleName,
    branding: Type.Object({}, { additionalProperties: true, description: "The organization's branding, as PATCH /org/settings sets it" }),
  }),
);

export const OpenQuery = Type.Object({
  lang: Type.Optional(
    Type.String({
      maxLength: 20,
      description: "The language of `disclosure`, `agreement` and `intent`; English if that language is not available",
    }),
  ),
});

export const ProgressView = named(
  "SigningChanges",
  Type.Object({
    envelope_status: Type.Enum(["sent", "viewed", "completed", "vaulted", "voided", "declined", "expired"]),
    reason: about(nullable(Type.String()), "Why the sender withdrew the document; null for every other status"),
    your_status: about(nullable(RecipientStatusShape), "Null for a person who is no recipient"),
    signed: Type.Integer({ description: "How many signers have signed" }),
  }),
);

export const PageQuery = Type.Object({
  w: PageWidth,
  values: Type.Optional(Type.Enum(["1"], { description: "Show the entered values as they will be signed" })),
  lang: Type.Optional(about(LocaleName, "With `values`: the language in which your numbers and dates are written")),
  timezone: Type.Optional(Type.String({ maxLength: 100, description: "With `values`: your time zone, for the day of signing" })),
});

export const ConsentBody = Type.Object({
  accepted: Type.Boolean({ description: "false withdraws the consent; the other fields are ignored then" }),
  disclosure_version: Type.Optional(Type.String({ maxLength: 50 })),
  disclosure_sha256: Type.Optional(Sha256),
  rendered_pages: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 2_000 })),
});
export const ConsentView = named("SigningConsent", Type.Object({ accepted: Type.Boolean(), accepted_at: OptionalTimestamp }));

export const AgreementBody = Type.Object({ agreement_version: Type.String({ maxLength: 50 }), agreement_sha256: Sha256 });
export const AgreementView = named("AcceptedSigningAgreement", Type.Object({ accepted_at: Timestamp }));

export const QuestionsView = named(
  "IdentityChallenge",
  Type.Object({
    challenge_id: Type.String(),
    expires_at: Timestamp,
    questions: Type.Array(named("IdentityChallengeQuestion", Type.Object({ id: Type.Integer(), text: Type.String() }))),
    attempts_left: Type.Integer(),
  }),
);
export const AnswersBody = Type.Object({
  challenge_id: Type.String({ maxLength: 100 }),
  answers: Type.Array(named("IdentityAnswer", Type.Object({ id: Type.Integer(), value: Type.String({ maxLength: 200 }) })), {
    maxItems: MAX_QUESTIONS,
  }),
});

export const PaperView = named("SigningPaper", Type.Object({ requested_at: Timestamp }));
export const LinkSentView = named(
  "SigningLinkSent",
  Type.Object({ sent_to: Type.String({ description: "The signer's address on record, to which the link is mailed" }) }),
);

/** The answers are accepted here and never shown again. */
export const Questions = Type.Array(
  named(
    "IdentityQuestion",
    Type.Object({
      text: Type.String({ minLength: 3, maxLength: 300, pattern: "\\S", "x-message": NOT_BLANK }),
      answer: Type.String({ minLength: 1, maxLength: 200, description: "Stored as a hash and never shown again" }),
    }),
  ),
  { minItems: MIN_QUESTIONS, maxItems: MAX_QUESTIONS },
);

export const FieldsBody = Type.Object({
  revision: Type.Optional(
    Type.Integer({ minimum: 0, description: "The latest revision that the page has seen. The last write to a field wins" }),
  ),
  values: Type.Optional(FieldValues),
  adopt: Type.Optional(named("SigningAdoption", Type.Object({ signature: Type.Optional(Mark), initials: Type.Optional(Mark) }))),
});
export const SavedView = named(
  "SavedSigningFields",
  Type.Object({
    revision: Type.Integer(),
    progress: Progress,
    errors: Type.Array(named("SigningFieldError", Type.Object({ field_id: FieldId, code: Type.String(), message: Type.String() })), {
      description: "Values that cannot be signed as they are",
    }),
  }),
);

export const CompleteBody = Type.Object({
  revision: Type.Integer({ minimum: 0 }),
  prepared_sha256: Sha256,
  state_sha256: Sha256,
  intent: named(
    "SigningIntent",
    Type.Object({ version: Type.String({ maxLength: 50 }), locale: Type.String({ maxLength: 20 }), sha256: Sha256 }),
  ),
  timezone: Type.Optional(
    Type.String({
      maxLength: 64,
      pattern: "^[A-Za-z0-9_+/-]+$",
      "x-message": "must be the name of a time zone, for example Europe/Berlin",
    }),
  ),
});
export const CompletedView = named(
  "CompletedSigning",
  Type.Object({
    status: Type.Literal("signed"),
    signed_at: Timestamp,
    envelope_status: Type.Enum(["viewed", "completed"]),
    signed: Type.Integer(),
    total: Type.Integer(),
  }),
);
export const ApproveBody = Type.Object({
  state_sha256: about(Sha256, "Of the document as it was shown. If it has changed since, the answer is 409"),
  revision: Type.Optional(
    Type.Integer({ minimum: 0, description: "Of the approver's own fields. If they have changed since, the answer is 409" }),
  ),
  locale: Type.Optional(about(LocaleName, "The language of the page, in which your numbers and dates are written into the document")),
  timezone: Type.Optional(Type.String({ maxLength: 64, description: "Your time zone, for fields that take the day" })),
});
export const ConfirmBody = Type.Object({
  state_sha256: about(Sha256, "Of the document as it was shown. If it has changed since, the answer is 409"),
});
const acted = { acted_at: Timestamp, envelope_status: Type.Enum(["sent", "viewed", "completed"]) };
export const ApprovedView = named("ApprovedDocument", Type.Object({ status: Type.Literal("approved"), ...acted }));
export const ConfirmedView = named("ConfirmedReading", Type.Object({ status: Type.Literal("confirmed"), ...acted }));
export const DeclinedView = named(
  "DeclinedSigning",
  Type.Object({ envelope_id: idOf("envelope"), status: Type.Literal("declined"), declined_at: Timestamp }),
);

const kbaSigner = { email: Type.String(), slug: Slug, status: RecipientStatusShape };
export const ResetSignerView = named("SignerIdentityReset", Type.Object(kbaSigner));
export const RequiredSignerView = named("SignerIdentity", Type.Object({ ...kbaSigner, authentication: RequiredMethods }));
export const KbaSignerView = named(
  "SignerIdentityQuestions",
  Type.Object({ ...kbaSigner, questions: Type.Integer({ description: "The number of questions that are set" }) }),
);
