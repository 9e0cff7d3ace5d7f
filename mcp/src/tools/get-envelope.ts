import { z } from "zod";
import { EnvelopeId } from "../inputs.ts";
import { isDraft, isOwn } from "../own-draft.ts";
import { ToolRefused } from "../say-error.ts";
import { READS, tool } from "../tool.ts";

export const getEnvelope = tool({
  name: "get_envelope",
  title: "Get an envelope",
  description:
    "Returns an envelope with its status, settings and recipients. Of a draft that you created, also its documents, pages and fields. text_of_page returns the text of that page of such a draft, if the person who set up this server allows it.",
  hints: READS,
  input: z.strictObject({
    envelope_id: EnvelopeId,
    text_of_page: z.int().min(1).optional().describe("Counted through all documents of the draft, from 1"),
  }),
  run: async (agent, { envelope_id, text_of_page }) => {
    const { client, settings } = agent;
    if (text_of_page !== undefined && !settings.documentText)
      throw new ToolRefused("The text of documents is not available: this server was started without --allow-document-text");
    const envelope = await client.envelopes.get(envelope_id);
    const isOwnDraft = isOwn(envelope, agent) && isDraft(envelope);
    if (text_of_page !== undefined && !isOwnDraft) throw new ToolRefused("The text is available only of drafts that you created");
    if (!isOwnDraft) return { data: envelope };
    const [{ documents }, { fields, roles, pages }] = await Promise.all([
      client.envelopes.documents.list(envelope_id),
      client.envelopes.fields.get(envelope_id),
    ]);
    const data = { ...envelope, documents, roles, fields, pages };
    if (text_of_page === undefined) return { data };
    const { blocks, has_text } = await client.envelopes.pages.getText(envelope_id, text_of_page);
    if (!has_text) return { data: { ...data, text: `Page ${text_of_page} has no text, for example because it is a scan.` } };
    return { data, untrusted: { what: `the text of page ${text_of_page} of envelope ${envelope_id}`, text: blocks.join("\n") } };
  },
});
