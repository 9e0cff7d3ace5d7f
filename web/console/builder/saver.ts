import { signal } from "@preact/signals";
import { ApiError } from "../../http.ts";
import type { Sending } from "../sending.ts";

/** Saves one state after another: a save that is wanted while another runs follows it. */
export interface Saver {
  /** True if everything is saved. `isWanted` is asked when it is its turn; if it is not, the result is that of the save before. */
  save(isWanted?: () => boolean): Promise<boolean>;
  readonly sending: Sending;
}

export function makeSaver(act: () => Promise<void>): Saver {
  const state = signal<{ readonly isBusy: boolean; readonly error: unknown }>({ isBusy: false, error: null });
  let last: Promise<boolean> = Promise.resolve(true);
  const attempt = async (wanted: () => Promise<unknown>): Promise<boolean> => {
    state.value = { isBusy: true, error: null };
    try {
      await wanted();
      state.value = { isBusy: false, error: null };
      return true;
    } catch (error) {
      state.value = { isBusy: false, error };
      return false;
    }
  };
  const run = (wanted: () => Promise<unknown>): Promise<boolean> => {
    last = last.then(() => attempt(wanted));
    return last;
  };
  return {
    save: (isWanted = () => true) => {
      last = last.then((before) => (isWanted() ? attempt(act) : before));
      return last;
    },
    sending: {
      get isBusy() {
        return state.value.isBusy;
      },
      get error() {
        return state.value.error;
      },
      errorOf: (field) => {
        const { error } = state.value;
        return error instanceof ApiError ? (error.details.find((one) => one.field === field)?.message ?? null) : null;
      },
      run,
      clear: () => {
        state.value = { ...state.peek(), error: null };
      },
    },
  };
}
