import { effect } from "@preact/signals";
import { tellHost } from "../host/tell-host.ts";
import { isTemporary } from "../http.ts";
import { forgetToken, isFramed } from "../session.ts";
import { expiresAt, isTokenExpired, watchToken } from "../token-expiry.ts";
import { showTrouble } from "../trouble.ts";
import { watchFragment } from "../watch-fragment.ts";
import { continueWithToken, handleError, refresh, renewSession } from "./actions.ts";
import { call } from "./api.ts";
import { hasUnsaved, onSaveError, saveInBackground, saveOnLeaving } from "./autosave.ts";
import { hasSettings, opened, requirement, type Stage, stage } from "./ceremony.ts";
import { endWith, isEndedStatus } from "./interpret-error.ts";
import { fetchScreensAhead, loadAtLast } from "./parts.tsx";
import { sending } from "./send-signature.ts";

/** Background tasks of the signing page: polling, token renewal, and what is loaded for them. */

// The end of a document must be on the screen within ten seconds.
const CHANGES_POLL_MS = 8_000;
// After this long without input the signer has probably left, and the session is no longer renewed.
const IDLE_MS = 30 * 60_000;
// Returning to the tab refreshes the state, but at most this often.
const MIN_REFRESH_MS = 10_000;

export function watch(): void {
  onSaveError((error) => void handleError(error));
  pollForChanges();
  // Not part of the page's script, because most signers open a link and most fields have no settings.
  if (isFramed) void loadAtLast(() => import("./watch-frame.ts")).then(({ watchFrame }) => watchFrame());
  const stop = effect(() => {
    if (!hasSettings.value) return;
    stop();
    void loadAtLast(() => import("./requirement.ts")).then((loaded) => (requirement.value = loaded.requirement));
  });
  renewBeforeExpiry();
  refreshOnReturn();
  watchFragment(continueWithToken);
  stayAboveKeyboard();
  addEventListener("pagehide", saveOnLeaving);
}

/** Some browsers show the on-screen keyboard over the page instead of resizing it. */
function stayAboveKeyboard(): void {
  const { visualViewport } = window;
  visualViewport?.addEventListener("resize", () => {
    // When zoomed in, the visible part is small for another reason.
    const covered = visualViewport.scale > 1 ? 0 : Math.max(0, window.innerHeight - visualViewport.height);
    document.documentElement.style.setProperty("--keyboard", `${covered}px`);
  });
}

/** Asks whether another person has signed, declined or withdrawn the document. The state is read again only if something has changed. */
function pollForChanges(): void {
  const still: readonly Stage[] = ["loading", "ended", "signed"];
  setInterval(() => {
    if (document.visibilityState !== "visible" || isTokenExpired.value || sending.value !== null || still.includes(stage.value)) return;
    void lookAgain().catch((error: unknown) => (isTemporary(error) ? showTrouble(error) : handleError(error)));
  }, CHANGES_POLL_MS);
}

async function lookAgain(): Promise<void> {
  const { envelope_status: status, reason, your_status, signed } = await call("GET /progress");
  const now = opened.value;
  if (now === null) return;
  if (isEndedStatus(status)) {
    endWith(status, { said: reason });
    forgetToken();
    return;
  }
  const isSame = signed === now.signers.signed && turnOf(your_status) === turnOf(now.you.status);
  // The questions of a signer can be set without any of this.
  if ((!isSame || stage.value === "identity_unavailable") && !hasUnsaved()) await refresh();
}

/** Opening the page makes a signer `viewed`, which changes nothing here. */
const turnOf = (status: string | null): string | null => (status === "viewed" ? "pending" : status);

function renewBeforeExpiry(): void {
  let lastInput = Date.now();
  for (const type of ["keydown", "pointerdown", "scroll"])
    addEventListener(type, () => (lastInput = Date.now()), { passive: true, capture: true });
  watchToken({
    renew: () => {
      if (stage.value === "signed") return;
      fetchScreensAhead();
      if (isFramed) tellHost({ type: "expiring", expires_at: new Date(expiresAt.value ?? 0).toISOString() });
      else if (document.visibilityState === "visible" && Date.now() - lastInput < IDLE_MS) void renewSession();
    },
    save: saveInBackground,
    end: () => {
      if (stage.value !== "signed") tellHost({ type: "expired", what: "token" });
    },
  });
}

/** In the meantime values may have been entered in another tab, or another signer may have signed. */
function refreshOnReturn(): void {
  let lastRead = Date.now();
  document.addEventListener("visibilitychange", () => {
    const isDue = Date.now() - lastRead > MIN_REFRESH_MS;
    if (document.visibilityState !== "visible" || !isDue || hasUnsaved() || isTokenExpired.value) return;
    if (stage.value === "loading" || stage.value === "ended") return;
    lastRead = Date.now();
    void refresh();
  });
}
