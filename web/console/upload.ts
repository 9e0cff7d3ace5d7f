import { ApiError, Unreachable } from "../http.ts";
import type { Answer, Given } from "../operation.ts";
import { formOf, once } from "./api.ts";
import { type AnyGiven, type DataId, methodOf, type Operations, urlOf } from "./operations.ts";
import { me, renew } from "./session.ts";

/** The user cancelled the upload. What the server had written by then is kept. */
export class Cancelled extends Error {}

interface UploadOptions {
  /** in bytes */
  readonly onProgress: (sent: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Sends a form and reports progress, which only XMLHttpRequest can do. The server checks the token before it reads the body, so a request
 * with an expired token fails at once and is sent again with a new token.
 */
export function upload<O extends DataId>(operation: O, given: Given<Operations[O]>, options: UploadOptions): Promise<Answer<Operations[O]>>;
export function upload(operation: DataId, given: AnyGiven, options: UploadOptions): Promise<unknown> {
  return once(operation, given, async (more = {}) => {
    try {
      return await send(operation, given, options, more);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401 || !(await renew())) throw error;
      return send(operation, given, options, more);
    }
  });
}

async function send(
  operation: DataId,
  given: AnyGiven,
  { onProgress, signal }: UploadOptions,
  more: Readonly<Record<string, string>>,
): Promise<unknown> {
  if (signal?.aborted) throw new Cancelled("cancelled before it started");
  const request = new XMLHttpRequest();
  request.open(methodOf(operation), urlOf(operation, given));
  request.setRequestHeader("authorization", `Bearer ${me().token}`);
  for (const [name, value] of Object.entries(more)) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
  signal?.addEventListener("abort", () => request.abort(), { once: true });
  await new Promise<void>((resolve, reject) => {
    request.onload = () => resolve();
    request.onerror = () => reject(new Unreachable("no answer"));
    request.onabort = () => reject(new Cancelled("cancelled"));
    request.send(formOf(given.body ?? {}));
  });
  return answerOf(request);
}

function answerOf(request: XMLHttpRequest): unknown {
  const body = parsed(request.responseText);
  if (request.status >= 200 && request.status < 300) return body.data;
  const headers = ["x-request-id", "x-error-code", "retry-after"].flatMap((name): [string, string][] => {
    const value = request.getResponseHeader(name);
    return value === null ? [] : [[name, value]];
  });
  throw new ApiError(new Response(null, { status: request.status, headers }), body);
}

function parsed(text: string): { readonly data?: unknown } & ConstructorParameters<typeof ApiError>[1] {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // An error page of a proxy, or an incomplete answer.
    throw new Unreachable("incomplete answer", { cause });
  }
}
