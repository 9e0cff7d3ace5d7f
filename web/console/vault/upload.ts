import { Refusal, Unreachable } from "../../http.ts";
import { urlOf } from "../api.ts";
import { me, renew } from "../session.ts";

type OnProgress = (sent: number, total: number) => void;

/** Sends a form and tells how far it is, which of all that a browser has only XMLHttpRequest does. */
export async function upload<T>(path: string, form: FormData, onProgress: OnProgress): Promise<T> {
  try {
    return await sendOnce<T>(path, form, onProgress);
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401 || !(await renew())) throw error;
    return sendOnce<T>(path, form, onProgress);
  }
}

function sendOnce<T>(path: string, form: FormData, onProgress: OnProgress): Promise<T> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", urlOf(path));
    request.setRequestHeader("authorization", `Bearer ${me().token}`);
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
    request.onerror = () => reject(new Unreachable("no answer"));
    request.onload = () => {
      const body = jsonOf(request.responseText);
      if (body === null) return reject(new Unreachable("half an answer"));
      if (request.status >= 200 && request.status < 300) return resolve(body.data as T);
      const headers = { "x-request-id": request.getResponseHeader("x-request-id") ?? "" };
      reject(new Refusal(new Response(null, { status: request.status, headers }), body));
    };
    request.send(form);
  });
}

function jsonOf(text: string): { data?: unknown; error?: string; details?: Refusal["details"] } | null {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
