import { z } from "zod";
import { EnvelopeId } from "../inputs.ts";
import { isDraft, isOwn } from "../own-draft.ts";
import { ToolRefused } from "../say-error.ts";
import { READS, tool } from "../tool.ts";

export const requestSend = tool({
  name: "request_send",
  title: "Ask a person to send a draft",
  description:
    "Returns the address where a person reviews a draft that you created and sends it. Give that address to the person you work for. This tool sends nothing, and no other tool does: only people send.",
  hints: READS,
  input: z.strictObject({ envelope_id: EnvelopeId }),
  run: async (agent, { envelope_id }) => {
    const { client, me } = agent;
    const envelope = await client.envelopes.get(envelope_id);
    if (!isOwn(envelope, agent)) throw new ToolRefused("You did not create this envelope, so you cannot ask for it to be sent");
    if (!isDraft(envelope)) throw new ToolRefused(`The envelope is not a draft any more: its status is ${envelope.status}`);
    const missing = [
      ...(envelope.status === "pending" ? ["a document: upload_document adds one"] : []),
      ...(envelope.metadata.recipients.some(({ kind }) => kind === "signer") ? [] : ["a signer: update_draft adds recipients"]),
    ];
    return {
      data: {
        sent: false,
        review_url: `${me.console_url}/envelopes/${envelope_id}/prepare?step=review`,
        next: `Nothing was sent. Ask a person to open review_url, log in, ${me.mode === "test" ? switching(me.org_name) : ""}review the draft and send it there. If the draft changes while they review it, they see the change before they can send.`,
        ...(missing.length > 0 && { missing }),
      },
    };
  },
});

/** A log-in opens the organization, in which the drafts of its sandboxes do not exist. */
const switching = (sandbox: string): string => `switch to the sandbox "${sandbox}" in the menu with their name, open review_url again, `;
