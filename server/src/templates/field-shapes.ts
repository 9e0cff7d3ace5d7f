import { type Static, Type } from "typebox";
import { Label, nullable } from "../http/shapes.ts";
import { fieldTypes, requestTypes } from "../signing/field.ts";
import { MAX_FIELDS } from "./template.ts";

/** Fields at the edge: what a request says of them, and what answers show. */

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

export const AskedField = Type.Object({
  name: Label,
  type: Type.Enum([...requestTypes]),
  role: Label,
  required: Type.Optional(Type.Boolean({ default: false })),
  default_value: Type.Optional(Type.String({ maxLength: 2_000, description: "For text and date fields; a date is YYYY-MM-DD" })),
  placement: Type.Union([Absolute, Anchor]),
});
export type AskedField = Static<typeof AskedField>;

export const AskedFields = Type.Array(AskedField, { maxItems: MAX_FIELDS });

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
/** With what only a reader of the whole template needs. */
export const WholeFieldView = Type.Object({
  ...fieldView,
  readonly: Type.Boolean(),
  default_value: nullable(Type.String()),
  options: nullable(Type.Array(Type.String())),
});

export const Warnings = Type.Optional(Type.Array(Type.Object({ code: Type.String(), message: Type.String() })));
