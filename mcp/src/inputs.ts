import { envelopeStatuses, placeableFieldTypes, recipientKinds } from "@countersign/client/lists";
import { z } from "zod";

/** Parts of what tools take. The service checks every value again, and says what is wrong with it. */

const id = (prefix: string, what: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`), `must be the ID of ${what}, ${prefix}_…`)
    .describe(`The ID of ${what}`);

export const EnvelopeId = id("env", "an envelope");
export const TemplateId = id("tmpl", "a template");
export const DocumentId = id("doc", "a document in an envelope");
export const CustomerId = id("cust", "a customer");
export const Status = z.enum(envelopeStatuses);

export const paging = {
  page: z.int().min(1).optional().describe("The page of the list, from 1"),
  limit: z.int().min(1).max(50).optional().describe("How many rows a page has, 20 by default"),
};

const Recipient = z.strictObject({
  kind: z.enum(recipientKinds).default("signer"),
  name: z.string(),
  email: z.string(),
  role: z.string().optional().describe("Whose fields the person fills in, such as Tenant. Signers need one"),
  step: z.int().min(1).optional().describe("When the person acts, on all who act or on none. The same step is at the same time"),
  message: z.string().optional().describe("Shown to this person only"),
});

/** What a draft keeps, and a person sees when they review it. */
export const choices = {
  recipients: z.array(Recipient).optional().describe("Everyone whom the envelope is for. Replaces the recipients that the draft has"),
  prefilled_data: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
    .optional()
    .describe("Values by the name of the field. Dates are YYYY-MM-DD; null takes a value away"),
  message: z.string().optional().describe("Shown to everyone"),
  mail_subject: z.string().optional().describe("The subject of the e-mail that asks for a signature"),
  signing_order: z.enum(["sequential", "parallel"]).optional().describe("Without steps: one after another, or all at once"),
  expires_in_days: z.int().min(1).max(365).optional().describe("Counted from sending"),
  remind_every_days: z.int().min(1).max(30).nullable().optional().describe("null: no automatic reminders"),
  auto_vault_enabled: z.boolean().optional().describe("Store the signed document in the vault. The person who sends must accept its terms"),
  external_id: z.string().optional().describe("Your own id for the envelope"),
  tags: z.array(z.string()).optional(),
};

const fraction = (what: string) => z.number().min(0).max(1).describe(what);
const size = {
  w: z.number().positive().max(1).describe("Width, as a fraction of the page"),
  h: z.number().positive().max(1).describe("Height, as a fraction of the page"),
};
const Absolute = z.strictObject({
  mode: z.literal("absolute"),
  areas: z
    .array(
      z.strictObject({
        page: z.int().min(1).describe("Within the document, from 1"),
        x: fraction("From the left edge of the page, as a fraction of its width"),
        y: fraction("From the top edge of the page, as a fraction of its height"),
        ...size,
      }),
    )
    .min(1),
});
const AtText = z.strictObject({
  mode: z.literal("anchor"),
  anchor_text: z.string().describe("Words of the document where the field goes"),
  occurrence: z.int().min(1).optional().describe("If the words occur several times: which of them, from 1"),
  page: z.int().min(1).optional().describe("Search this page only"),
  offset_x: z.number().optional().describe("From the left edge of the words, as a fraction of the page"),
  offset_y: z.number().optional().describe("From the top edge of the words, as a fraction of the page"),
  ...size,
});

export const Field = z.strictObject({
  name: z.string(),
  type: z.enum(placeableFieldTypes),
  role: z.string().optional().describe("The role of the recipient who fills it in. Not for a label"),
  required: z.boolean().optional(),
  default_value: z.string().optional(),
  options: z.array(z.string()).optional().describe("The choices of a select or radio field"),
  document: z.int().min(1).optional().describe("The number of the document that it is on, 1 by default"),
  placement: z.discriminatedUnion("mode", [Absolute, AtText]),
});
