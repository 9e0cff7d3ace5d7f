import { type Static, Type } from "typebox";
import { Label, nullable } from "../http/shapes.ts";
import { fieldTypes, requestTypes } from "../signing/field.ts";
import { MAX_FIELDS } from "./template.ts";

/** Fields at the edge: what a request says of them, and what answers show; and the pages that they stand on. */

const Fraction = Type.Number({ minimum: 0, maximum: 1 });
const Size = Type.Number({ exclusiveMinimum: 0, maximum: 1 });
const Offset = Type.Number({ minimum: -1, maximum: 1 });
const PageNumber = Type.Integer({ minimum: 1, description: "From 1" });
export const AreaShape = Type.Object(
  { page: PageNumber, x: Fraction, y: Fraction, w: Size, h: Size },
  { description: "Fractions of the page as it is displayed, from its top left corner" },
);

const Absolute = Type.Object({
  mode: Type.Literal("absolute"),
  areas: Type.Array(AreaShape, { minItems: 1, maxItems: MAX_FIELDS }),
});

const Anchor = Type.Object({
  mode: Type.Literal("anchor"),
  anchor_text: Type.String({ minLength: 1, maxLength: 500, pattern: "\\S" }),
  occurrence: Type.Optional(Type.Integer({ minimum: 1, default: 1 })),
  page: Type.Optional(PageNumber),
  offset_x: Type.Optional(Offset),
  offset_y: Type.Optional(Offset),
  w: Size,
  h: Size,
});

const asked = {
  name: Label,
  type: Type.Enum([...requestTypes]),
  role: Label,
  required: Type.Optional(Type.Boolean({ default: false })),
  default_value: Type.Optional(Type.String({ maxLength: 2_000, description: "For text and date fields; a date is YYYY-MM-DD" })),
  placement: Type.Union([Absolute, Anchor]),
};
export const AskedField = Type.Object({
  ...asked,
  keep: Type.Optional(Type.Never({ description: "Only a PUT keeps fields that are there" })),
});
export type AskedField = Static<typeof AskedField>;

export const AskedFields = Type.Array(AskedField, { maxItems: MAX_FIELDS });

const Keep = Type.Object(
  {
    position: Type.Integer({ minimum: 0, description: "From 0, in the order in which the fields are shown now" }),
    name: Type.String({ maxLength: 200, description: "The name that the field has now" }),
  },
  { description: "Which field stays. Its type, options and lock cannot change; what is named beside `keep` does" },
);

/**
 * One shape for both kinds, and `asWanted` for what each must have: of a union that fails, a caller would hear that it failed, and not
 * which of its values is wrong.
 */
export const GivenField = Type.Object(
  {
    ...Type.Partial(Type.Object(asked)).properties,
    default_value: Type.Optional(
      Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()], { description: "What a field of its type can hold; null: none" }),
    ),
    keep: Type.Optional(Keep),
    areas: Type.Optional(
      Type.Array(AreaShape, { minItems: 1, maxItems: MAX_FIELDS, description: "Of a field that stays: from now on it stands here" }),
    ),
  },
  { description: "A field to be placed, which needs `name`, `type`, `role` and `placement`; or with `keep` one that is there and stays" },
);
export type GivenField = Static<typeof GivenField>;

export const GivenFields = Type.Array(GivenField, { maxItems: MAX_FIELDS });

/** One to be placed. */
export type NewField = Omit<AskedField, "default_value"> & { readonly default_value?: string | null };
/** One that is there and stays as it is, but for what is named. */
export type KeptField = Pick<GivenField, "name" | "role" | "required" | "default_value" | "areas"> & { readonly keep: Static<typeof Keep> };
export type WantedField = NewField | KeptField;

const PlacedArea = Type.Object({ page: Type.Integer(), x: Type.Number(), y: Type.Number(), w: Type.Number(), h: Type.Number() });

const fieldView = {
  name: Type.String(),
  type: Type.Enum([...fieldTypes]),
  role: Type.String(),
  required: Type.Boolean(),
  anchor_match: Type.Optional(PlacedArea),
  areas: Type.Array(PlacedArea),
};
export const FieldView = Type.Object(fieldView);
/** With what only a reader of the whole template or envelope needs. */
export const WholeFieldView = Type.Object({
  ...fieldView,
  readonly: Type.Boolean(),
  default_value: nullable(Type.String()),
  options: nullable(Type.Array(Type.String())),
});

export const PageView = Type.Object({
  w_pt: Type.Number(),
  h_pt: Type.Number(),
  rotate: Type.Integer(),
  has_text: Type.Boolean(),
  scan_dpi: nullable(Type.Number()),
});

/** Of a dry run alone. */
export const Anchors = Type.Optional(
  Type.Array(Type.Object({ field: Type.Integer({ description: "Its index in the request" }), matches: Type.Array(PlacedArea) }), {
    description: "With dry_run: for each field with an anchor, where its text is; the nth match is occurrence n",
  }),
);

export const DryRunQuery = Type.Object({
  dry_run: Type.Optional(Type.Enum(["true", "false"], { description: "true: everything is checked and found, and nothing is stored" })),
});

export const Warnings = Type.Optional(Type.Array(Type.Object({ code: Type.String(), message: Type.String() })));
