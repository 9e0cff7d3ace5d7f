import { type Static, Type } from "typebox";
import { MAX_DOCUMENTS } from "../documents/document-list.ts";
import { about, idOf, Label, NOT_BLANK, named, nullable } from "../http/shapes.ts";
import { apiTypes, requestTypes, typesWithDefault } from "../signing/field.ts";
import { FieldSettingsShape } from "../signing/field-settings.ts";
import { MAX_FIELDS } from "./template.ts";

/** The shapes of fields in requests and responses, and of the pages that they are on. */

const Fraction = Type.Number({ minimum: 0, maximum: 1 });
const Size = Type.Number({ exclusiveMinimum: 0, maximum: 1 });
const Offset = Type.Number({ minimum: -1, maximum: 1 });
const PageNumber = Type.Integer({ minimum: 1, description: "Counted from 1, within the document" });
const FRACTIONS = "Fractions of the page as displayed, measured from its top left corner";
export const AreaShape = named(
  "FieldAreaInput",
  Type.Object({ page: PageNumber, x: Fraction, y: Fraction, w: Size, h: Size }, { description: FRACTIONS }),
);

const Absolute = named(
  "AbsolutePlacement",
  Type.Object({
    mode: Type.Literal("absolute"),
    areas: Type.Array(AreaShape, { minItems: 1, maxItems: MAX_FIELDS }),
  }),
);

const Anchor = named(
  "AnchorPlacement",
  Type.Object({
    mode: Type.Literal("anchor"),
    anchor_text: Type.String({
      minLength: 1,
      maxLength: 500,
      pattern: "\\S",
      "x-message": NOT_BLANK,
      description: "Text of the document to place the field at",
    }),
    occurrence: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: "Which occurrence of the text, counted from 1" })),
    page: Type.Optional(about(PageNumber, "Search this page only, counted from 1")),
    offset_x: Type.Optional(about(Offset, "Distance from the left edge of the text, as a fraction of the page width")),
    offset_y: Type.Optional(about(Offset, "Distance from the top edge of the text, as a fraction of the page height")),
    w: Size,
    h: Size,
  }),
);

const asked = {
  name: Label,
  type: named("PlaceableFieldType", Type.Enum([...requestTypes])),
  role: Type.Optional(about(Label, "The role of the signer who fills in the field. Required, except for a label")),
  options: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100, description: "The choices of a select or radio field, 2 to 100" }),
  ),
  settings: Type.Optional(FieldSettingsShape),
  field_key: Type.Optional(
    Type.String({
      pattern: "^[a-z][a-z0-9_]{0,59}$",
      "x-message": "must be lower-case letters, digits and _, such as start_date",
      description: "By which programs name the field, once in a document. Made from its name if it is not given",
    }),
  ),
  document: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_DOCUMENTS, description: "The number of the document that it is on; 1 if it is not given" }),
  ),
  required: Type.Optional(Type.Boolean({ default: false })),
  default_value: Type.Optional(Type.String({ maxLength: 2_000, description: `For ${typesWithDefault} fields; dates are YYYY-MM-DD` })),
  placement: named("FieldPlacement", Type.Union([Absolute, Anchor])),
};
export const AskedField = named(
  "FieldInput",
  Type.Object({
    ...asked,
    keep: Type.Optional(
      Type.Never({ description: "Not allowed here: only PUT keeps existing fields", "x-message": "can be used only with PUT" }),
    ),
  }),
);
export type AskedField = Static<typeof AskedField>;

export const AskedFields = Type.Array(AskedField, { maxItems: MAX_FIELDS });

const Keep = named(
  "KeptField",
  Type.Object(
    {
      position: Type.Integer({ minimum: 0, description: "Index of the field in the current list, counted from 0" }),
      name: Type.String({ maxLength: 200, description: "Current name of the field" }),
    },
    { description: "The existing field to keep. Its type cannot change; the values given next to `keep` replace those it has" },
  ),
);

/**
 * One shape for both kinds, and `asWanted` checks what each requires. With a union, callers would only learn that validation failed, not
 * which value is wrong.
 */
