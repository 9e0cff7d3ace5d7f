import { useRef } from "preact/hooks";
import { type Asked, useAsked, useEvery } from "./asked.ts";

// As often as the screens that show an envelope ask.
const LIVE_SECONDS = 5;

/** As `useAsked`, and asked again while the page is looked at, without the list growing pale each time. What fails then is told as a reload would. */
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
