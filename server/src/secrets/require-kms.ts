import type { Db } from "../db/connect.ts";
import { WrongSecret } from "./admit-secrets.ts";
import type { KeyServices } from "./kms.ts";
import { listKeyServices } from "./org-key-store.ts";

/** Refuses a start without a key service that documents need: every one of them would be unavailable. Asks no service. */
export async function requireKms(db: Db, { all }: KeyServices): Promise<void> {
  const missing = (await db.system(listKeyServices)).filter((needed) => !all.some(({ id }) => id === needed));
  if (missing.length === 0) return;
  throw new WrongSecret(
    `KMS does not list ${missing.join(", ")}, which keys of organizations are wrapped under. Add it to KMS after the one to use: docs/keys.md`,
  );
}
