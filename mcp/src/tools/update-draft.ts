import { z } from "zod";
import { draftOf } from "../draft-of.ts";
import { choices, EnvelopeId } from "../inputs.ts";
import { CHANGES, tool } from "../tool.ts";

export const updateDraft = tool({
  name: "update_draft",
  title: "Change a draft",
  description:
    "Changes a draft that you created. What you leave out stays as it is. A person who is reviewing the draft sees the change before it can be sent.",
  hints: CHANGES,
  input: z.strictObject({ envelope_id: EnvelopeId, envelope_name: z.string().optional(), ...choices }),
  run: async ({ client }, { envelope_id, envelope_name, ...given }) => ({
    data: await client.envelopes.update(envelope_id, { envelope_name, ...draftOf(given) }),
  }),
});
