import { z } from "zod";
import { EnvelopeId } from "../inputs.ts";
import { READS, tool } from "../tool.ts";

export const getCompliance = tool({
  name: "get_compliance",
  title: "Get the compliance result of an envelope",
  description: "Returns the results of the eight compliance checks of an envelope that is in the vault, with what is missing.",
  hints: READS,
  input: z.strictObject({ envelope_id: EnvelopeId }),
  run: async ({ client }, { envelope_id }) => ({ data: await client.compliance.get(envelope_id) }),
});
