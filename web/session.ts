import type { CreateLinkTokenRequest, LinkToken } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { expectOk, isTemporary, readData, readJson, retryDelayMs } from "./http.ts";
import { store, stored } from "./storage.ts";
import { showTrouble, trouble } from "./trouble.ts";
import type { AddressOf, Sending } from "./widget-operations.ts";

/** The token, its renewal, and all calls that use it. */

const { block, session, secret } = window.boot;
let { envelope_id } = window.boot;

/** Kept in memory, and for top-level pages also in the session storage for reloads. */
export const token = signal<string | null>(window.boot.token);

export const slug = block.slug ?? null;
export const isFramed = window !== window.parent;
/** Whether the session can be renewed: by the signing link or by the host. */
export const canRenew = slug !== null || isFramed;

interface Given extends Sending {
  readonly query?: Readonly<Record<string, string | number | null | undefined>>;
  readonly body?: unknown;
}

/** `operation`: method and path below the record, as `POST /consent`. */
function request(operation: string, { query, body, headers, ...more }: Given = {}): Promise<Response> {
  const [method = "", path = ""] = operation.split(" ");
  const asked = Object.entries(query ?? {}).map(([name, value]) => `${name}=${value}`);
  return fetch(`/api/v2/embed/${WIDGET}/${envelope_id}${path}${asked.length > 0 ? `?${asked.join("&")}` : ""}`, {
    ...more,
    method,
    headers: {
      authorization: `Bearer ${token.value}`,
      "x-signing-session": session,
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    // undefined stays undefined, which sends no body.
    body: JSON.stringify(body),
  });
}

/** An answer means that connection problems are over. */
async function readAndClearTrouble(asked: Promise<Response>): Promise<never> {
  const data = await readData<never>(asked);
  trouble.value = null;
  return data;
}

// Untyped here: the `api.ts` of each page adds the types of its operations.
export const call = (operation: string, given?: Given): Promise<never> => readAndClearTrouble(request(operation, given));

export const callForPage = (operation: string, given?: Given): Promise<never> => readJson(expectOk(request(operation, given)));

export const callForFile = async (operation: string, given?: Given): Promise<Blob> => (await expectOk(request(operation, given))).blob();

/**
 * Calls the service and retries until it answers. Throws errors that retrying cannot change. `first`: a request that the boot script has
 * already sent.
 */
export async function callUntilAnswered(first: Promise<Response> | null, operation: string, given?: () => Given): Promise<never> {
  for (let attempt = 0, asked = first; ; attempt++, asked = null) {
    let used = token.value;
    try {
      if (asked === null && used === null && slug !== null) await renewByLink();
      used = token.value;
      const data = await readAndClearTrouble(asked ?? request(operation, given?.()));
      // The answer may belong to another person if the token has changed in the meantime.
      if (token.value === used) return data;
    } catch (error) {
      // An error of the old token says nothing about the new one.
      if (token.value !== used) continue;
      if (!isTemporary(error)) throw error;
      showTrouble(error);
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs(error, attempt)));
    }
  }
}

/** Sets a new token for the same page. */
export function setToken(fresh: string): void {
  token.value = fresh;
  // The page of a signing link stores its secret instead.
  if (!isFramed && slug === null) store(`token ${envelope_id}`, fresh);
}

export const postToLink = (address: AddressOf<"create_link_token" | "send_new_link">, body: CreateLinkTokenRequest): Promise<Response> =>
  fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Exchanges the signing link for a new token. `first`: a request that the boot script has already sent. */
export async function renewByLink(first: Promise<Response> | null = null): Promise<void> {
  const linked = await readData<LinkToken>(first ?? postToLink(`/api/v2/embed/links/${slug}/token`, secret === null ? {} : { secret }));
  envelope_id = linked.envelope_id;
  setToken(linked.token);
}

/** A newer link of the same signer was opened in this window. */
export function replaceSecret(fresh: string): void {
  store(`secret ${slug}`, fresh);
  location.reload();
}

/** The ceremony is over, so a reload must not continue with the token. */
export const forgetToken = (): void => store(`token ${envelope_id}`, null);

/** The same for a visit by a signing link: its secret is dropped too. */
export function forgetVisit(): void {
  forgetToken();
  store(`secret ${slug}`, null);
  token.value = null;
}

export const hasChosenLanguage = (): boolean => stored("lang") !== null;

/** Stored for this window only, because computers may be shared. */
export const storeLanguage = (chosen: string): void => store("lang", chosen);

export const idempotencyKey = (revision: number): Readonly<Record<string, string>> => ({ "idempotency-key": `${session}-${revision}` });
