import { Type } from "typebox";
import { named } from "../http/shapes.ts";

/** What each type takes is checked by its file in `fields/src/types/`; here stands what kind of value each member has. */
export const FieldSettingsShape = named(
  "FieldSettings",
  Type.Object(
    {
      sender_fills: Type.Optional(
        Type.Boolean({
          description:
            "The sender fills in the field before sending, and it is locked for the signer. Not for signatures, initials and labels",
        }),
      ),
      multiline: Type.Optional(
        Type.Boolean({
          description:
            "text: whether it can have several lines. Without it a text with settings has one line, and a text without any settings as many as fit its area",
        }),
      ),
      max_length: Type.Optional(
        Type.Integer({ description: "text: the largest number of characters, 1 to 2000. Not together with `mask`" }),
      ),
      format: Type.Optional(
        Type.String({
          description:
            "text: `email`; `phone`, which is `+` and 6 to 15 digits (spaces and hyphens are removed); `digits`; or `letters`, which are letters, spaces, hyphens and apostrophes of any script",
        }),
      ),
      mask: Type.Optional(
        Type.String({
          description:
            "text: its form, such as `99-AA-9999`: `9` is a digit, `A` a letter of any script, `*` either; everything else stands as it is. At most 100 characters",
        }),
      ),
      fill: Type.Optional(
        Type.String({
          description:
            "date: `signing_day` fills in the day of signing, in the signer's time zone, otherwise in UTC. No other setting beside it",
        }),
      ),
      earliest: Type.Optional(Type.String({ description: "date: the first day allowed, YYYY-MM-DD" })),
      latest: Type.Optional(Type.String({ description: "date: the last day allowed, YYYY-MM-DD" })),
      min: Type.Optional(
        Type.String({
          description:
            'number: the smallest value, as text such as "0.5". checkbox, on the first field of a group: how many boxes must be ticked, as text such as "1"',
        }),
      ),
      max: Type.Optional(
        Type.String({
          description: "number: the largest value, as text. checkbox, on the first field of a group: how many boxes can be ticked, as text",
        }),
      ),
      places: Type.Optional(Type.Integer({ description: "number: digits after the decimal point, 0 to 6; zeros are added" })),
      unit: Type.Optional(Type.String({ description: "number: written after the value, at most 20 characters" })),
      group: Type.Optional(
        Type.String({ description: "checkbox: the name of its group among the fields of its role, at most 50 characters" }),
      ),
    },
    { description: "What a field has beyond its type. Each type has its own settings; others are refused with 422" },
  ),
);