export const GivenField = named(
  "FieldReplacement",
  Type.Object(
    {
      ...Type.Partial(Type.Object(asked)).properties,
      // Null as in answers: a label has no role, and most types have no options.
      role: Type.Optional(
        about(nullable(Label), "The role of the signer who fills in the field. Required for a new field, except for a label"),
      ),
      options: Type.Optional(about(nullable(asked.options), "The choices of a select or radio field, 2 to 100")),
      default_value: Type.Optional(
        Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()], {
          description: "A value that a field of this type can hold; null removes it",
        }),
      ),
      keep: Type.Optional(Keep),
      areas: Type.Optional(
        Type.Array(AreaShape, { minItems: 1, maxItems: MAX_FIELDS, description: "Moves a kept field to these areas; only with `keep`" }),
      ),
    },
    { description: "Either a new field, which needs `name`, `type`, `role` and `placement`, or an existing field with `keep`" },
  ),
);
export type GivenField = Static<typeof GivenField>;

export const GivenFields = Type.Array(GivenField, { maxItems: MAX_FIELDS });

/** A field to be placed. */
export type NewField = Omit<AskedField, "default_value"> & { readonly default_value?: string | null };
/** An existing field that is kept, except for the members in the request. */
export type KeptField = Pick<GivenField, "name" | "required" | "default_value" | "areas" | "settings" | "field_key" | "document"> &
  Partial<Pick<AskedField, "role" | "options">> & { readonly keep: Static<typeof Keep> };
export type WantedField = NewField | KeptField;

const PlacedArea = named(
  "FieldArea",
  Type.Object({ page: Type.Integer(), x: Type.Number(), y: Type.Number(), w: Type.Number(), h: Type.Number() }),
);

const fieldView = {
  name: Type.String(),
  type: named("FieldType", Type.Enum(apiTypes)),
  role: about(nullable(Type.String()), "Null for a label"),
  required: Type.Boolean(),
  anchor_match: Type.Optional(about(PlacedArea, "Where the anchor text was found; only for fields placed by an anchor")),
  areas: Type.Array(PlacedArea, { description: FRACTIONS }),
  document: Type.Optional(about(Type.Integer(), "The number of its document; missing for the first one. Pages count within the document")),
};
export const FieldView = named("PlacedTemplateField", Type.Object(fieldView));
/** With members that only a reader of the whole template or envelope needs. */
export const WholeFieldView = named(
  "TemplateField",
  Type.Object({
    ...fieldView,
    readonly: Type.Boolean({ description: "true: signers cannot change its value" }),
    default_value: nullable(Type.String()),
    options: about(nullable(Type.Array(Type.String())), "Choices of a select or radio field; null for other types"),
    settings: Type.Optional(FieldSettingsShape),
    field_key: Type.Optional(about(Type.String(), "By which programs name the field")),
  }),
);

export const PageView = named(
  "DocumentPage",
  Type.Object({
    w_pt: Type.Number({ description: "Displayed width in points (1/72 inch)" }),
    h_pt: Type.Number({ description: "Displayed height in points" }),
    rotate: Type.Integer({ description: "Rotation of the page in degrees" }),
    has_text: Type.Boolean({ description: "false: no anchor text can be found on this page" }),
    scan_dpi: about(nullable(Type.Number()), "Resolution of an image that covers the page; null if there is none"),
  }),
);

/** A document with its pages, for programs that show where fields are. */
export const PlacingDocuments = Type.Array(
  named(
    "DocumentToPlaceOn",
    Type.Object({
      document_id: idOf("document"),
      document_no: Type.Integer(),
      name: Type.String(),
      pages: Type.Array(PageView),
    }),
  ),
  { description: "The documents in order. `pages` next to it has the pages of all of them" },
);

/** Only in dry runs. */
export const Anchors = Type.Optional(
  Type.Array(
    named(
      "AnchorMatches",
      Type.Object({ field: Type.Integer({ description: "Index of the field in the request" }), matches: Type.Array(PlacedArea) }),
    ),
    { description: "Only with dry_run=true: every place where each anchor text was found. Match n is occurrence n" },
  ),
);

export const DryRunQuery = Type.Object({
  dry_run: Type.Optional(
    Type.Enum(["true", "false"], { description: "true checks the request and resolves anchors without saving anything" }),
  ),
});

export const WarningShape = named("Warning", Type.Object({ code: Type.String(), message: Type.String() }));
export const Warnings = Type.Optional(Type.Array(WarningShape));
