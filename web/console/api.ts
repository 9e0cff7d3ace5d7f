import { ApiError, expectOk, readJson, Unreachable } from "../http.ts";
import type { Answer, Arguments, Given, Page, PageOf } from "../operation.ts";
import { type AnyGiven, type DataId, type FileId, type ListId, methodOf, type OperationId, type Operations, urlOf } from "./operations.ts";
import { noteServerTime } from "./server-now.ts";
import { confirmIdentity, me, renew } from "./session.ts";

/** Calls the public API with the session's token. The types of a call come from its operation. */

const authorization = () => ({ authorization: `Bearer ${me().token}` });

/** Sends a request. If the token has expired, or the user must confirm who they are, that comes first and the request is sent once more. */
export async function request(operation: OperationId, given: AnyGiven, more: Readonly<Record<string, string>> = {}): Promise<Response> {
  const { headers, ...sent } = bodyOf(given.body);
  const send = async () => {
    const init = { ...sent, method: methodOf(operation), headers: { ...headers, ...more, ...authorization() } };
    return noteServerTime(await expectOk(fetch(urlOf(operation, given), init)));
  };
  try {
    return await send();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (/^(re|enroll).*_required/.test(error.code)) {
      if (!(await confirmIdentity(error.code))) throw error;
      return send();
    }
    // The role may have changed while the page was open. The menu, the buttons and the words of the error follow it.
    if (error.status === 403) await renew().catch(() => false);
    if (error.status !== 401 || !(await renew())) throw error;
    return send();
  }
}

function bodyOf(body: object | undefined): { readonly body?: BodyInit; readonly headers?: Readonly<Record<string, string>> } {
  if (body === undefined) return {};
  if (hasFile(body)) return { body: formOf(body) };
  return { body: JSON.stringify(body), headers: { "content-type": "application/json" } };
}

const hasFile = (body: object = {}): boolean => Object.values(body).some((value) => value instanceof Blob);

/** Files and strings are sent as they are, anything else as JSON. */
export function formOf(body: object): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(body)) {
    if (value !== undefined && value !== null)
      form.append(name, value instanceof Blob || typeof value === "string" ? value : JSON.stringify(value));
  }
  return form;
}

export function call<O extends DataId>(operation: O, ...given: Arguments<Given<Operations[O]>>): Promise<Answer<Operations[O]>>;
export function call(operation: DataId, given: AnyGiven = {}): Promise<unknown> {
  return once(operation, given, async (more) => (await readJson<{ data: unknown }>(request(operation, given, more))).data);
}

// Long enough to find the network again. Later, the same request means another one, for example a second reminder.
const SAME_MS = 10 * 60_000;
const unanswered = new Map<string, { readonly key: string; readonly at: number }>();

/** A preview of a signing page changes nothing. One of an e-mail may send it. */
const isAct = (operation: DataId): boolean => methodOf(operation) === "POST" && !/^preview_[et]/.test(operation);

/** What is deleted is gone, and the screens use nothing of the answer. A party may have to be asked instead. */
const deletesNow = (operation: DataId): boolean => methodOf(operation) === "DELETE" && operation !== "remove_party_person";

/** Files are the same if a browser says the same about them. If it is wrong, the service refuses the key of another file. */
const aboutFile = (_name: string, value: unknown): unknown =>
  value instanceof Blob ? [value.size, value.type, ...(value instanceof File ? [value.name, value.lastModified] : [])] : value;

