import { ConflictError, ConnectionError, CountersignError, RateLimitError } from "@countersign/client";
import { FileRefused } from "./files-folder.ts";

/** A tool that cannot do what it was asked for, in a sentence for the agent. */
export class ToolRefused extends Error {}

/** What an agent reads of an error: sentences, without a stack. Null for a mistake of this program. */
export function sayError(error: unknown): string | null {
  if (error instanceof ToolRefused || error instanceof FileRefused) return `${error.message}.`;
  if (error instanceof RangeError || error instanceof TypeError) return null;
  if (!(error instanceof CountersignError)) return null;
  if (error instanceof RateLimitError)
    return `The key has reached its limit of requests in a minute. Try again in ${Math.ceil(error.retryAfterMs / 1000)} seconds.`;
  if (error instanceof ConnectionError)
    return "The service did not answer, also not when it was asked again. Before you repeat a change, look whether it was made.";
  const parts = [`${sentenceOf(error)}.`];
  if (error instanceof ConflictError && error.candidates.length > 0)
    parts.push(`Candidates: ${error.candidates.map(({ customer_id, name }) => `${customer_id} (${name ?? "no name"})`).join(", ")}.`);
  if (error.code !== null) parts.push(`The code is ${error.code}; explain_error says what to do.`);
  if (error.status >= 500 && error.requestId !== null) parts.push(`Quote ${error.requestId} when you ask for help.`);
  return parts.join(" ");
}

/** Without the request, which the agent did not write, and with every field that the client's message leaves out. */
function sentenceOf({ message, status, details }: CountersignError): string {
  const start = message.indexOf(`: ${status} `);
  const sentence = start === -1 ? message : message.slice(start + `: ${status} `.length);
  const more = details.slice(SHOWN_BY_CLIENT).map(({ field, message: fault }) => `${field ?? "the request"} ${fault}`);
  return [sentence, ...more].join("; ").replace(/\.$/, "");
}

const SHOWN_BY_CLIENT = 3;
