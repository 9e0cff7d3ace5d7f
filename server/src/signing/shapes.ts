import { Type } from "typebox";
import { Base64, idOf, LocaleName, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { ceremonyStates } from "./builtin/ceremony.ts";
import { fieldTypes } from "./field.ts";
import { MAX_QUESTIONS, MIN_QUESTIONS } from "./kba/partner-questions.ts";
import { signerStatuses } from "./submission.ts";

/** The ceremony at the edge: what the signing page says, and what it is told. */

const Hash = Type.String({ pattern: "^[0-9a-f]{64}$" });
const FieldId = Type.String({ pattern: "^f[0-9]{1,9}$" });
const Coordinate = Type.Number({ minimum: -100_000, maximum: 100_000 });
const Area = Type.Object({ page: Type.Integer(), x: Type.Number(), y: Type.Number(), w: Type.Number(), h: Type.Number() });
const PublishedText = Type.Object({ version: Type.String(), locale: LocaleName, sha256: Hash, text: Type.String() });

/** A drawn point is `[x, y, ms]`; the time is evidence and not drawn. */
const Drawn = Type.Object({
  kind: Type.Literal("drawn"),
  w: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
  h: Type.Number({ exclusiveMinimum: 0, maximum: 100_000 }),
  strokes: Type.Array(Type.Array(Type.Array(Coordinate, { minItems: 2, maxItems: 3 })), { minItems: 1, maxItems: 4_000 }),
});
const Typed = Type.Object({
  kind: Type.Literal("typed"),
  text: Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f\\u007f]*$" }),
  font: Type.Enum(["dancing-script", "caveat", "great-vibes", "plain"]),
});
const Uploaded = Type.Object({
  kind: Type.Literal("uploaded"),
  png: Type.String({ ...Base64, minLength: 1, description: "At most 512 KB" }),
});
const Mark = Type.Union([Drawn, Typed, Uploaded]);
const MarkView = nullable(
  Type.Union([
    Type.Object({
      kind: Type.Literal("drawn"),
      w: Type.Number(),
      h: Type.Number(),
      strokes: Type.Array(Type.Array(Type.Array(Type.Number()))),
    }),
    Type.Object({ kind: Type.Literal("typed"), text: Type.String(), font: Type.String() }),
    Type.Object({ kind: Type.Literal("uploaded"), png: Type.String() }),
  ]),
);

const Value = Type.Union([Type.String(), Type.Boolean(), Type.Null()]);
const FieldType = Type.Enum([...fieldTypes]);
const Progress = Type.Object({ done: Type.Integer(), total: Type.Integer() });
const FieldError = Type.Object({ code: Type.Enum(["required", "invalid_value", "does_not_fit"]), message: Type.String() });

export const IdentityView = Type.Object({
  state: Type.Enum(["not_required", "unavailable", "required", "passed", "expired", "locked"]),
  valid_until: OptionalTimestamp,
  attempts_left: nullable(Type.Integer()),
});

export const OpenedView = Type.Object({
  envelope: Type.Object({
    envelope_id: idOf("envelope"),
    name: Type.String(),
    status: Type.Enum(["sent", "viewed", "completed", "vaulted"]),
    expires_at: OptionalTimestamp,
    sender: Type.String(),
    message: nullable(Type.String()),
  }),
  you: Type.Object({
    name: nullable(Type.String()),
    email: Type.String(),
    role: nullable(Type.String()),
    status: nullable(Type.Enum([...signerStatuses])),
    mode: Type.Enum(["sign", "view"]),
    signed_at: OptionalTimestamp,
  }),
  state: Type.Enum([...ceremonyStates]),
  signers: Type.Object({ signed: Type.Integer(), total: Type.Integer(), before_you: Type.Integer() }),
  identity: IdentityView,
  consent: nullable(Type.Object({ accepted_at: OptionalTimestamp, disclosure: PublishedText })),
  intent: nullable(PublishedText),
  document: nullable(
    Type.Object({
      prepared_sha256: Hash,
      state_sha256: Hash,
      page_count: Type.Integer(),
      pages: Type.Array(Type.Object({ n: Type.Integer(), w: Type.Number(), h: Type.Number() })),
    }),
  ),
  fields: nullable(
    Type.Array(
      Type.Object({
        field_id: FieldId,
        name: Type.String(),
        type: FieldType,
        required: Type.Boolean(),
        readonly: Type.Boolean(),
        options: nullable(Type.Array(Type.String())),
        areas: Type.Array(Area),
        value: Value,
        error: nullable(FieldError),
      }),
    ),
  ),
  others: nullable(
    Type.Array(
      Type.Object({
        type: FieldType,
        areas: Type.Array(Area),
        options: nullable(Type.Array(Type.String())),
        value: Value,
        mark_sha256: nullable(Hash),
        name: nullable(Type.String()),
      }),
    ),
  ),
  marks: nullable(Type.Array(Type.Object({ sha256: Hash, mark: MarkView }), { description: "Of `others`, each once" })),
  signature: MarkView,
  initials: MarkView,
  progress: nullable(Progress),
  revision: nullable(Type.Integer()),
  copy: Type.Object({ ready: Type.Boolean() }),
  default_locale: LocaleName,
  branding: Type.Object({}, { additionalProperties: true, description: "The organization's own, as PATCH /org/settings takes it" }),
  token_expires_at: Timestamp,
  server_time: Timestamp,
});

