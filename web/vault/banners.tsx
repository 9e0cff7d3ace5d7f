import { useEffect, useRef } from "preact/hooks";
import { tellHost } from "../host/tell-host.ts";
import { words } from "../i18n/i18n.ts";
import { vault } from "../i18n/vault/vault.ts";
import { isFramed } from "../session.ts";
import { isTokenExpired, requestToken, secondsLeft } from "../token-expiry.ts";
import { trouble } from "../trouble.ts";
import { stage } from "./record.ts";

/** Notices above everything: connection problems and the end of the session. */
export function Banners() {
  return (
    <div class="banners">
      <TroubleBanner />
      <ExpiryWarning />
    </div>
  );
}

function TroubleBanner() {
  const now = trouble.value;
  return (
    <div role="status">
      {now !== null && (
        <p class="notice bad">
          {now.kind === "busy" ? words.value.busy(now.seconds) : now.kind === "server" ? words.value.serverTrouble : vault.value.offline}
        </p>
      )}
    </div>
  );
}

/** Only a framing page can provide a new token. */
function ExpiryWarning() {
  const seconds = secondsLeft.value;
  if (seconds === null || isTokenExpired.value || stage.value === "ended") return null;
  return (
    <div class="notice ends" role="alert">
      <p>{vault.value.endsIn(seconds)}</p>
      {isFramed && (
        <button type="button" class="button" onClick={requestToken}>
          {words.value.stay}
        </button>
      )}
    </div>
  );
}

/** Shown when the session has ended. The page behind it stays as it is. */
export function SessionEnded() {
  return isTokenExpired.value && stage.value !== "ended" ? <SessionEndedDialog /> : null;
}

function SessionEndedDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" role="alertdialog" aria-label={vault.value.endedTitle} onCancel={(event) => event.preventDefault()}>
      <div>
        <h1>{vault.value.endedTitle}</h1>
        {isFramed ? (
          <button type="button" class="button primary" onClick={() => tellHost({ type: "token-needed" })}>
            {words.value.continue}
          </button>
        ) : (
          <p>{vault.value.endedOpenAgain}</p>
        )}
      </div>
    </dialog>
  );
}
