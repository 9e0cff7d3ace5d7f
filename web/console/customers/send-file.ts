import { Refusal, Unreachable } from "../../http.ts";
import { urlOf } from "../api.ts";
import { me, renew } from "../session.ts";
import type { Upload } from "./api.ts";

export interface Progress {
  readonly sent_bytes: number;
  readonly total_bytes: number;
}

/** Somebody stopped it: what the service had written by then stays. */
export class Cancelled extends Error {}

/**
 * The file goes by XMLHttpRequest, which alone tells how many bytes went out. The service reads no faster than it writes the rows, so that
 * is honest. The token is renewed first: a long upload cannot be sent a second time because it ended meanwhile.
 */
export async function sendFile(file: File, onProgress: (progress: Progress) => void, signal: AbortSignal): Promise<Upload> {
  if (!(await renew())) throw new Cancelled("nobody is signed in any more");
  if (signal.aborted) throw new Cancelled("cancelled before it began");
  const form = new FormData();
  form.append("file", file);
  const request = new XMLHttpRequest();
  request.open("POST", urlOf("/customers/bulk"));
  request.setRequestHeader("authorization", `Bearer ${me().token}`);
  request.upload.onprogress = ({ loaded, total }) => onProgress({ sent_bytes: loaded, total_bytes: total });
  signal.addEventListener("abort", () => request.abort(), { once: true });
  await new Promise<void>((resolve, reject) => {
    request.onload = () => resolve();
    request.onerror = () => reject(new Unreachable("no answer"));
    request.onabort = () => reject(new Cancelled("cancelled"));
    request.send(form);
  });
  return answerOf(request);
}

function answerOf(request: XMLHttpRequest): Upload {
  const body = parsed(request.responseText);
  if (request.status >= 200 && request.status < 300) return body.data;
  const headers = ["x-request-id", "retry-after"].flatMap((name) => {
    const value = request.getResponseHeader(name);
    return value === null ? [] : [[name, value] as [string, string]];
  });
  throw new Refusal(new Response(null, { status: request.status, headers }), body);
}

function parsed(text: string) {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Unreachable("half an answer", { cause });
  }
}
