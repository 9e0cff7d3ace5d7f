import { call } from "../api.ts";
import { unread } from "./unread.ts";

export async function markRead(ids: readonly string[]): Promise<void> {
  unread.value = (await call("read_notifications", { body: { ids: [...ids] } })).unread;
}
