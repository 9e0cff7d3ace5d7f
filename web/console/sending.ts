import { useEffect, useState } from "preact/hooks";
import { ApiError } from "../http.ts";
import { isInterrupted, isUnauthorized } from "./session.ts";

/** The state of a user's action: whether it is running, and the error that the server returned, per field where it names one. */
export interface Sending {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** the error for a field such as `partner_name` or `signers[0].email`, written to follow the field's label */
  errorOf(field: string): string | null;
  /** True on success. Does nothing while another run is in progress. */
  run(act: () => Promise<unknown>): Promise<boolean>;
  /** removes the error */
  clear(): void;
}

export function useSending(): Sending {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  // The error no longer applies once the user has logged in again. What they entered is still there to be sent.
  const isWaiting = isInterrupted();
  useEffect(() => {
    if (!isWaiting) setState((now) => (isUnauthorized(now.error) ? { ...now, error: null } : now));
  }, [isWaiting]);
  return {
    ...state,
    errorOf: (field) =>
      state.error instanceof ApiError ? (state.error.details.find((one) => one.field === field)?.message ?? null) : null,
    run: async (act) => {
      if (state.isBusy) return false;
      setState({ isBusy: true, error: null });
      try {
        await act();
        setState({ isBusy: false, error: null });
        return true;
      } catch (error) {
        setState({ isBusy: false, error });
        return false;
      }
    },
    clear: () => setState((now) => ({ ...now, error: null })),
  };
}
