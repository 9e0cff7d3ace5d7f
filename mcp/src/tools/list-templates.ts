import { z } from "zod";
import { paging, TemplateId } from "../inputs.ts";
import { READS, tool } from "../tool.ts";

export const listTemplates = tool({
  name: "list_templates",
  title: "List templates",
  description:
    "Lists the templates from which drafts can be created, newest first. With template_id: that template with its fields and roles, which you need for prefilled_data and recipients.",
  hints: READS,
  input: z.strictObject({ template_id: TemplateId.optional(), q: z.string().optional().describe("Text in the name"), ...paging }),
  run: async ({ client }, { template_id, q, page, limit = 20 }) => {
    if (template_id !== undefined) return { data: await client.templates.get(template_id) };
    const { data: templates, meta } = await client.templates.list({ q, page, limit });
    return { data: { templates, ...meta } };
  },
});
