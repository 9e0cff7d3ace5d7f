import { ApiError, expectOk, readData } from "../http.ts";
import type { Answer, Arguments, Given, OfKind } from "../operation.ts";
import type { PersonOperations } from "../widget-operations.ts";
import { endSession, token } from "./session.ts";

type Operation = OfKind<PersonOperations, "data">;
type Arg<O extends Operation> = Arguments<Omit<Given<PersonOperations[O]>, "params">>;

function send(operation: string, body: unknown, bearer: string | null): Promise<never> {
  const [method = "", path = ""] = operation.split(" ");
  const headers = {
    ...(body !== undefined && { "content-type": "application/json" }),
    ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
  };
  return readData<never>(fetch(`/p/api${path}`, { method, headers, body: JSON.stringify(body) }));
}

/** Calls an operation that works without a session, such as requesting a code. */
export function callOpen<O extends Operation>(operation: O, ...[given]: Arg<O>): Promise<Answer<PersonOperations[O]>> {
  return send(operation, (given as { readonly body?: unknown } | undefined)?.body, null);
}

/** Calls an operation with the session. If the session has ended, the page asks the person to log in and keeps what is on it. */
export function call<O extends Operation>(operation: O, ...[given]: Arg<O>): Promise<Answer<PersonOperations[O]>> {
  return inSession((used) => send(operation, (given as { readonly body?: unknown } | undefined)?.body, used));
}

/** Downloads a file with the session. */
export function download(
  path: `/exports/${string}/package` | `/papers/${string}/document` | `/papers/${string}/certificate`,
): Promise<Blob> {
  return inSession(async (used) => {
    const response = await expectOk(fetch(`/p/api${path}`, { headers: { authorization: `Bearer ${used}` } }));
    return response.blob();
  });
}

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
