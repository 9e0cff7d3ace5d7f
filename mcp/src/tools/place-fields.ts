import { z } from "zod";
import { EnvelopeId, Field } from "../inputs.ts";
import { CHANGES, tool } from "../tool.ts";

export const placeFields = tool({
  name: "place_fields",
  title: "Place fields",
  description:
    "Places fields on the documents of a draft that you created, by coordinates or next to words of the document. With dry_run nothing is saved, and every place of the words is shown.",
  hints: { ...CHANGES, idempotentHint: false },
  input: z.strictObject({
    envelope_id: EnvelopeId,
    fields: z.array(Field).min(1),
    how: z.enum(["add", "replace"]).default("add").describe("replace: removes all fields that the draft has"),
    dry_run: z.boolean().default(false),
  }),
  run: async ({ client }, { envelope_id, fields, how, dry_run }) => {
    const place = how === "add" ? client.envelopes.fields.create : client.envelopes.fields.replace;
    return { data: await place.call(client.envelopes.fields, envelope_id, { fields }, dry_run ? { dry_run: "true" } : {}) };
  },
});
