import { words } from "../i18n/i18n.ts";
import { opened, stage, trouble } from "./ceremony.ts";
import { stay } from "./conduct.ts";
import { tellHost } from "./host.ts";
import { Heading } from "./screens/heading.tsx";
import { isFramed, slug } from "./session.ts";
import { askAgain, isOver, secondsLeft } from "./token-life.ts";

/** Above the document: what needs to be known now. */
export function Banners() {
  return (
    <div class="banners">
      <TroubleBanner />
      {!isOver.value && secondsLeft.value !== null && stage.value !== "ended" && <EndsSoon seconds={secondsLeft.value} />}
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

/** With a button wherever somebody can give a new token. */
const canStay = slug !== null || isFramed;

function EndsSoon({ seconds }: { seconds: number }) {
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

/** Everything stays where it was; only somebody's word is needed to go on. */
export function Over() {
  if (!isOver.value || stage.value === "ended") return null;
  const goOn = () => {
    if (slug !== null) void stay();
    else tellHost({ type: "token-needed" });
  };
  return (
    <div class="over" role="alertdialog" aria-modal="true" aria-label={words.value.endedTitle}>
      <div class="stack">
        <Heading>{words.value.endedTitle}</Heading>
        {opened.value !== null && <p>{words.value.endedLead}</p>}
        {canStay ? (
          <button type="button" class="button primary" onClick={goOn}>
            {words.value.continue}
          </button>
        ) : (
          <p>{words.value.endedOpenAgain}</p>
        )}
      </div>
    </div>
  );
}
