import { useRef } from "preact/hooks";
import { type Asked, useAsked, useEvery } from "./asked.ts";

// The same interval as on the screens of an envelope.
const LIVE_SECONDS = 5;

/** Like `useAsked`, but reloads at an interval while the page is visible. These reloads do not dim the list; an error is shown as for any reload. */
export function useLive<T>(key: string, ask: () => Promise<T>, isOn = true): Asked<T> {
  const asked = useAsked(key, ask);
  const current = useRef(key);
  current.current = key;
  const look = async () => {
    if (asked.isWaiting) return;
    try {
      const data = await ask();
      if (current.current === key) asked.put(data);
    } catch {
      if (current.current === key) await asked.reload();
    }
  };
  useEvery(LIVE_SECONDS, () => void look(), isOn);
  return asked;
}
