import type { PersonSession } from "@countersign/client/pages";
import { signal } from "@preact/signals";
import { askToLogIn } from "../passkeys.ts";
import { call, callOpen } from "./api.ts";
import { forgetSession, isEnded, keepSession, type Method, person, sessionLeftMs, token } from "./session.ts";

/** Logging in and out, and continuing after a reload. */

/** Grows with each log-in, so that screens load again what they could not load before. */
export const logIns = signal(0);

/** Set if the page could not load who is logged in. */
export const startError = signal<unknown>(null);

export async function loadPerson(): Promise<void> {
  const { email, passkeys } = await call("GET /passkeys");
  person.value = { email, passkeys };
}

/** After the page was loaded. An ended session shows the log-in form, any other error the reason. */
export async function resume(): Promise<void> {
  startError.value = null;
  if (token.peek() === null) return;
  watchEnd();
  await loadPerson().catch((error: unknown) => {
    startError.value = error;
  });
}

export async function begin(session: PersonSession, by: Method): Promise<void> {
  const before = person.peek()?.email;
  keepSession(session, by);
  watchEnd();
  await loadPerson();
  // Nothing that another person left on the page is shown to this one.
  if (before !== undefined && before !== person.peek()?.email) return location.reload();
  startError.value = null;
  isEnded.value = false;
  logIns.value += 1;
}

export async function logInByPasskey(): Promise<void> {
  const { challenge } = await callOpen("POST /session/passkey-options");
  const credential = await askToLogIn(challenge);
  await begin(await callOpen("POST /session/passkey", { body: { credential } }), "passkey");
}

export async function signOut(): Promise<void> {
  await call("DELETE /session");
  clearTimeout(timer);
  forgetSession();
  isEnded.value = false;
  person.value = null;
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Asks the service once the session should be over, because only the service knows. */
function watchEnd(): void {
  clearTimeout(timer);
  const left_ms = sessionLeftMs();
  // A failure changes nothing here: the next call that the person causes shows the reason.
  if (Number.isFinite(left_ms)) timer = setTimeout(() => void loadPerson().catch(() => undefined), Math.max(1_000, left_ms + 1_000));
}
