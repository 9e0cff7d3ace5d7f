import { Refusal, reach, Unreachable } from "../http.ts";
import { me, renew } from "./session.ts";

/** The public API with the session's token: the console can do nothing that a partner's program cannot. */

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface Page<T> {
  readonly data: readonly T[];
  readonly meta: { readonly page: number; readonly limit: number; readonly total: number };
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export const urlOf = (path: string, query: Query = {}): string => {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return `/api/v2${path}${search === "" ? "" : `?${search}`}`;
};

/** Everything goes through here: with a token that ended meanwhile, once more with a new one. */
async function request(method: Method, url: string, init: RequestInit = {}): Promise<Response> {
  const send = () =>
    reach(fetch(url, { ...init, method, headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${me().token}` } }));
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401 || !(await renew())) throw error;
    return send();
  }
}

async function jsonOf<T>(response: Response): Promise<T> {
  return response.json().catch((cause: unknown) => {
    throw new Unreachable("half an answer", { cause });
  });
}

export async function get<T>(path: string, query?: Query): Promise<T> {
  return (await jsonOf<{ data: T }>(await request("GET", urlOf(path, query)))).data;
}

export async function list<T>(path: string, query?: Query): Promise<Page<T>> {
  return jsonOf<Page<T>>(await request("GET", urlOf(path, query)));
}

/** All pages of a list that is known to be short; `most` says how short. */
export async function listAll<T>(path: string, query: Query = {}, most = 1_000): Promise<readonly T[]> {
  const found: T[] = [];
  for (let page = 1; ; page++) {
    const { data, meta } = await list<T>(path, { ...query, page, limit: 100 });
    found.push(...data);
    if (data.length === 0 || found.length >= Math.min(meta.total, most)) return found;
  }
}

interface Sent {
  /** JSON, or a form */
  readonly body?: unknown;
  readonly query?: Query;
  /** what makes a repeated POST the same one */
  readonly idempotencyKey?: string;
}

export async function send<T>(method: Exclude<Method, "GET">, path: string, { body, query, idempotencyKey }: Sent = {}): Promise<T> {
  const isForm = body instanceof FormData;
  const headers = {
    ...(body !== undefined && !isForm && { "content-type": "application/json" }),
    ...(idempotencyKey !== undefined && { "idempotency-key": idempotencyKey }),
  };
  const sent = body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) };
  return (await jsonOf<{ data: T }>(await request(method, urlOf(path, query), { headers, ...sent }))).data;
}

/** A file as it is, with the name that the service gives it. */
export async function file(path: string, query?: Query): Promise<{ readonly blob: Blob; readonly name: string | null }> {
  const response = await request("GET", urlOf(path, query));
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
  return { blob: await response.blob(), name: named?.[1] ?? null };
}

/** Asked again and again: null while nothing has changed since `tag`. */
export async function getIfChanged<T>(path: string, tag: string | null): Promise<{ readonly data: T; readonly tag: string | null } | null> {
  const headers: Record<string, string> = { authorization: `Bearer ${me().token}`, ...(tag !== null && { "if-none-match": tag }) };
  const response = await fetch(urlOf(path), { headers }).catch((cause: unknown) => {
    throw new Unreachable("no answer", { cause });
  });
  if (response.status === 304) return null;
  if (response.status === 401 && (await renew())) return getIfChanged(path, tag);
  const { data } = await jsonOf<{ data: T }>(await reach(Promise.resolve(response)));
  return { data, tag: response.headers.get("etag") };
}
