import { Refusal, Unreachable } from "../../http.ts";
import { urlOf } from "../api.ts";
import { me, renew } from "../session.ts";

/** Sends a form and tells how much of it is gone: XMLHttpRequest alone reports that. Once more with a new token if this one ended meanwhile. */
export async function upload<T>(path: string, form: FormData, onSent: (share: number) => void): Promise<T> {
  try {
    return await attempt<T>(path, form, onSent);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401 || !(await renew())) throw error;
    return attempt<T>(path, form, onSent);
  }
}

function attempt<T>(path: string, form: FormData, onSent: (share: number) => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", urlOf(path));
    request.setRequestHeader("authorization", `Bearer ${me().token}`);
    request.upload.onprogress = ({ loaded, total }) => onSent(total === 0 ? 0 : loaded / total);
    request.onerror = () => reject(new Unreachable("no answer"));
    request.onload = () => {
      const body = bodyOf(request.responseText);
      if (request.status < 300 && body !== null) resolve(body.data as T);
      else reject(request.status < 300 ? new Unreachable("half an answer") : new Refusal(answerOf(request), body ?? {}));
    };
    request.send(form);
  });
}

interface Body {
  readonly data?: unknown;
  readonly error?: string;
  readonly details?: Refusal["details"];
}

function bodyOf(text: string): Body | null {
  try {
    return JSON.parse(text) as Body;
  } catch {
    // A proxy's page, or nothing: the status says what there is to say.
    return null;
  }
}

function answerOf(request: XMLHttpRequest): Response {
  const named = ["x-request-id", "retry-after"].flatMap((name): [string, string][] => {
    const value = request.getResponseHeader(name);
    return value === null ? [] : [[name, value]];
  });
  return new Response(null, { status: request.status, headers: named });
}
