import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../http.ts";
import { isEnded } from "./session.ts";
import { logIns } from "./visit.ts";

/** Something that the person started: whether it runs, and why it failed. */
export interface Task {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** the error of a field in the words of the service, which follow the field's name */
  errorOf(field: string): string | null;
  /** True on success. Does nothing while another run is in progress. */
  run(act: () => Promise<unknown>): Promise<boolean>;
}

export function useTask(): Task {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  return {
    ...state,
    // Details of a 429 are sentences of their own, for the notice.
    errorOf: (field) =>
      state.error instanceof ApiError && state.error.status !== 429
        ? (state.error.details.find((one) => one.field === field)?.message ?? null)
        : null,
    run: async (act) => {
      if (state.isBusy) return false;
      setState({ isBusy: true, error: null });
      try {
        await act();
        setState({ isBusy: false, error: null });
        return true;
      } catch (error) {
        // The log-in form says that the session ended. After it there is nothing wrong any more.
        setState({ isBusy: false, error: isEnded.peek() ? null : error });
        return false;
      }
    },
  };
}

export interface Loaded<T> {
  readonly data: T | null;
  readonly error: unknown;
  reload(): Promise<void>;
  /** replaces the data with the answer to an action */
  put(data: T): void;
}

/** Loads when the component mounts, when `key` changes, and after each log-in. Answers to outdated requests are dropped. */
export function useLoad<T>(key: string, load: () => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{ data: T | null; error: unknown }>({ data: null, error: null });
  const latest = useRef(0);
  const run = async () => {
    const turn = ++latest.current;
    try {
      const data = await load();
      if (latest.current === turn) setState({ data, error: null });
    } catch (error) {
      if (latest.current === turn) setState((now) => ({ ...now, error: isEnded.peek() ? null : error }));
    }
  };
  useEffect(() => {
    void run();
    return () => {
      latest.current += 1;
    };
  }, [key, logIns.value]);
  const put = (data: T) => {
    latest.current += 1;
    setState({ data, error: null });
  };
  return { ...state, reload: run, put };
}
