import { z } from "zod";
import { details, errors } from "../generated/errors.ts";
import { ToolRefused } from "../say-error.ts";
import { READS, tool } from "../tool.ts";

export const explainError = tool({
  name: "explain_error",
  title: "Explain an error",
  description:
    "Explains an error code of the service, such as envelope_wrong_status, and says what to do about it. Asks nothing of the service.",
  hints: READS,
  input: z.strictObject({ code: z.string() }),
  run: async (_agent, { code }) => {
    const error = Object.hasOwn(errors, code) ? errors[code] : undefined;
    const detail = Object.hasOwn(details, code) ? details[code] : undefined;
    if (error === undefined && detail === undefined) throw new ToolRefused(`There is no error code ${JSON.stringify(code.slice(0, 100))}`);
    return { data: { code, ...error, ...(detail !== undefined && { of_a_field: detail }) } };
  },
});
