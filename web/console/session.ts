import type { Permission, SecondFactorRequired, SessionTokens } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { ApiError, readData } from "../http.ts";
import type { Answer } from "../operation.ts";
import { methodOf, type Operations, type PlainId, urlOf } from "./operations.ts";
import { noteServerTime, serverNow } from "./server-now.ts";

/** Who is logged in. The token is kept in memory only; scripts cannot read the cookie that renews it. */

/** undefined: not known yet; null: signed out */
export const session = signal<SessionTokens | null | undefined>(undefined);

/** The session ended while the user was working. The page stays as it is and continues after they log in again. */
export const isEnded = signal(false);

/** Another tab switched to another organization or user. Nothing from this tab may be written there. */
export const otherSession = signal<SessionTokens | null>(null);

/** The user must log in again or choose an organization first. Requests are refused until then. */
export const isInterrupted = (): boolean => isEnded.value || otherSession.value !== null;

export const isUnauthorized = (error: unknown): boolean => error instanceof ApiError && error.status === 401;

/** The current session. Only call it where a user is logged in. */
export function me(): SessionTokens {
  const now = session.value;
  if (now === null || now === undefined) throw new Error("no user is logged in");
  return now;
}

/** Whether the user's role allows it in this organization. Follows the role while the page is open. */
export const may = (permission: Permission): boolean => session.value?.permissions.includes(permission) ?? false;

/** The organization is a sandbox: what is done there is for tests. */
export const isTest = (): boolean => session.value?.mode === "test";

/** A custodian sees only the records that they keep, and only the screens about them. */
export const isCustodian = (): boolean => session.value?.role === "custodian";

// Marks that a refresh is worth trying. A refresh without the cookie would count as a failed login.
const KNOWN = "countersign signed in";
/** The fields that the user copied in the builder. */
export const COPIED_FIELDS = "countersign copied fields";

export function startSession(signed: SessionTokens): void {
  session.value = signed;
  isEnded.value = false;
  otherSession.value = null;
  localStorage.setItem(KNOWN, "1");
  renewInTime(signed);
}

/** Clears the session in this browser only. */
export function clearSession(): void {
  session.value = null;
  isEnded.value = false;
  otherSession.value = null;
  localStorage.removeItem(KNOWN);
  localStorage.removeItem(COPIED_FIELDS);
  clearTimeout(timer);
}

// Signing out in another tab signs out here too.
addEventListener("storage", ({ key, newValue }) => {
  if (key === KNOWN && newValue === null && session.peek() !== undefined) clearSession();
});

// As a share of the token's lifetime. The rest leaves time for a slow response.
const RENEWED_AT = 0.8;
let timer: ReturnType<typeof setTimeout> | undefined;

function renewInTime({ expires_at }: SessionTokens): void {
  clearTimeout(timer);
  const left_ms = new Date(expires_at).getTime() - serverNow();
  // If this fails, the next call that gets a 401 renews the token.
  timer = setTimeout(() => void renew().catch(() => undefined), Math.max(1_000, left_ms * RENEWED_AT));
}

let renewing: Promise<boolean> | null = null;

/** False: no longer the same user in the same organization; the page shows what to do. Throws if the server does not respond. */
export function renew(): Promise<boolean> {
  // Each refresh without a valid cookie would count as a failed login.
  if (isEnded.peek() || otherSession.peek() !== null) return Promise.resolve(false);
  renewing ??= withLock(refresh).finally(() => (renewing = null));
  return renewing;
}

async function refresh(): Promise<boolean> {
  const before = session.peek();
  try {
    const signed = await post("refresh_session", {});
    if (before !== null && before !== undefined && !isSame(before, signed)) {
      otherSession.value = signed;
      return false;
    }
    startSession(signed);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError) || error.isTemporary) throw error;
    if (before === null || before === undefined) clearSession();
    else isEnded.value = true;
    return false;
  }
}

const isSame = (one: SessionTokens, other: SessionTokens): boolean =>
  one.org.org_id === other.org.org_id && one.user.user_id === other.user.user_id;

/** A refresh token works once. Two tabs that used the same one at the same time would get different answers. */
const withLock = <T>(act: () => Promise<T>): Promise<T> => navigator.locks?.request("countersign refresh", act) ?? act();

export async function resume(): Promise<void> {
  if (localStorage.getItem(KNOWN) === null) session.value = null;
  else await renew();
}

/** Switches to another organization of the same user. */
export async function switchOrg(org_id: string): Promise<void> {
  startSession(await withLock(() => post("refresh_session", { org_id })));
}

/** What a dialog over the page asks for: the second step of a log-in, or, without `pending`, that the user confirms who they are. */
export interface Question {
  readonly pending: SecondFactorRequired | null;
  /** the refusal that needs it: the user must confirm who they are, or add a second factor first */
  readonly code?: string | undefined;
  /** null: the user cancelled */
  readonly answer: (signed: SessionTokens | null) => void;
}

export const question = signal<Question | null>(null);

const ask = (pending: SecondFactorRequired | null, code?: string): Promise<SessionTokens | null> =>
  new Promise((resolve) => {
    const answer = (signed: SessionTokens | null) => {
      question.value = null;
      resolve(signed);
    };
    question.value = { pending, code, answer };
  });

/** False: the user cancelled the second step. */
export async function logIn(email: string, password: string, org_id?: string): Promise<boolean> {
  const answered = await post("log_in", { email, password, ...(org_id !== undefined && { org_id }) });
  const signed = "token" in answered ? answered : await ask(answered);
  if (signed !== null) startSession(signed);
  return signed !== null;
}

let confirming: Promise<SessionTokens | null> | null = null;

/** Asks once, however many calls wait for it. False: the user cancelled. */
export async function confirmIdentity(code: string): Promise<boolean> {
  confirming ??= ask(null, code);
  const signed = await confirming;
  confirming = null;
  return signed !== null;
}

export async function logOut(): Promise<void> {
  const token = session.value?.token;
  await post("log_out", {}, token);
  clearSession();
}

/** Calls an operation that works without a session. */
export function post<O extends PlainId>(
  operation: O,
  body: NonNullable<Operations[O]["body"]>,
  token?: string,
): Promise<Answer<Operations[O]>> {
  const headers = { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  return readData(fetch(urlOf(operation), { method: methodOf(operation), headers, body: JSON.stringify(body) }).then(noteServerTime));
}
