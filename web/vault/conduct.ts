import type { OpenedVault } from "@countersign/client/pages";
import type { Locale } from "@countersign/client/types";
import { tellHost } from "../host/tell-host.ts";
import { ApiError } from "../http.ts";
import { locale } from "../i18n/i18n.ts";
import { firstKnown } from "../i18n/locales.ts";
import { speak } from "../i18n/vault/vault.ts";
import { forgetToken, keepLanguage, takeToken, token } from "../session.ts";
import { isOver, tokenLives } from "../token-life.ts";
import { wear } from "../wear.ts";
import { hear } from "./api.ts";
import { forgetPages } from "./document.ts";
import { forgetLog } from "./log.ts";
import { ending, isWaiting, record, verification } from "./record.ts";

/** Loads the record and handles errors of the service. */

/** The boot script has already requested the first answer. */
export async function begin(): Promise<void> {
  const { lang, theme } = window.boot;
  await Promise.all([speak(lang ?? "en"), wear(theme)]);
  if (token.value === null) {
    isOver.value = true;
    tellHost({ type: "token-needed" });
    return;
  }
  await readAgain(window.boot.opened);
  const chosen = firstKnown([lang, record.value?.default_locale]);
  if (chosen !== undefined && chosen !== locale.value) await speak(chosen);
}

let reading: Promise<void> | null = null;

export function readAgain(asked: Promise<Response> | null = null): Promise<void> {
  reading ??= read(asked).finally(() => {
    reading = null;
  });
  return reading;
}

async function read(asked: Promise<Response> | null): Promise<void> {
  try {
    take(await hear(asked, "GET"));
  } catch (error) {
    settle(error);
  }
}

function take(fresh: OpenedVault): void {
  const before = record.peek();
  const isOther = before !== null && before.you.email !== fresh.you.email;
  if (isOther) {
    // The copy is marked for the previous reader, and their log and results are private.
    forgetPages();
    forgetLog();
    verification.value = null;
  }
  if (before === null || isOther) void wear({ ...fresh.branding, ...(window.boot.theme as object | null) });
  isWaiting.value = false;
  record.value = fresh;
  tokenLives(fresh);
}

/** Shows what an error of the record itself means for the page. */
export function settle(error: unknown): void {
  if (!(error instanceof ApiError)) throw error;
  if (error.status === 401) {
    if (!isOver.value) tellHost({ type: "expired", what: "token" });
    isOver.value = true;
  } else if (error.code === "not_vaulted") isWaiting.value = true;
  else {
    ending.value = { why: error.status === 404 ? "not_found" : "problem", reference: error.request_id };
    if (error.status === 404) forgetToken();
  }
}

/** Handles an error of an action. False: it must be shown next to the button. */
export async function settleAct(error: unknown): Promise<boolean> {
  if (!(error instanceof ApiError)) return false;
  // The state of the copy has changed since the record was loaded.
  if (error.status === 409) await readAgain();
  if (error.status !== 401) return false;
  settle(error);
  return true;
}

export async function goOnWith(fresh: string): Promise<void> {
  takeToken(fresh);
  await readAgain();
}

export async function changeLanguage(wanted: Locale): Promise<void> {
  keepLanguage(wanted);
  await speak(wanted);
}
