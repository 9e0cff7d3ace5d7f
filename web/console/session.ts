import { signal } from "@preact/signals";
import { dataOf, Refusal } from "../http.ts";

/** Who is signed in. The token is in memory alone; the cookie that renews it no script can read. */

export type Role = "admin" | "member" | "viewer";

export interface SignedIn {
  readonly token: string;
  readonly expires_at: string;
  readonly user: { readonly user_id: string; readonly email: string; readonly name: string };
  readonly org: { readonly org_id: string; readonly name: string };
  readonly role: Role;
}

/** undefined: not known yet */
export const session = signal<SignedIn | null | undefined>(undefined);

/** The one who is signed in; for what is only shown to them. */
export function me(): SignedIn {
  const now = session.value;
  if (now === null || now === undefined) throw new Error("nobody is signed in");
  return now;
}

const ranks: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };
export const may = (least: Role): boolean => ranks[session.value?.role ?? "viewer"] >= ranks[least];

// Only says that asking is worth while: to ask without the cookie would count as a refused log-in.
const KNOWN = "countersign signed in";

export function take(signed: SignedIn): void {
  session.value = signed;
  localStorage.setItem(KNOWN, "1");
  renewInTime(signed);
}

function forget(): void {
  session.value = null;
  localStorage.removeItem(KNOWN);
  clearTimeout(timer);
}

// What is left is time enough for a slow answer.
const RENEWED_AT = 0.8;
let timer: ReturnType<typeof setTimeout> | undefined;

function renewInTime({ expires_at }: SignedIn): void {
  clearTimeout(timer);
  const left_ms = new Date(expires_at).getTime() - Date.now();
  timer = setTimeout(() => void renew().catch(() => undefined), Math.max(1_000, left_ms * RENEWED_AT));
}

let renewing: Promise<boolean> | null = null;

/** False: somebody has to sign in again. Throws when nobody answered. */
export function renew(org_id?: string): Promise<boolean> {
  renewing ??= alone(() => askAnew(org_id)).finally(() => (renewing = null));
  return renewing;
}

async function askAnew(org_id: string | undefined): Promise<boolean> {
  try {
    take(await post<SignedIn>("/auth/refresh", org_id === undefined ? {} : { org_id }));
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.passes) throw error;
    forget();
    return false;
  }
}

/** Each token can be spent once: two tabs that spend the same one would look like a thief, and both be signed out. */
const alone = <T>(act: () => Promise<T>): Promise<T> => navigator.locks?.request("countersign refresh", act) ?? act();

export async function resume(): Promise<void> {
  if (localStorage.getItem(KNOWN) === null) session.value = null;
  else await renew();
}

export async function signIn(email: string, password: string): Promise<void> {
  take(await post<SignedIn>("/auth/login", { email, password }));
}

export async function signOut(): Promise<void> {
  const token = session.value?.token;
  await post("/auth/logout", {}, token);
  forget();
}

/** Calls that need nobody to be signed in. */
export function post<T>(path: string, body: unknown, token?: string): Promise<T> {
  const headers = { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  return dataOf<T>(fetch(`/api/v2${path}`, { method: "POST", headers, body: JSON.stringify(body) }));
}
