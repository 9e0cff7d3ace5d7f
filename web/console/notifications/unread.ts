import { signal } from "@preact/signals";
import { list } from "../api.ts";

/** How many notifications the user has not read. Null until it is known. */
export const unread = signal<number | null>(null);

/** Asked at an interval. A failure leaves the last number: the screens say when the service cannot be reached. */
export async function countUnread(): Promise<void> {
  try {
    unread.value = (await list("list_notifications", { query: { unread: "true", limit: 1 } })).meta.total;
  } catch {
    // The next attempt follows in 30 seconds.
  }
}
