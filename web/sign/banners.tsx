import { computed } from "@preact/signals";
import { words } from "../i18n/i18n.ts";
import { canRenew } from "../session.ts";
import { isTokenExpired, requestToken, secondsLeft } from "../token-expiry.ts";
import { trouble } from "../trouble.ts";
import { inDialogs } from "../ui/dialog.tsx";
import { stage } from "./ceremony.ts";
import { lazy } from "./parts.tsx";
import { told } from "./told.ts";

/** Notices above the document: connection problems and the end of the session. */
export function Banners() {
  return (
    <div class="banners">
      <TroubleBanner />
      <Told />
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
          {now.kind === "busy" ? words.value.busy(now.seconds) : now.kind === "server" ? words.value.serverTrouble : words.value.offline}
        </p>
      )}
    </div>
  );
}

function Told() {
  return (
    <div role="status">
      {told.value !== "" && (
        <p class="notice told">
          {told.value}
          <button type="button" class="button quiet" onClick={() => (told.value = "")}>
            {words.value.close}
          </button>
        </p>
      )}
    </div>
  );
}

function ExpiryWarning() {
  const seconds = secondsLeft.value;
  if (seconds === null || isTokenExpired.value || stage.value === "ended" || stage.value === "signed") return null;
  return (
    <div class="notice ends" role="alert">
      <p>{words.value.endsIn(seconds)}</p>
      {canRenew && (
        <button type="button" class="button" onClick={requestToken}>
          {words.value.stay}
        </button>
      )}
    </div>
  );
}

inDialogs.value = ExpiryWarning;

/** The page is inert until there is a new token. Not needed after signing. */
export const isInert = computed(() => isTokenExpired.value && stage.value !== "ended" && stage.value !== "signed");

const SessionEndedDialog = lazy("SessionEndedDialog");

/** Shown above any open dialog, which stays as it is. */
export const SessionEnded = () => isInert.value && <SessionEndedDialog />;
