import type { Db } from "../db/connect.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { AppSecrets } from "../shared/secrets.ts";
import { checkOf, latestUsed, type RecordVersion, requireSecrets } from "./admit-secrets.ts";
import { countValues, insertVersion, listVersions, lockVersions, markRetired } from "./store.ts";

/** Nothing was changed. The message says why. */
export class RetirementRefused extends Error {
  override readonly name = "RetirementRefused";
}

export interface Retirement {
  readonly version: number;
  /** skips the wait: what was signed under the version, and is still in use, stops working at once */
  readonly now: boolean;
  /** the secret is gone: also if values are encrypted under it, which can never be read again */
  readonly lost: boolean;
  readonly record: RecordVersion;
}

// Longer than anything lives that is signed under a version and not encrypted again: session and embed tokens, codes, fingerprints of
// repeated requests, and jobs with an encrypted address.
const WAIT_DAYS = 7;

/** From then on the version is not accepted. Returns how many values were lost with it. */
export async function retireVersion(db: Db, secrets: AppSecrets, { version, now, lost, record }: Retirement): Promise<number> {
  return db.system(async (tx) => {
    await lockVersions(tx);
    const known = await listVersions(tx);
    const found = known.find((one) => one.version === version);
    const counts = await countValues(tx);
    const values = (counts.get(version) ?? 0) + (counts.get(0) ?? 0);
    if (lost && secrets.some((one) => one.version === version))
      throw new RetirementRefused(`Version ${version} is among the given secrets, so it is not lost. Leave out --lost`);
    if (lost && known.length === 0) {
      // The secret was lost before the database knew versions, so that no start could record it. From now on it has the given ones.
      for (const one of secrets) await insertVersion(tx, one.version, checkOf(one));
      await record(tx, version);
      return values;
    }
    if (found === undefined) throw new RetirementRefused(`There is no version ${version}. See: countersign secrets status`);
    if (found.retired_at !== null) throw new RetirementRefused(`Version ${version} is already retired`);
    if (secrets[0].version === version || (!lost && latestUsed(known)?.version === version))
      throw new RetirementRefused(
        `Version ${version} is used for new values. Start the service with another version first, then retire it`,
      );
    if (!lost) {
      await requireSecrets(tx, secrets);
      if (values > 0)
        throw new RetirementRefused(
          `${values} values are still encrypted under version ${version} or under none. A worker encrypts them again, or: countersign secrets re-wrap`,
        );
      const from = new Date((latestUsed(known)?.used_from.getTime() ?? 0) + WAIT_DAYS * DAY_MS);
      if (!now && from > tx.now)
        throw new RetirementRefused(
          `Version ${version} can be retired from ${from.toISOString()} on, seven days after it was replaced, because tokens that were signed under it may still be in use. If it is known to others, use --now`,
        );
    }
    await markRetired(tx, version);
    await record(tx, version);
    return lost ? values : 0;
  });
}