/** A request that acts has a key. If its answer is lost, the same request gets the same key again, and the service acts once. */
export async function once<T>(
  operation: DataId,
  given: AnyGiven,
  send: (more?: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const deletes = deletesNow(operation);
  if (!isAct(operation) && !deletes) return send();
  const asked = JSON.stringify([operation, given], aboutFile);
  const lost = unanswered.get(asked);
  unanswered.delete(asked);
  const isSame = lost !== undefined && performance.now() - lost.at < SAME_MS;
  const key = isSame ? lost.key : crypto.getRandomValues(new Uint32Array(4)).join("-");
  try {
    return await send(deletes ? {} : { "idempotency-key": key });
  } catch (error) {
    // An earlier attempt deleted it.
    if (isSame && deletes && error instanceof ApiError && error.status === 404) return undefined as T;
    if (error instanceof Unreachable) unanswered.set(asked, { key, at: performance.now() });
    throw error;
  }
}

export function list<O extends ListId>(operation: O, ...given: Arguments<Given<Operations[O]>>): Promise<PageOf<Operations[O]>>;
export function list(operation: ListId, given: AnyGiven = {}): Promise<unknown> {
  return readJson(request(operation, given));
}

// `listAll` is for lists that are known to be short. It stops here.
const SHORT_LIST_MAX = 1_000;

/** All pages of a short list, up to 1,000 rows. */
export function listAll<O extends ListId>(operation: O, ...given: Arguments<Given<Operations[O]>>): Promise<PageOf<Operations[O]>["data"]>;
export function listAll(operation: ListId, given: AnyGiven = {}): Promise<readonly unknown[]> {
  return collect(operation, given, SHORT_LIST_MAX);
}

/** All pages, without a limit. */
export function listEvery<O extends ListId>(
  operation: O,
  ...given: Arguments<Given<Operations[O]>>
): Promise<PageOf<Operations[O]>["data"]>;
export function listEvery(operation: ListId, given: AnyGiven = {}): Promise<readonly unknown[]> {
  return collect(operation, given, Number.POSITIVE_INFINITY);
}

async function collect(operation: ListId, given: AnyGiven, most: number): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (let page = 1; ; page++) {
    const asked = request(operation, { ...given, query: { ...given.query, page, limit: 100 } });
    const { data, meta } = await readJson<Page<unknown>>(asked);
    found.push(...data);
    if (data.length === 0 || found.length >= Math.min(meta.total, most)) return found;
  }
}

interface FetchedFile {
  readonly blob: Blob;
  readonly name: string | null;
}

/** Fetches a file, with the name that the server gives it. */
export function file<O extends FileId>(operation: O, ...given: Arguments<Given<Operations[O]>>): Promise<FetchedFile>;
export async function file(operation: FileId, given: AnyGiven = {}): Promise<FetchedFile> {
  const response = await request(operation, given);
  const blob = await response.blob().catch((cause: unknown) => {
    throw new Unreachable("the file did not arrive completely", { cause });
  });
  return { blob, name: fileNameIn(response.headers.get("content-disposition") ?? "") };
}

/** The exact name if there is one; the other is in ASCII. */
function fileNameIn(disposition: string): string | null {
  const exact = /filename\*=UTF-8''([^;\s]+)/.exec(disposition)?.[1];
  return exact === undefined ? (/filename="([^"]+)"/.exec(disposition)?.[1] ?? null) : decodeURIComponent(exact);
}

/** For polling: null if nothing has changed since `tag`. */
export function getIfChanged<O extends DataId>(
  operation: O,
  given: Given<Operations[O]>,
  tag: string | null,
): Promise<{ readonly data: Answer<Operations[O]>; readonly tag: string | null } | null>;
export async function getIfChanged(
  operation: DataId,
  given: AnyGiven,
  tag: string | null,
): Promise<{ readonly data: unknown; readonly tag: string | null } | null> {
  const headers = { ...authorization(), ...(tag !== null && { "if-none-match": tag }) };
  const response = await fetch(urlOf(operation, given), { headers }).catch((cause: unknown) => {
    throw new Unreachable("no answer", { cause });
  });
  if (response.status === 304) return null;
  if (response.status === 401 && (await renew())) return getIfChanged(operation, given, tag);
  const { data } = await readJson<{ data: unknown }>(expectOk(Promise.resolve(response)));
  return { data, tag: response.headers.get("etag") };
}
