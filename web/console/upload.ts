import { Refusal, Unreachable } from "../http.ts";
import { urlOf } from "./api.ts";
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
export async function upload<T>(path: string, form: FormData, uploading: Uploading): Promise<T> {
  try {
    return await sendOnce<T>(path, form, uploading);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401 || !(await renew())) throw error;
    return sendOnce<T>(path, form, uploading);
  }
}

async function sendOnce<T>(path: string, form: FormData, { onProgress, signal }: Uploading): Promise<T> {
  if (signal?.aborted) throw new Cancelled("cancelled before it began");
  const request = new XMLHttpRequest();
  request.open("POST", urlOf(path));
  request.setRequestHeader("authorization", `Bearer ${me().token}`);
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
  signal?.addEventListener("abort", () => request.abort(), { once: true });
  await new Promise<void>((resolve, reject) => {
    request.onload = () => resolve();
    request.onerror = () => reject(new Unreachable("no answer"));
    request.onabort = () => reject(new Cancelled("cancelled"));
    request.send(form);
  });
  return answerOf<T>(request);
}

function answerOf<T>(request: XMLHttpRequest): T {
  const body = parsed(request.responseText);
  if (request.status >= 200 && request.status < 300) return body.data as T;
  const headers = ["x-request-id", "retry-after"].flatMap((name): [string, string][] => {
    const value = request.getResponseHeader(name);
    return value === null ? [] : [[name, value]];
  });
  throw new Refusal(new Response(null, { status: request.status, headers }), body);
}

function parsed(text: string): { data?: unknown; error?: string; details?: Refusal["details"] } {
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A proxy's page, or half of an answer.
    throw new Unreachable("half an answer", { cause });
  }
}
