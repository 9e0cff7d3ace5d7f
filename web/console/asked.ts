import { useEffect, useRef, useState } from "preact/hooks";

/** What a screen asked the service for, and how far that is. What was shown before stays until the new is there. */
export interface Asked<T> {
  readonly data: T | null;
  readonly error: unknown;
  readonly isWaiting: boolean;
  /** long enough that something should be seen of it */
  readonly isSlow: boolean;
  reload(): Promise<void>;
  /** what an act answered, instead of asking again */
  put(data: T): void;
}

// Shorter, and every screen would flicker.
const SLOW_MS = 200;

/** Asks when the screen comes, and again when `key` changes; an answer to what is no longer asked is dropped. */
export function useAsked<T>(key: string, ask: () => Promise<T>): Asked<T> {
  const [state, setState] = useState<{ data: T | null; error: unknown; isWaiting: boolean; isSlow: boolean }>({
    data: null,
    error: null,
    isWaiting: true,
    isSlow: false,
  });
  const latest = useRef(0);
  const run = async () => {
    const turn = ++latest.current;
    const isLatest = () => latest.current === turn;
    setState((now) => ({ ...now, isWaiting: true, isSlow: false }));
    const slow = setTimeout(() => isLatest() && setState((now) => ({ ...now, isSlow: true })), SLOW_MS);
    try {
      const data = await ask();
      if (isLatest()) setState({ data, error: null, isWaiting: false, isSlow: false });
    } catch (error) {
      if (isLatest()) setState((now) => ({ ...now, error, isWaiting: false, isSlow: false }));
    } finally {
      clearTimeout(slow);
    }
  };
  useEffect(() => {
    void run();
    return () => {
      latest.current += 1;
    };
  }, [key]);
  const put = (data: T) => {
    latest.current += 1;
    setState({ data, error: null, isWaiting: false, isSlow: false });
  };
  return { ...state, reload: run, put };
}

/** Does something each so many seconds while the page is looked at. */
export function useEvery(seconds: number, act: () => void, isOn = true): void {
  const current = useRef(act);
  current.current = act;
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => document.visibilityState === "visible" && current.current(), seconds * 1_000);
    return () => clearInterval(timer);
  }, [seconds, isOn]);
}
