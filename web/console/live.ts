import { useRef } from "preact/hooks";
import { type Loadable, useInterval, useLoad } from "./use-load.ts";

// The same interval as on the screens of an envelope.
const LIVE_SECONDS = 5;

/** Like `useLoad`, but reloads at an interval while the page is visible. These reloads do not dim the list; an error is shown as for any reload. */
export function useLive<T>(key: string, load: () => Promise<T>, isOn = true): Loadable<T> {
  const loaded = useLoad(key, load);
  const current = useRef(key);
  current.current = key;
  const poll = async () => {
    if (loaded.isLoading) return;
    try {
      const data = await load();
      if (current.current === key) loaded.put(data);
    } catch {
      if (current.current === key) await loaded.reload();
    }
  };
  useInterval(LIVE_SECONDS, () => void poll(), isOn);
  return loaded;
}
