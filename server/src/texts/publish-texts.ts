import type { Db } from "../db/connect.ts";
import { insertTexts } from "./store.ts";
import type { Texts } from "./text.ts";

/**
 * Stores every text of this release, at each start and before anything is shown. A text that people accept is therefore stored before
 * they see it. On a database from before this table, texts accepted earlier are stored now, if the release still has their files.
 */
export async function publishTexts(db: Db, { files }: Texts): Promise<void> {
  await db.system((tx) => insertTexts(tx, files));
}
