import type { OpenedSigning } from "@countersign/client/pages";
import { tellHost } from "../host/tell-host.ts";
import { isTemporary } from "../http.ts";
import { locale, prepareDates, setLanguage } from "../i18n/i18n.ts";
import { loadBranding, loadTheme } from "../load-theme.ts";
import { forgetToken, renewByLink, setToken, slug, storeLanguage, token } from "../session.ts";
import { isTokenExpired, trackToken } from "../token-expiry.ts";
import { showTrouble } from "../trouble.ts";
import { call, callUntilAnswered } from "./api.ts";
import { discardUnsaved, flush, pauseSaving, resumeSaving } from "./autosave.ts";
import {
  applyOpened,
  clearCeremony,
  firstPageSeen,
  hasSettings,
  isReviewing,
  joined,
  missing,
  note,
  opened,
  revision,
  stage,
} from "./ceremony.ts";
import { showFirst } from "./document.ts";
import { endWith, interpretError } from "./interpret-error.ts";

/** The actions of the signing page. Each one calls the service, whose answer decides what is shown next. */

// A page that the service has to render takes longer. Then the task is shown first.
const FIRST_PAGE_MS = 250;

/** The boot script has already requested the first answer. */
export async function start(): Promise<void> {
  const { block, lang, theme, linked } = window.boot;
  await Promise.all([setLanguage(lang ?? "en"), loadTheme(theme)]);
  if (block.slug === null) return endWith("not_found");
  // Errors of the link are handled below, where the request is retried if that can help.
  if (linked !== null) await renewByLink(linked).catch(() => undefined);
  else if (token.value === null) {
    isTokenExpired.value = true;
    tellHost({ type: "token-needed" });
    return;
  }
  // Rendering the rest takes a phone longer than page 1, so page 1 is shown first.
  await Promise.race([showFirst(), new Promise((resolve) => setTimeout(resolve, FIRST_PAGE_MS))]);
  await refresh(window.boot.opened);
  // For a browser in a language that the page does not have.
  const { default_locale = locale.value } = opened.value ?? {};
  if (lang === undefined && default_locale !== locale.value) await switchLanguage(default_locale);
}

let reading: Promise<void> | null = null;

/** Reads the current state from the service, with retries until it answers. */
export function refresh(asked: Promise<Response> | null = null): Promise<void> {
  reading ??= read(asked).finally(() => {
    reading = null;
  });
  return reading;
}

/** An answer is older than the page if these have changed in the meantime: its texts are in another language, or a save is not in it. */
const languageAndSaves = () => locale.value + revision.peek();

async function read(asked: Promise<Response> | null): Promise<void> {
  try {
    let before = languageAndSaves();
    const fresh = await callUntilAnswered(asked, "GET", () => {
      before = languageAndSaves();
      return { query: { lang: locale.value } };
    });
    if (before !== languageAndSaves()) return await read(null);
    if (opened.peek() === null && fresh.envelope.expires_at !== null) await prepareDates(fresh.envelope.expires_at);
    applyAnswer(fresh);
  } catch (error) {
    await handleError(error);
  }
}

function applyAnswer(fresh: OpenedSigning): void {
  const before = opened.peek();
  const isOther = before !== null && (before.you.email !== fresh.you.email || before.envelope.envelope_id !== fresh.envelope.envelope_id);
  if (isOther) {
    clearCeremony();
    discardUnsaved();
  }
  if (before === null || isOther) void loadBranding(fresh.branding);
  else if (before.document !== null) joined.value = [...joined.peek(), ...signedSince(before, fresh)];
  applyOpened(fresh);
  trackToken(fresh);
  resumeSaving();
}

/** The people whose marks are in the document now and were not before. */
function signedSince(before: OpenedSigning, fresh: OpenedSigning): readonly string[] {
  const namesIn = ({ others }: OpenedSigning) =>
    new Set((others ?? []).flatMap(({ mark_sha256, name }) => (mark_sha256 === null || name === null ? [] : [name])));
  const known = namesIn(before);
  return [...namesIn(fresh)].filter((name) => !known.has(name) && name !== fresh.you.name);
}

/** Shows what an error means for the page. Resolves once it is shown. */
export async function handleError(error: unknown): Promise<void> {
  const meaning = interpretError(error);
  if (meaning.kind === "over") {
    if (!isTokenExpired.value) tellHost({ type: "expired", what: "token" });
    isTokenExpired.value = true;
    return;
  }
  if (meaning.kind === "ending") {
    endWith(meaning.why, meaning);
    // Problems that can be repaired keep the token, so that a reload works afterwards.
    if (meaning.why !== "problem" && meaning.why !== "record_mismatch") forgetToken();
    return;
  }
  if (meaning.code === "stale") note.value = "stale";
  else isReviewing.value = false;
  await refresh();
  // The review stays, unless something is missing now.
  isReviewing.value &&= missing.value.length === 0;
}

/** Runs an action of the signer. False: it failed, and the page shows the current state or can retry. */
export async function runAction(doIt: () => Promise<void>): Promise<boolean> {
  try {
    await doIt();
    return true;
  } catch (error) {
    if (isTemporary(error)) refreshAfter(error);
    else await handleError(error);
    return false;
  }
}

/** No answer arrived. Reads the state until the service answers, which shows whether the action succeeded. */
export function refreshAfter(error: unknown): void {
  showTrouble(error);
  void refresh();
}

export async function agree(): Promise<boolean> {
  const disclosure = opened.value?.consent?.disclosure;
  if (disclosure === undefined || !firstPageSeen.value) return false;
  const body = { accepted: true, disclosure_version: disclosure.version, disclosure_sha256: disclosure.sha256, rendered_pages: [1] };
  return runAction(async () => {
    await call("POST /consent", { body });
    note.value = null;
    await refresh();
  });
}

/** Opens the review, or marks the fields that are missing. */
export async function goToReview(): Promise<boolean> {
  if (!(await runAction(flush))) return false;
  // The service has given values the form that their settings ask for, and that is what will be printed.
  if (hasSettings.value) await refresh();
  for (const entry of missing.value) if (entry.error.value === null) entry.error.value = "required";
  isReviewing.value = missing.value.length === 0;
  if (isReviewing.value) note.value = null;
  return isReviewing.value;
}

/** Continues with a new token. */
export async function continueWithToken(fresh: string): Promise<void> {
  pauseSaving();
  setToken(fresh);
  await refresh();
}

/** Renews the session of a signing link or of a public form; `true` if it succeeded. */
export async function renewSession(): Promise<boolean> {
  if (slug === null && opened.value?.token_renewable !== true) return false;
  return runAction(async () => {
    if (slug === null) setToken((await call("POST /token")).token);
    else await renewByLink();
    await refresh();
  });
}

export async function changeLanguage(wanted: typeof locale.value): Promise<void> {
  storeLanguage(wanted);
  await switchLanguage(wanted);
}

export async function switchLanguage(wanted: typeof locale.value): Promise<void> {
  await setLanguage(wanted);
  // The disclosure and the statement of intent come from the service.
  if (stage.value !== "ended" && stage.value !== "loading") await refresh();
}
