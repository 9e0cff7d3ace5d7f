import { Refusal, Unreachable } from "../http.ts";
import type { Answer, Given } from "../operation.ts";
import { formOf } from "./api.ts";
import { type AnyGiven, type DataId, methodOf, type Operations, urlOf } from "./operations.ts";
import { me, renew } from "./session.ts";

/** Somebody stopped it: what the service had written by then stays. */
export class Cancelled extends Error {}

interface Uploading {
  /** how many bytes of how many went out */
  readonly onProgress: (sent: number, total: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Sends a form and tells how far it is, which of all that a browser has XMLHttpRequest alone does. Who sends it is looked at before its
 * body is read: with a token that ended meanwhile it is refused at once, and sent again with a new one.
 */
export function upload<O extends DataId>(operation: O, given: Given<Operations[O]>, uploading: Uploading): Promise<Answer<Operations[O]>>;
export async function upload(operation: DataId, given: AnyGiven, uploading: Uploading): Promise<unknown> {
  try {
    return await sendOnce(operation, given, uploading);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401 || !(await renew())) throw error;
    return sendOnce(operation, given, uploading);
  }
}

async function sendOnce(operation: DataId, given: AnyGiven, { onProgress, signal }: Uploading): Promise<unknown> {
  if (signal?.aborted) throw new Cancelled("cancelled before it began");
  const request = new XMLHttpRequest();
  request.open(methodOf(operation), urlOf(operation, given));
  request.setRequestHeader("authorization", `Bearer ${me().token}`);
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
  const headers = ["x-request-id", "retry-after"].flatMap((name): [string, string][] => {
    const value = request.getResponseHeader(name);
    return value === null ? [] : [[name, value]];
  });
  throw new Refusal(new Response(null, { status: request.status, headers }), body);
}

function parsed(text: string): { readonly data?: unknown } & ConstructorParameters<typeof Refusal>[1] {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A proxy's page, or half of an answer.
    throw new Unreachable("half an answer", { cause });
  }
}
