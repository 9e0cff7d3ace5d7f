import type { Read } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import { type NotificationDeps, type NotificationKind, notificationKinds, personOf, type Ways } from "./notification.ts";
import { listSettings, saveSetting } from "./store.ts";

type Settings = Readonly<Record<NotificationKind, Ways>>;

/** How the person is notified of each kind. */
export async function readSettings(read: Read, caller: Caller): Promise<Settings> {
  const changed = await listSettings(read, caller.org, personOf(caller));
  const ways = (kind: NotificationKind): Ways => changed.get(kind) ?? { console: true, mail: true };
  return Object.fromEntries(notificationKinds.map((kind) => [kind, ways(kind)])) as Settings;
}

/** Changes the ways that are given, and returns all of them. */
export function changeSettings(
  { db }: NotificationDeps,
  caller: Caller,
  wanted: Readonly<Partial<Record<NotificationKind, Partial<Ways>>>>,
): Promise<Settings> {
  return db.tx(caller.org, async (tx) => {
    for (const kind of notificationKinds) {
      const ways = wanted[kind];
      if (ways !== undefined) await saveSetting(tx, caller.org, personOf(caller), kind, ways);
    }
    return readSettings(tx, caller);
  });
}
