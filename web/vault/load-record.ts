import type { OpenedVault } from "@countersign/client/pages";
import type { Locale } from "@countersign/client/types";
import { tellHost } from "../host/tell-host.ts";
import { ApiError } from "../http.ts";
import { locale } from "../i18n/i18n.ts";
import { firstKnown } from "../i18n/locales.ts";
import { setLanguage } from "../i18n/vault/vault.ts";
import { loadBranding, loadTheme } from "../load-theme.ts";
import { forgetToken, setToken, storeLanguage, token } from "../session.ts";
import { isTokenExpired, trackToken } from "../token-expiry.ts";
import { callUntilAnswered } from "./api.ts";
import { forgetPages } from "./document.ts";
import { forgetLog } from "./log.ts";
import { ending, isWaiting, record, verification } from "./record.ts";

/** Loads the record and handles errors of the service. */

/** The boot script has already requested the first answer. */
export async function start(): Promise<void> {
  const { lang, theme } = window.boot;
  await Promise.all([setLanguage(lang ?? "en"), loadTheme(theme)]);
  if (token.value === null) {
    isTokenExpired.value = true;
    tellHost({ type: "token-needed" });
    return;
  }
  await refresh(window.boot.opened);
  const chosen = firstKnown([lang, record.value?.default_locale]);
  if (chosen !== undefined && chosen !== locale.value) await setLanguage(chosen);
}

let reading: Promise<void> | null = null;

export function refresh(asked: Promise<Response> | null = null): Promise<void> {
  reading ??= read(asked).finally(() => {
    reading = null;
  });
  return reading;
}

async function read(asked: Promise<Response> | null): Promise<void> {
  try {
    applyRecord(await callUntilAnswered(asked, "GET"));
  } catch (error) {
    handleError(error);
  }
}

function applyRecord(fresh: OpenedVault): void {
  const before = record.peek();
  const isOther = before !== null && before.you.email !== fresh.you.email;
  if (isOther) {
    // The copy is marked for the previous reader, and their log and results are private.
    forgetPages();
    forgetLog();
    verification.value = null;
  }
  if (before === null || isOther) void loadBranding(fresh.branding);
  isWaiting.value = false;
  record.value = fresh;
  trackToken(fresh);
}

/** Shows what an error of the record itself means for the page. */
export function handleError(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 401) {
    if (!isTokenExpired.value) tellHost({ type: "expired", what: "token" });
    isTokenExpired.value = true;
  } else if (error.code === "not_vaulted") isWaiting.value = true;
  else {
    ending.value = { why: error.status === 404 ? "not_found" : "problem", reference: error.request_id };
    if (error.status === 404) forgetToken();
  }
}

/** Handles an error of an action. False: it must be shown next to the button. */
export async function handleActionError(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError)) return false;
  // The state of the copy has changed since the record was loaded.
  if (error.status === 409) await refresh();
  if (error.status !== 401) return false;
  handleError(error);
  return true;
}

export async function continueWithToken(fresh: string): Promise<void> {
  setToken(fresh);
  await refresh();
}

export async function changeLanguage(wanted: Locale): Promise<void> {
  storeLanguage(wanted);
  await setLanguage(wanted);
}
