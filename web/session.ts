import type { CreateLinkTokenRequest, LinkToken } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { answerOf, dataOf, passes, reach, waitAfter } from "./http.ts";
import { store, stored } from "./storage.ts";
import { tellTrouble, trouble } from "./trouble.ts";
import type { AddressOf, Sending } from "./widget-operations.ts";

/** The token, who renews it, and every call that is made with it. */

const { block, session, secret } = window.boot;
let { envelope_id } = window.boot;

/** Kept in memory; in a window of its own also where a reload finds it. */
export const token = signal<string | null>(window.boot.token);

export const slug = block.slug ?? null;
export const isFramed = window !== window.parent;
/** Where a new token can come from: the link itself, or the host. */
export const canStay = slug !== null || isFramed;

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
    // Of nothing it makes nothing, which is no body.
    body: JSON.stringify(body),
  });
}

/** Whatever was in the way is over once something was heard. */
async function heard(asked: Promise<Response>): Promise<never> {
  const data = await dataOf<never>(asked);
  trouble.value = null;
  return data;
}

// What they answer has no type until the `api.ts` of each page gives it that of its operations.
export const call = (operation: string, given?: Given): Promise<never> => heard(request(operation, given));

export const callForPage = (operation: string, given?: Given): Promise<never> => answerOf(reach(request(operation, given)));

export const callForFile = async (operation: string, given?: Given): Promise<Blob> => (await reach(request(operation, given))).blob();

/**
 * What the service answers, however often it takes to hear it; throws what asking again does not change. `first`: asked for before this
 * script was there.
 */
export async function hear(first: Promise<Response> | null, operation: string, given?: () => Given): Promise<never> {
  for (let attempt = 0, asked = first; ; attempt++, asked = null) {
    let used = token.value;
    try {
      if (asked === null && used === null && slug !== null) await renewByLink();
      used = token.value;
      const data = await heard(asked ?? request(operation, given?.()));
      // What the token before was told is perhaps not for whoever is here now.
      if (token.value === used) return data;
    } catch (error) {
      // Nor does what became of it say anything about the new one.
      if (token.value !== used) continue;
      if (!passes(error)) throw error;
      tellTrouble(error);
      await new Promise((resolve) => setTimeout(resolve, waitAfter(error, attempt)));
    }
  }
}

/** Another token for the same page; where it came from is the caller's affair. */
export function takeToken(fresh: string): void {
  token.value = fresh;
  // The page of a link keeps its secret instead.
  if (!isFramed && slug === null) store(`token ${envelope_id}`, fresh);
}

const aboutLink = (address: AddressOf<"create_link_token" | "send_new_link">, body: CreateLinkTokenRequest): Promise<Response> =>
  fetch(address, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** The link gives another token, as often as it is asked. `first`: asked for before this script was there. */
export async function renewByLink(first: Promise<Response> | null = null): Promise<void> {
  const linked = await dataOf<LinkToken>(first ?? aboutLink(`/api/v2/embed/links/${slug}/token`, secret === null ? {} : { secret }));
  envelope_id = linked.envelope_id;
  takeToken(linked.token);
}

/** To the signer's own address; the service does not say whether there was anything to send. */
export const sendNewLink = async (): Promise<void> => void (await reach(aboutLink(`/api/v2/embed/links/${slug}/send`, {})));

/** A link in another mail was opened in this window. */
export function takeSecret(fresh: string): void {
  store(`secret ${slug}`, fresh);
  location.reload();
}

/** Nothing more is done here: a reload must not go on with it. */
export const forgetToken = (): void => store(`token ${envelope_id}`, null);

export const hasChosenLanguage = (): boolean => stored("lang") !== null;

/** Only this window's: the choice of somebody on a shared computer is not the next one's. */
export const keepLanguage = (chosen: string): void => store("lang", chosen);

export const idempotencyKey = (revision: number): Readonly<Record<string, string>> => ({ "idempotency-key": `${session}-${revision}` });
