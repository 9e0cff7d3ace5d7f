import { type ApiResponse, Call, toApiResponse } from "./call.ts";
import { Download } from "./download.ts";
import { type Body, type FormParts, formBody, jsonBody } from "./files.ts";
import { headerValue } from "./header.ts";
import type { ConditionalOptions, IdempotentOptions } from "./options.ts";
import { List, type Page } from "./pager.ts";
import { parseBody } from "./parse-body.ts";
import { nameOf, type Transport, type WireRequest, type WireResponse } from "./transport.ts";

export type Operation = readonly [method: string, path: string];

/** The arguments of a resource method. */
export interface CallInput {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: object;
  readonly body?: object | undefined;
  readonly form?: FormParts;
  /** whether the operation supports an Idempotency-Key */
  readonly idempotent?: boolean;
  readonly options: IdempotentOptions & ConditionalOptions;
}

/** Turns the arguments of resource methods into requests, and responses into data. */
export class Caller {
  readonly transport: Transport;

  constructor(transport: Transport) {
    this.transport = transport;
  }

  data<T>(operation: Operation, input: CallInput): Call<T> {
    return new Call(this.#json(operation, input, (body) => body?.data as T));
  }

  list<T>(operation: Operation, { key, ...input }: CallInput & { readonly key: string | null }): List<T> {
    const pageOf = (query: object | undefined) => this.#json(operation, { ...input, ...(query && { query }) }, (body) => body as Page<T>);
    return new List(pageOf(input.query), key, async (page, limit) => (await pageOf({ ...input.query, page, limit })).data);
  }

  file<T>(operation: Operation, input: CallInput): Call<Download<T>> {
    return new Call(this.#download(operation, input));
  }

  /** The raw response, which may be a 304. */
  async send([method, path]: Operation, input: CallInput, isDownload = false): Promise<WireResponse> {
    return this.transport.send(await requestOf(method, path, input, isDownload));
  }

  async #json<T>(
    operation: Operation,
    input: CallInput,
    dataOf: (body: { readonly data: unknown } | undefined) => T,
  ): Promise<ApiResponse<T>> {
    const { response, text } = await this.send(operation, input);
    const body = response.status === 304 ? undefined : parseBody(operation.join(" "), response, text);
    return toApiResponse(dataOf(body), response);
  }

  async #download<T>([method, path]: Operation, input: CallInput): Promise<ApiResponse<Download<T>>> {
    const request = await requestOf(method, path, input, true);
    const { response, ended } = await this.transport.send(request);
    return toApiResponse(new Download<T>(nameOf(request), response, ended), response);
  }
}

async function requestOf(method: string, path: string, input: CallInput, isDownload: boolean): Promise<WireRequest> {
  const { idempotencyKey, ifMatch, headers, signal, timeoutMs, maxRetries } = input.options;
  const isIdempotent = input.idempotent === true;
  return {
    method,
    path: fillPath(path, input.params ?? {}) + queryOf(input.query ?? {}),
    headers: {
      // All attempts share one key, by which the service recognizes them as one request.
      ...(isIdempotent && { "idempotency-key": headerValue("idempotencyKey", idempotencyKey ?? crypto.randomUUID()) }),
      ...(ifMatch !== undefined && { "if-match": headerValue("ifMatch", ifMatch) }),
      ...Object.fromEntries(Object.entries(headers ?? {}).map(([name, value]) => [name, headerValue(`the header ${name}`, value)])),
    },
    body: await requestBodyOf(input),
    isIdempotent,
    isDownload,
    signal,
    timeoutMs,
    maxRetries,
  };
}

async function requestBodyOf({ body, form }: CallInput): Promise<Body | null> {
  if (body === undefined) return null;
  const values = body as Readonly<Record<string, unknown>>;
  const isForm = form !== undefined && (form.only || form.files.some((name) => values[name] !== undefined));
  return isForm ? formBody(values, form) : jsonBody(body);
}

/** Rejects an empty ID, which would call the list operation instead, and `.` and `..`, which would change the path. */
function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = params[name];
    if (value === undefined || value === "") throw new TypeError(`${name} is required`);
    if (value === "." || value === "..") throw new TypeError(`${name} must be an ID; it is "${value}"`);
    return encodeURIComponent(value);
  });
}

function queryOf(query: object): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const text = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)])).toString();
  return text === "" ? "" : `?${text}`;
}
