import { effect } from "@preact/signals";
import { tellHost } from "../host/tell-host.ts";
import { speak } from "../i18n/vault/vault.ts";
import { takeTokens } from "../take-tokens.ts";
import { endsAt, isOver, watchToken } from "../token-life.ts";
import { goOnWith, readAgain } from "./conduct.ts";
import { ending, isWaiting, pagesRefused, record, stage } from "./record.ts";

/** Background tasks of the vault page: polling, messages to the host, token renewal. */

const WAITING_POLL_MS = 30_000;
// Returning to the tab refreshes the record, but at most this often.
const READ_AGAIN_MS = 10_000;

export function watch(): void {
  tellWhatHappens();
  watchToken({
    askForAnother: () => tellHost({ type: "expiring", expires_at: new Date(endsAt.value ?? 0).toISOString() }),
    // There is nothing to save on this page.
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

/** Sends codes only. */
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

/** In the meantime another reader may have verified the document, or custody may have changed. */
function readOnReturn(): void {
  let lastRead = Date.now();
  document.addEventListener("visibilitychange", () => {
    const isDue = Date.now() - lastRead > READ_AGAIN_MS;
    if (document.visibilityState !== "visible" || !isDue || isOver.value || stage.value !== "open") return;
    lastRead = Date.now();
    void readAgain();
  });
}
