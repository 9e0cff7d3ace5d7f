import { signal } from "@preact/signals";
import type { Linked } from "./boot.ts";
import { dataOf, passes, reach, waitAfter } from "./http.ts";
import { locale } from "./i18n/i18n.ts";
import { store, stored } from "./storage.ts";
import { tellTrouble, trouble } from "./trouble.ts";

/** The token, who renews it, and every call that is made with it. */

const { block, session, secret } = window.boot;
let { envelope_id } = window.boot;

/** Kept in memory; in a window of its own also where a reload finds it. */
export const token = signal<string | null>(window.boot.token);

export const slug = block.slug ?? null;
export const isFramed = window !== window.parent;
/** Where a new token can come from: the link itself, or the host. */
export const canStay = slug !== null || isFramed;

interface Call {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** the page is being left: the browser sends it all the same */
  readonly keepalive?: boolean;
}

function request(method: string, path: string, { body, headers, ...more }: Call = {}): Promise<Response> {
  return fetch(`/api/v2/embed/${WIDGET}/${envelope_id}${path}`, {
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
async function heard<T>(asked: Promise<Response>): Promise<T> {
  const data = await dataOf<T>(asked);
  trouble.value = null;
  return data;
}

export const call = <T>(method: string, path: string, options?: Call): Promise<T> => heard<T>(request(method, path, options));

/** For an answer whose data is not all. */
export const callForAnswer = (path: string): Promise<Response> => request("GET", path);

export const callFor = async (path: string): Promise<Blob> => (await reach(request("GET", path))).blob();

export const inLanguage = (path: string): string => `${path}?lang=${locale.value}`;

/**
 * What the service says under a path, however often it takes to hear it; throws what asking again does not change. `first`: asked for
 * before this script was there. The path is named anew each time: it may hold the language.
 */
export async function hear<T>(first: Promise<Response> | null, path: () => string): Promise<T> {
  for (let attempt = 0, asked = first; ; attempt++, asked = null) {
    let used = token.value;
    try {
      if (asked === null && used === null && slug !== null) await renewByLink();
      used = token.value;
      const data = await heard<T>(asked ?? request("GET", path()));
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

const aboutLink = (what: "token" | "send", body: object): Promise<Response> =>
  fetch(`/api/v2/embed/links/${slug}/${what}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** The link gives another token, as often as it is asked. `first`: asked for before this script was there. */
export async function renewByLink(first: Promise<Response> | null = null): Promise<void> {
  const linked = await dataOf<Linked>(first ?? aboutLink("token", secret === null ? {} : { secret }));
  envelope_id = linked.envelope_id;
  takeToken(linked.token);
}

/** To the signer's own address; the service does not say whether there was anything to send. */
export const sendNewLink = async (): Promise<void> => void (await reach(aboutLink("send", {})));

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
