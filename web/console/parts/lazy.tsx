import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { whenOnline } from "../when-online.ts";
import { en as words } from "../words/shortcuts/en.ts";

/**
 * A component whose code is loaded when it is first shown, so that a screen does not load what few visits need. `Missing`: shown if it
 * could not be loaded
 */
export function lazy<P extends object>(
  load: () => Promise<FunctionComponent<P>>,
  Missing: FunctionComponent = NotLoaded,
): FunctionComponent<P> {
  let Loaded: FunctionComponent<P> | null = null;
  return function Lazy(props: P) {
    const [outcome, setOutcome] = useState<"ready" | "missing" | null>(null);
    useEffect(() => {
      // Another place may have loaded it since this one was drawn.
      if (Loaded !== null) return setOutcome("ready");
      let isCurrent = true;
      // The user reads why, and can load the page again.
      const isMissing = () => isCurrent && setOutcome("missing");
      if (!navigator.onLine) isMissing();
      const stop = whenOnline(() =>
        load().then((View) => {
          Loaded = View;
          if (isCurrent) setOutcome("ready");
        }, isMissing),
      );
      return () => {
        isCurrent = false;
        stop();
      };
    }, []);
    if (Loaded !== null) return <Loaded {...props} />;
    return outcome === "missing" ? <Missing /> : null;
  };
}

function NotLoaded() {
  return (
    <div class="notice bad stack tight" role="alert">
      <p>{words.notLoaded}</p>
      <div class="buttons">
        <button type="button" class="button" onClick={() => location.reload()}>
          {words.reload}
        </button>
      </div>
    </div>
  );
}