export const OpenQuery = Type.Object({
  lang: Type.Optional(
    Type.String({ maxLength: 20, description: "The language of `disclosure` and `intent`; English where they are not written in it" }),
  ),
});

export const PageQuery = Type.Object({
  w: Type.Optional(Type.Enum(["1224", "2448"], { description: "Width in pixels; 1224 without it" })),
  values: Type.Optional(Type.Enum(["1"], { description: "With what was entered, as it will be signed" })),
});

export const PageTextView = Type.Object({ page: Type.Integer(), blocks: Type.Array(Type.String()), has_text: Type.Boolean() });

export const ConsentBody = Type.Object({
  accepted: Type.Boolean({ description: "false withdraws it; then the rest is not looked at" }),
  disclosure_version: Type.Optional(Type.String({ maxLength: 50 })),
  disclosure_sha256: Type.Optional(Hash),
  rendered_pages: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }), { maxItems: 2_000 })),
});
export const ConsentView = Type.Object({ accepted: Type.Boolean(), accepted_at: OptionalTimestamp });

export const QuestionsView = Type.Object({
  challenge_id: Type.String(),
  expires_at: Timestamp,
  questions: Type.Array(Type.Object({ id: Type.Integer(), text: Type.String() })),
  attempts_left: Type.Integer(),
});
export const AnswersBody = Type.Object({
  challenge_id: Type.String({ maxLength: 100 }),
  answers: Type.Array(Type.Object({ id: Type.Integer(), value: Type.String({ maxLength: 200 }) }), { maxItems: MAX_QUESTIONS }),
});

/** The answers come in here and are never shown again. */
export const Questions = Type.Array(
  Type.Object({
    text: Type.String({ minLength: 3, maxLength: 300, pattern: "\\S" }),
    answer: Type.String({ minLength: 1, maxLength: 200 }),
  }),
  { minItems: MIN_QUESTIONS, maxItems: MAX_QUESTIONS },
);

export const FieldsBody = Type.Object({
  revision: Type.Optional(Type.Integer({ minimum: 0, description: "What the page last saw. The last write of a field wins" })),
  values: Type.Optional(
    Type.Array(
      Type.Object({
        field_id: Type.String({ maxLength: 20 }),
        value: Type.Union([Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean(), Type.Null()], {
          description: "Of a signature or initials: true applies what was adopted",
        }),
      }),
      { maxItems: 2_000 },
    ),
  ),
  adopt: Type.Optional(Type.Object({ signature: Type.Optional(Mark), initials: Type.Optional(Mark) })),
});
export const SavedView = Type.Object({
  revision: Type.Integer(),
  progress: Progress,
  errors: Type.Array(Type.Object({ field_id: FieldId, code: Type.String(), message: Type.String() })),
});

export const CompleteBody = Type.Object({
  revision: Type.Integer({ minimum: 0 }),
  prepared_sha256: Hash,
  state_sha256: Hash,
  intent: Type.Object({ version: Type.String({ maxLength: 50 }), locale: Type.String({ maxLength: 20 }), sha256: Hash }),
  timezone: Type.Optional(Type.String({ maxLength: 64, pattern: "^[A-Za-z0-9_+/-]+$" })),
});
export const CompletedView = Type.Object({
  status: Type.Literal("signed"),
  signed_at: Timestamp,
  envelope_status: Type.Enum(["viewed", "completed"]),
  signed: Type.Integer(),
  total: Type.Integer(),
});

export const KbaSignerView = Type.Object({
  email: Type.String(),
  slug: Type.String(),
  status: Type.Enum([...signerStatuses]),
  questions: Type.Integer({ description: "How many are set" }),
});
