import type { Passkey, PersonSession } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { store, stored } from "../storage.ts";

/** Who is logged in. A session lasts 30 minutes and is not extended. It is kept for reloads of this window only. */

const TOKEN = "party token";
const METHOD = "party method";
const ENDS = "party ends";

export const token = signal<string | null>(stored(TOKEN));

export type Method = "code" | "passkey";
/** How this session began: a passkey can be added or removed only in some of them. */
export const beganWith = signal<Method | null>(stored(METHOD) as Method | null);

export interface Person {
  readonly email: string;
  readonly passkeys: readonly Passkey[];
}

/** null: not logged in, or not loaded yet */
export const person = signal<Person | null>(null);

/** The session ended while the person was working. The screen stays as it is and continues after they log in again. */
export const isEnded = signal(false);

export function keepSession(session: PersonSession, by: Method): void {
  token.value = session.token;
  beganWith.value = by;
  store(TOKEN, session.token);
  store(METHOD, by);
  store(ENDS, session.expires_at);
}

/** The service no longer accepts the session. */
export function endSession(): void {
  isEnded.value = person.peek() !== null;
  forgetSession();
}

export function forgetSession(): void {
  token.value = null;
  beganWith.value = null;
  for (const name of [TOKEN, METHOD, ENDS]) store(name, null);
}

/** By the clock of this device, which may be wrong. */
export const sessionLeftMs = (): number => new Date(stored(ENDS) ?? "").getTime() - Date.now();
