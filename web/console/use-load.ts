import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isInterrupted, isUnauthorized } from "./session.ts";

/** Data that a screen loads from the server. The old data stays until the new data arrives. */
export interface Loadable<T> {
  readonly data: T | null;
  readonly error: unknown;
  readonly isLoading: boolean;
  /** loading takes long enough to show a skeleton */
  readonly isSlow: boolean;
  reload(): Promise<void>;
  /** replaces the data, for example with the answer to an action */
  put(data: T): void;
}

// With a shorter delay, every screen would flicker.
const SLOW_MS = 200;

/** Loads when the component mounts and whenever `key` changes. Answers to outdated requests are dropped. */
export function useLoad<T>(key: string, load: () => Promise<T>): Loadable<T> {
  const [state, setState] = useState<{ data: T | null; error: unknown; isLoading: boolean; isSlow: boolean }>({
    data: null,
    error: null,
    isLoading: true,
    isSlow: false,
  });
  const latest = useRef(0);
  const run = async () => {
    const turn = ++latest.current;
    const isLatest = () => latest.current === turn;
    // The same object as before does not render the screen again.
    setState((now) => (now.isLoading && !now.isSlow ? now : { ...now, isLoading: true, isSlow: false }));
    const slow = setTimeout(() => isLatest() && setState((now) => ({ ...now, isSlow: true })), SLOW_MS);
    try {
      const data = await load();
      if (isLatest()) setState({ data, error: null, isLoading: false, isSlow: false });
    } catch (error) {
      if (isLatest()) setState((now) => ({ ...now, error, isLoading: false, isSlow: false }));
    } finally {
      clearTimeout(slow);
    }
  };
  // Other effects run after the browser has drawn the screen, which takes long on a slow computer: it can draw while the data is on its way.
  useLayoutEffect(() => {
    void run();
    return () => {
      latest.current += 1;
    };
  }, [key]);
  // What was refused because the session had ended is loaded again as soon as the user has logged in.
  const isWaiting = isInterrupted();
  useEffect(() => {
    if (!isWaiting && isUnauthorized(state.error)) void run();
  }, [isWaiting]);
  const put = (data: T) => {
    latest.current += 1;
    setState({ data, error: null, isLoading: false, isSlow: false });
  };
  return { ...state, reload: run, put };
}

/** Runs `act` at an interval while the page is visible. */
export function useInterval(seconds: number, act: () => void, isOn = true): void {
  const current = useRef(act);
  current.current = act;
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => document.visibilityState === "visible" && current.current(), seconds * 1_000);
    return () => clearInterval(timer);
  }, [seconds, isOn]);
}
