import { computed } from "@preact/signals";
import { words } from "../i18n/i18n.ts";
import { canStay } from "../session.ts";
import { askAgain, isOver, secondsLeft } from "../token-life.ts";
import { trouble } from "../trouble.ts";
import { inDialogs } from "../ui/dialog.tsx";
import { stage } from "./ceremony.ts";
import { overPart } from "./parts.ts";

/** Notices above the document: connection problems and the end of the session. */
export function Banners() {
  return (
    <div class="banners">
      <TroubleBanner />
      <EndsSoon />
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

function EndsSoon() {
  const seconds = secondsLeft.value;
  if (seconds === null || isOver.value || stage.value === "ended" || stage.value === "signed") return null;
  return (
    <div class="notice ends" role="alert">
      <p>{words.value.endsIn(seconds)}</p>
      {canStay && (
        <button type="button" class="button" onClick={askAgain}>
          {words.value.stay}
        </button>
      )}
    </div>
  );
}

inDialogs.value = EndsSoon;

/** The page is inert until there is a new token. Not needed after signing. */
export const isShut = computed(() => isOver.value && stage.value !== "ended" && stage.value !== "signed");

/** Shown above any open dialog, which stays as it is. */
export const Over = () => isShut.value && <overPart.View />;
