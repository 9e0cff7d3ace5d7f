import type { Db } from "../db/connect.ts";
import type { Tx } from "../db/sql.ts";
import type { TokenDeps } from "../embed/embed-token.ts";
import type { EnvelopeDeps } from "../envelopes/envelope.ts";
import type { MailDeps } from "../mail/message.ts";
import type { SigningDeps } from "../signing/submission.ts";
import { nextMoment } from "./moment-store.ts";

/** What operations for tests need of other features. */
export interface TestDeps {
  readonly mail: Pick<MailDeps, "mailKey">;
  readonly envelopes: EnvelopeDeps;
  readonly signing: SigningDeps;
  readonly embed: TokenDeps;
}

/**
 * The database for several steps that commit together. Each step sees the time at which it begins, and a later step has a later time, as if
 * a person did them one after the other: evidence compares these times.
 */
export function inSteps(db: Db, tx: Tx): Db {
  return { ...db, tx: async (_org, run) => run({ ...tx, now: await nextMoment(tx) }) };
}
