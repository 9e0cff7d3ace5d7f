import { Refusal } from "../../http.ts";

/** Somebody else was first: after such a refusal, which is said all the same, the screen shows how it is now. */
export async function orReload<T>(act: () => Promise<T>, reload: () => Promise<void>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof Refusal && (error.status === 409 || error.status === 404)) await reload();
    throw error;
  }
}
