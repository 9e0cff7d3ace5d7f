import type { OpenedSigning } from "@countersign/client/pages";
import { signal } from "@preact/signals";

/** The last minutes of a token: a new one is asked for in time, and where none comes the page says so before it is too late. */

const ASK_BEFORE_MS = 180_000;
const WARN_BEFORE_MS = 60_000;
const SAVE_BEFORE_MS = 10_000;
const SAME_WITHIN_MS = 5_000;

/** when it ends, on this computer's clock */
export const endsAt = signal<number | null>(null);
/** the token has ended: what was entered stays, and nothing can be entered */
export const isOver = signal(false);
/** null: no need to say anything yet */
export const secondsLeft = signal<number | null>(null);

/** As every widget's first answer says it. */
export type TokenTimes = Pick<OpenedSigning, "token_expires_at" | "server_time">;

export interface TokenCare {
  /** a new token should be got now */
  readonly askForAnother: () => void;
  /** what is entered goes out while it still can */
  readonly save: () => void;
  readonly end: () => void;
}

let care: TokenCare | null = null;
let asked = false;
let isSaved = false;

/** The service's clock counts: this computer's may be wrong. */
export function tokenLives({ token_expires_at, server_time }: TokenTimes): void {
  const ends = Date.now() + Date.parse(token_expires_at) - Date.parse(server_time);
  // The same token read again ends when it did, but for the time that the answer took: nobody is asked twice for it.
  const isSame = endsAt.value !== null && Math.abs(ends - endsAt.value) < SAME_WITHIN_MS;
  endsAt.value = ends;
  asked &&= isSame;
  isSaved &&= isSame;
  isOver.value = ends <= Date.now();
  tick();
}

/** Whoever stays asks again, any number of times. */
export function askAgain(): void {
  asked = true;
  care?.askForAnother();
}

export function watchToken(given: TokenCare): void {
  care = given;
  setInterval(tick, 1_000);
  // A computer that slept did not tick.
  document.addEventListener("visibilitychange", tick);
}

function tick(): void {
  if (endsAt.value === null || care === null) return;
  const left = endsAt.value - Date.now();
  secondsLeft.value = left <= WARN_BEFORE_MS ? Math.max(0, Math.ceil(left / 1_000)) : null;
  if (isOver.value) return;
  if (left <= 0) {
    isOver.value = true;
    care.end();
    return;
  }
  if (left <= ASK_BEFORE_MS && !asked) askAgain();
  if (left <= SAVE_BEFORE_MS && !isSaved) {
    isSaved = true;
    care.save();
  }
}
