import type { Role, SessionTokens } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { ApiError, readData } from "../http.ts";
import type { Answer } from "../operation.ts";
import { methodOf, type Operations, type PlainId, urlOf } from "./operations.ts";

/** Who is logged in. The token is kept in memory only; scripts cannot read the cookie that renews it. */

/** undefined: not known yet; null: signed out */
export const session = signal<SessionTokens | null | undefined>(undefined);

/** The session ended while the user was working. The page stays as it is and continues after they log in again. */
export const isEnded = signal(false);

/** Another tab switched to another organization or user. Nothing from this tab may be written there. */
export const otherSession = signal<SessionTokens | null>(null);

/** The current session. Only call it where a user is logged in. */
export function me(): SessionTokens {
  const now = session.value;
  if (now === null || now === undefined) throw new Error("no user is logged in");
  return now;
}

const ranks: Record<Role, number> = { custodian: 0, viewer: 1, member: 2, admin: 3 };
export const hasRole = (least: Role): boolean => ranks[session.value?.role ?? "custodian"] >= ranks[least];

/** A custodian sees only the records that they keep, and only the screens about them. */
export const isCustodian = (): boolean => session.value?.role === "custodian";
/** Viewers cannot start, accept or cancel transfers of custody. */
export const mayTransferCustody = (): boolean => isCustodian() || hasRole("member");

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
  const left_ms = new Date(expires_at).getTime() - Date.now();
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

export async function logIn(email: string, password: string, org_id?: string): Promise<void> {
  startSession(await post("log_in", { email, password, ...(org_id !== undefined && { org_id }) }));
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
  return readData(fetch(urlOf(operation), { method: methodOf(operation), headers, body: JSON.stringify(body) }));
}
