import type { ControlBatchItems } from "@countersign/client/types";
import { ApiError, expectOk, readData } from "../http.ts";
import type { Answer, Arguments, Given, OfKind } from "../operation.ts";
import type { PersonOperations } from "../widget-operations.ts";
import { endSession, token } from "./session.ts";

type Operation = OfKind<PersonOperations, "data">;
type Arg<O extends Operation> = Arguments<Omit<Given<PersonOperations[O]>, "params">>;

interface Sent {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, unknown>>;
}

function send(operation: string, { body, query = {} }: Sent, bearer: string | null): Promise<Response> {
  const [method = "", path = ""] = operation.split(" ");
  const headers = {
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
  };
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
  return fetch(`/p/api${path}${asked === "" ? "" : `?${asked}`}`, { method, headers, body: JSON.stringify(body) });
}

/** Calls an operation that works without a session, such as requesting a code. */
export function callOpen<O extends Operation>(operation: O, ...[given]: Arg<O>): Promise<Answer<PersonOperations[O]>> {
  return readData(send(operation, (given as Sent | undefined) ?? {}, null));
}

/** Calls an operation with the session. If the session has ended, the page asks the person to log in and keeps what is on it. */
export function call<O extends Operation>(operation: O, ...[given]: Arg<O>): Promise<Answer<PersonOperations[O]>> {
  return inSession((bearer) => readData(send(operation, (given as Sent | undefined) ?? {}, bearer)));
}

/** Downloads a file with the session. */
export function download(
  path:
    | `/records/${string}/${"copy" | "certificate" | "evidence"}`
    | `/exports/${string}/package`
    | `/papers/${string}/document`
    | `/papers/${string}/certificate`
    | `/acts/${string}/items.csv`,
): Promise<Blob> {
  return inSession(async (used) => (await expectOk(send(`GET ${path}`, {}, used))).blob());
}

/** One page of the records of a request about many. Its path begins like that of the request, so the type of `call` cannot tell them apart. */
export const recordsOf = (act_id: string, query: { readonly page: number; readonly limit: number }): Promise<ControlBatchItems> =>
  inSession((used) => readData(send(`GET /acts/${act_id}/items`, { query }, used)));

async function inSession<T>(ask: (used: string | null) => Promise<T>): Promise<T> {
  const used = token.peek();
  try {
    return await ask(used);
  } catch (error) {
    // The answer to an old token says nothing about a new one.
    if (error instanceof ApiError && error.status === 401 && token.peek() === used) endSession();
    throw error;
  }
}
