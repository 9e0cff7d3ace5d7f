import { CountersignError } from "./errors.ts";

/** Parses the body of a response, which always has `data`. Throws a CountersignError if the response did not come from the service. */
export function parseBody(request: string, response: Response, text: string): { readonly data: unknown } {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw notOurs(request, response, "JSON", { cause });
  }
  if (typeof body !== "object" || body === null || !("data" in body)) throw notOurs(request, response, "an object with `data`");
  return body;
}

function notOurs(request: string, { status, headers }: Response, expected: string, options?: ErrorOptions): CountersignError {
  const refusal = { status, code: null, details: [], requestId: headers.get("x-request-id") };
  return new CountersignError(`${request}: the response is not ${expected}. Is baseUrl the address of Countersign?`, refusal, options);
}
