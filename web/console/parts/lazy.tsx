import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { en as words } from "../words/shortcuts/en.ts";

/** A component whose code is loaded when it is first shown, so that a screen does not load what few visits need. */
export function lazy<P extends object>(load: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  let Loaded: FunctionComponent<P> | null = null;
  return function Lazy(props: P) {
    const [outcome, setOutcome] = useState<"ready" | "missing" | null>(null);
    useEffect(() => {
      if (Loaded !== null) return;
      let isCurrent = true;
      load().then(
        (View) => {
          Loaded = View;
          if (isCurrent) setOutcome("ready");
        },
        // The user reads why, and can load the page again.
        () => isCurrent && setOutcome("missing"),
      );
      return () => {
        isCurrent = false;
      };
    }, []);
    if (Loaded !== null) return <Loaded {...props} />;
    return outcome === "missing" ? <NotLoaded /> : null;
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
