import type { LogDeps } from "./checkpoint.ts";
import { storeFirstOrigin } from "./note-store.ts";

/** The public name of the log is not the one of the setting. Witnesses would see another log. */
export class OriginChanged extends Error {
  override readonly name = "OriginChanged";
}

/** Stores LOG_ORIGIN at first use, and refuses another value later. Without the setting the stored name is kept, whatever PUBLIC_URL is. */
export async function requireOrigin({ db, notes: { origin } }: Pick<LogDeps, "db" | "notes">): Promise<void> {
  if (origin === null) return;
  const stored = await db.system((tx) => storeFirstOrigin(tx, origin));
  if (stored !== origin)
    throw new OriginChanged(
      `LOG_ORIGIN differs from ${stored}, the name under which the log was published. Set it to this name, or remove it`,
    );
}
