import { ApiError } from "../../http.ts";

/** Runs an action. If the envelope changed or is gone (409 or 404), reloads the screen and rethrows, so that the error is shown too. */
export async function reloadOnConflict<T>(act: () => Promise<T>, reload: () => Promise<void>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof ApiError && (error.status === 409 || error.status === 404)) await reload();
    throw error;
  }
}
