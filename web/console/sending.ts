import { useState } from "preact/hooks";
import { Refusal } from "../http.ts";

/** What somebody sends: whether it is under way, and what the service said against it, in its own words and at the field it means. */
export interface Sending {
  readonly isBusy: boolean;
  readonly error: unknown;
  /** about this field, `partner_name` or `signers[0].email`; the label comes before it */
  errorOf(field: string): string | null;
  /** True when it went well. A second press while it is under way does nothing. */
  run(act: () => Promise<unknown>): Promise<boolean>;
  /** what was said is over */
  clear(): void;
}

export function useSending(): Sending {
  const [state, setState] = useState<{ isBusy: boolean; error: unknown }>({ isBusy: false, error: null });
  return {
    ...state,
    errorOf: (field) => (state.error instanceof Refusal ? (state.error.details.find((one) => one.field === field)?.message ?? null) : null),
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
