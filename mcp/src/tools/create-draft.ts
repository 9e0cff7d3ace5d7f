import { z } from "zod";
import { draftOf } from "../draft-of.ts";
import { choices, TemplateId } from "../inputs.ts";
import { ADDS, tool } from "../tool.ts";

export const createDraft = tool({
  name: "create_draft",
  title: "Create a draft",
  description:
    "Creates a draft of an envelope, from a template with its document and fields, or empty: then upload_document adds a document. A customer is created if the e-mail address is new. Nothing is sent to anyone.",
  hints: ADDS,
  input: z.strictObject({
    envelope_name: z.string(),
    customer_name: z.string(),
    customer_email: z.string(),
    template_id: TemplateId.optional(),
    ...choices,
  }),
  run: async ({ client }, { envelope_name, customer_name, customer_email, template_id, ...given }) => ({
    data: await client.envelopes.create({ envelope_name, customer_name, customer_email, template_id, ...draftOf(given) }),
  }),
});
