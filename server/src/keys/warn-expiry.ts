import { enqueue } from "../jobs/enqueue.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { KeyId, OrgId } from "../shared/ids.ts";
import type { KeyDeps } from "./key.ts";
import { findEndingKeys, lockWarned, markWarned } from "./warning-store.ts";

// How many days before its end the admins get a message.
const WARN_DAYS = [30, 7, 1];

/** Runs every day: the admins get a message 30 days, 7 days and 1 day before a key expires. */
export async function warnExpiry(deps: KeyDeps): Promise<number> {
  const ending = await deps.db.system((tx) => findEndingKeys(tx));
  let warned = 0;
  for (const { org_id, key_id } of ending) if (await warnOf(deps, org_id, key_id)) warned++;
  return warned;
}

function warnOf({ db }: KeyDeps, org: OrgId, key_id: KeyId): Promise<boolean> {
  return db.tx(org, async (tx) => {
    const key = await lockWarned(tx, org, key_id);
    if (key === null) return false;
    const days = Math.ceil((key.expires_at.getTime() - tx.now.getTime()) / DAY_MS);
    const due = WARN_DAYS.findLast((most) => days <= most);
    if (due === undefined || (key.warned_days !== null && key.warned_days <= due)) return false;
    await markWarned(tx, org, key_id, due);
    const at = key.expires_at.toISOString().slice(0, 16).replace("T", " ");
    await enqueue(tx, "orgs.notify-admins", {
      org_id: org,
      kind: "key_expiring",
      subject: `The API key ${key.partner_name} expires ${days === 1 ? "within a day" : `in ${days} days`}`,
      text: [
        `The API key ${key.partner_name} (${key.key_hint}) expires on ${at} UTC. From then on, requests with it are refused.`,
        "To keep it, set a later expiry in the console under API keys. To replace it, create a new key and give it to the program that uses this one.",
      ].join("\n\n"),
    });
    return true;
  });
}
