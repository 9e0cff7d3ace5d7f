import type { Role, SessionTokens } from "@countersign/client/types";
import { signal } from "@preact/signals";
import { dataOf, Refusal } from "../http.ts";
import type { Answer } from "../operation.ts";
import { methodOf, type Operations, type PlainId, urlOf } from "./operations.ts";

/** Who is signed in. The token is in memory alone; the cookie that renews it no script can read. */

/** undefined: not known yet */
export const session = signal<SessionTokens | null | undefined>(undefined);

/** Over, while somebody works here: what is on the page stays, and goes on once they have signed in again. */
export const isEnded = signal(false);

/** Somebody went on to another organization, or signed in as another person, in another tab: nothing of this one may be written there. */
export const elsewhere = signal<SessionTokens | null>(null);

/** The one who is signed in; for what is only shown to them. */
export function me(): SessionTokens {
  const now = session.value;
  if (now === null || now === undefined) throw new Error("nobody is signed in");
  return now;
}

const ranks: Record<Role, number> = { viewer: 0, member: 1, admin: 2 };
export const may = (least: Role): boolean => ranks[session.value?.role ?? "viewer"] >= ranks[least];

// Only says that asking is worth while: to ask without the cookie would count as a refused log-in.
const KNOWN = "countersign signed in";

export function take(signed: SessionTokens): void {
  session.value = signed;
  isEnded.value = false;
  elsewhere.value = null;
  localStorage.setItem(KNOWN, "1");
  renewInTime(signed);
}

/** Nobody is signed in here any more, whatever the service knows. */
export function forget(): void {
  session.value = null;
  isEnded.value = false;
  elsewhere.value = null;
  localStorage.removeItem(KNOWN);
  clearTimeout(timer);
}

// Signed out in another tab: here, too.
addEventListener("storage", ({ key, newValue }) => {
  if (key === KNOWN && newValue === null && session.peek() !== undefined) forget();
});

// What is left is time enough for a slow answer.
const RENEWED_AT = 0.8;
let timer: ReturnType<typeof setTimeout> | undefined;

function renewInTime({ expires_at }: SessionTokens): void {
  clearTimeout(timer);
  const left_ms = new Date(expires_at).getTime() - Date.now();
  // What fails now is asked for again by the next call that is refused.
  timer = setTimeout(() => void renew().catch(() => undefined), Math.max(1_000, left_ms * RENEWED_AT));
}

let renewing: Promise<boolean> | null = null;

/** False: not the same person in the same organization any more; the page says what is to be done. Throws when nobody answered. */
export function renew(): Promise<boolean> {
  // To ask again and again without a cookie that works would count as so many refused log-ins.
  if (isEnded.peek() || elsewhere.peek() !== null) return Promise.resolve(false);
  renewing ??= alone(askAnew).finally(() => (renewing = null));
  return renewing;
}

async function askAnew(): Promise<boolean> {
  const before = session.peek();
  try {
    const signed = await post("refresh_session", {});
    if (before !== null && before !== undefined && !isSame(before, signed)) {
      elsewhere.value = signed;
      return false;
    }
    take(signed);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.passes) throw error;
    if (before === null || before === undefined) forget();
    else isEnded.value = true;
    return false;
  }
}

const isSame = (one: SessionTokens, other: SessionTokens): boolean =>
  one.org.org_id === other.org.org_id && one.user.user_id === other.user.user_id;

/** Each token can be spent once: two tabs that spend the same one at once would each get another answer. */
const alone = <T>(act: () => Promise<T>): Promise<T> => navigator.locks?.request("countersign refresh", act) ?? act();

export async function resume(): Promise<void> {
  if (localStorage.getItem(KNOWN) === null) session.value = null;
  else await renew();
}

/** Another organization of the same person. */
export async function move(org_id: string): Promise<void> {
  take(await alone(() => post("refresh_session", { org_id })));
}

export async function signIn(email: string, password: string, org_id?: string): Promise<void> {
  take(await post("log_in", { email, password, ...(org_id !== undefined && { org_id }) }));
}

export async function signOut(): Promise<void> {
  const token = session.value?.token;
  await post("log_out", {}, token);
  forget();
}

/** Calls that need nobody to be signed in. */
export function post<O extends PlainId>(
  operation: O,
  body: NonNullable<Operations[O]["body"]>,
  token?: string,
): Promise<Answer<Operations[O]>> {
  const headers = { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  return dataOf(fetch(urlOf(operation), { method: methodOf(operation), headers, body: JSON.stringify(body) }));
}
