import { z } from "zod";
import { EnvelopeId } from "../inputs.ts";
import { CHANGES, tool } from "../tool.ts";

export const discardDraft = tool({
  name: "discard_draft",
  title: "Discard a draft",
  description:
    "Ends a draft that you created. It stays in the list as voided and cannot be restored. An envelope that was sent is refused.",
  hints: { ...CHANGES, idempotentHint: false },
  input: z.strictObject({ envelope_id: EnvelopeId, reason: z.string().describe("Why, for the audit trail") }),
  run: async ({ client }, { envelope_id, reason }) => ({ data: await client.envelopes.void(envelope_id, { reason }) }),
});
