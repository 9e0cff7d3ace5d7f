import { z } from "zod";
import { CustomerId, paging, Status } from "../inputs.ts";
import { READS, tool } from "../tool.ts";

export const listEnvelopes = tool({
  name: "list_envelopes",
  title: "List envelopes",
  description: "Lists the envelopes of the organization with their recipients, newest first, also those that others created.",
  hints: READS,
  input: z.strictObject({
    status: Status.optional(),
    stage: z.enum(["draft", "open"]).optional().describe("draft: not sent yet. open: sent, and people can still act"),
    q: z.string().optional().describe("Beginnings of words in names, recipients, tags and the external_id"),
    customer_id: CustomerId.optional(),
    external_id: z.string().optional(),
    ...paging,
  }),
  run: async ({ client }, { limit = 20, ...filter }) => {
    const { data: envelopes, meta } = await client.envelopes.list({ ...filter, limit, expand: "recipients,tags" });
    return { data: { envelopes, ...meta } };
  },
});
