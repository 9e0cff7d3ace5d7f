import { useEffect } from "preact/hooks";
import { whenOnline } from "../when-online.ts";

const PRELOAD_MS = 1_000;

/** Loads code a moment after the screen is shown, so that it is there when it is needed, also without a connection. */
export function usePreload(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    let stop = (): void => undefined;
    const preload = () => {
      // A failure is reported where the code is needed.
      for (const load of loads) void load().catch(() => undefined);
    };
    const timer = setTimeout(() => {
      stop = whenOnline(preload);
    }, PRELOAD_MS);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, []);
}
