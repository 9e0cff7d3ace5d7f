import { effect } from "@preact/signals";
import { tellHost } from "../host/tell-host.ts";
import { speak } from "../i18n/vault/vault.ts";
import { takeTokens } from "../take-tokens.ts";
import { endsAt, isOver, watchToken } from "../token-life.ts";
import { goOnWith, readAgain } from "./conduct.ts";
import { ending, isWaiting, pagesRefused, record, stage } from "./record.ts";

/** What goes on by itself: waiting for the vault, telling the host, asking for another token. */

const WAITING_POLL_MS = 30_000;
// Coming back to the page reads it again, but not at each click into it.
const READ_AGAIN_MS = 10_000;

export function watch(): void {
  tellWhatHappens();
  watchToken({
    askForAnother: () => tellHost({ type: "expiring", expires_at: new Date(endsAt.value ?? 0).toISOString() }),
    // Nothing is entered here.
    save: () => undefined,
    end: () => tellHost({ type: "expired", what: "token" }),
  });
  takeTokens(goOnWith, speak);
  setInterval(() => {
    if (stage.value === "waiting" && document.visibilityState === "visible" && !isOver.value) void readAgain();
  }, WAITING_POLL_MS);
  effect(() => {
    if (pagesRefused.value > 0) void readAgain();
  });
  readOnReturn();
}

/** Codes only. */
function tellWhatHappens(): void {
  let isReady = false;
  effect(() => {
    const state = record.value?.copy.state;
    if (state === undefined || isReady) return;
    isReady = true;
    tellHost({ type: "ready" });
    if (state === "tampered" || state === "destroyed") tellHost({ type: "problem", code: state });
  });
  effect(() => {
    if (isWaiting.value) tellHost({ type: "problem", code: "not_vaulted" });
  });
  effect(() => {
    if (ending.value !== null) tellHost({ type: "problem", code: ending.value.why });
  });
}

/** Somebody else may have verified it meanwhile, or it has changed hands. */
function readOnReturn(): void {
  let lastRead = Date.now();
  document.addEventListener("visibilitychange", () => {
    const isDue = Date.now() - lastRead > READ_AGAIN_MS;
    if (document.visibilityState !== "visible" || !isDue || isOver.value || stage.value !== "open") return;
    lastRead = Date.now();
    void readAgain();
  });
}
