import { effect } from "@preact/signals";
import { connectHost } from "../host/host.ts";
import { joinHost, tellHost } from "../host/tell-host.ts";
import { setLanguage } from "../i18n/vault/vault.ts";
import { reportHeight } from "../report-height.ts";
import { isFramed } from "../session.ts";
import { expiresAt, isTokenExpired, watchToken } from "../token-expiry.ts";
import { watchFragment } from "../watch-fragment.ts";
import { watchHello } from "../watch-hello.ts";
import { continueWithToken, refresh } from "./load-record.ts";
import { ending, isWaiting, pagesRefused, record, stage } from "./record.ts";

/** Background tasks of the vault page: polling, messages to the host, token renewal. */

const WAITING_POLL_MS = 30_000;
// Returning to the tab refreshes the record, but at most this often.
const MIN_REFRESH_MS = 10_000;

export function watch(): void {
  joinHost(connectHost);
  notifyHost();
  if (isFramed) reportHeight();
  watchToken({
    renew: () => tellHost({ type: "expiring", expires_at: new Date(expiresAt.value ?? 0).toISOString() }),
    // There is nothing to save on this page.
    save: () => undefined,
    end: () => tellHost({ type: "expired", what: "token" }),
  });
  watchFragment(continueWithToken);
  watchHello(setLanguage);
  setInterval(() => {
    if (stage.value === "waiting" && document.visibilityState === "visible" && !isTokenExpired.value) void refresh();
  }, WAITING_POLL_MS);
  effect(() => {
    if (pagesRefused.value > 0) void refresh();
  });
  refreshOnReturn();
}

/** Sends codes only. */
function notifyHost(): void {
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
function refreshOnReturn(): void {
  let lastRead = Date.now();
  document.addEventListener("visibilitychange", () => {
    const isDue = Date.now() - lastRead > MIN_REFRESH_MS;
    if (document.visibilityState !== "visible" || !isDue || isTokenExpired.value || stage.value !== "open") return;
    lastRead = Date.now();
    void refresh();
  });
}
