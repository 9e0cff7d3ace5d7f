import { isCode } from "@countersign/client";
import { z } from "zod";
import { ToolRefused } from "../say-error.ts";
import { READS, tool } from "../tool.ts";

export const findCustomer = tool({
  name: "find_customer",
  title: "Find a customer",
  description: "Finds a customer by e-mail address or by your organization's own id for them. Give one of the two.",
  hints: READS,
  input: z.strictObject({ email: z.string().optional(), client_id: z.string().optional() }),
  run: async ({ client }, { email, client_id }) => {
    if ((email === undefined) === (client_id === undefined)) throw new ToolRefused("Give either email or client_id");
    try {
      return { data: await client.customers.lookUp({ email, client_id }) };
    } catch (error) {
      // That there is none is an answer.
      if (isCode(error, "customer_not_found")) return { data: { found: false } };
      throw error;
    }
  },
});
