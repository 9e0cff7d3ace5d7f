import type { Read } from "../db/sql.ts";
import { type Conflict, listConflicts } from "./note-store.ts";

/**
 * What the latest open conflict with a witness says; null if there is none. Conflicts with witnesses that are no longer asked count too:
 * removing a witness from the settings does not settle what it saw.
 */
export async function lookUpForkAlarm(read: Read): Promise<Conflict | null> {
  const [latest] = await listConflicts(read);
  return latest ?? null;
}
