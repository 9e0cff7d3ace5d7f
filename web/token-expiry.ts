import type { OpenedSigning } from "@countersign/client/pages";
import { signal } from "@preact/signals";

/** Watches the expiry of the token: requests a new one in time, and warns the user if none arrives. */

const RENEW_BEFORE_MS = 180_000;
const WARN_BEFORE_MS = 60_000;
const SAVE_BEFORE_MS = 10_000;
const SAME_EXPIRY_MS = 5_000;

/** when the token expires, by the clock of this computer */
export const expiresAt = signal<number | null>(null);
/** the token has expired: entries stay, but nothing can be entered */
export const isTokenExpired = signal(false);
/** null: no warning needed yet */
export const secondsLeft = signal<number | null>(null);

/** The times in the first answer of every widget. */
export type TokenTimes = Pick<OpenedSigning, "token_expires_at" | "server_time">;

export interface TokenHandlers {
  /** a new token should be requested now */
  readonly renew: () => void;
  /** last chance to save entries */
  readonly save: () => void;
  readonly end: () => void;
}

let handlers: TokenHandlers | null = null;
let hasRequested = false;
let isSaved = false;

/** Computes the expiry from the clock of the service, because the local clock may be wrong. */
export function trackToken({ token_expires_at, server_time }: TokenTimes): void {
  const ends = Date.now() + Date.parse(token_expires_at) - Date.parse(server_time);
  // The same token has the same expiry, apart from the network delay. Then a new one is not requested twice.
  const isSame = expiresAt.value !== null && Math.abs(ends - expiresAt.value) < SAME_EXPIRY_MS;
  expiresAt.value = ends;
  hasRequested &&= isSame;
  isSaved &&= isSame;
  isTokenExpired.value = ends <= Date.now();
  tick();
}

/** Requests a new token. May be called any number of times. */
export function requestToken(): void {
  hasRequested = true;
  handlers?.renew();
}

export function watchToken(given: TokenHandlers): void {
  handlers = given;
  setInterval(tick, 1_000);
  // Timers do not run while the computer sleeps.
  document.addEventListener("visibilitychange", tick);
}

function tick(): void {
  if (expiresAt.value === null || handlers === null) return;
  const left = expiresAt.value - Date.now();
  secondsLeft.value = left <= WARN_BEFORE_MS ? Math.max(0, Math.ceil(left / 1_000)) : null;
  if (isTokenExpired.value) return;
  if (left <= 0) {
    isTokenExpired.value = true;
    handlers.end();
    return;
  }
  if (left <= RENEW_BEFORE_MS && !hasRequested) requestToken();
  if (left <= SAVE_BEFORE_MS && !isSaved) {
    isSaved = true;
    handlers.save();
  }
}
