import { appendAudit } from "../audit/append-audit.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { systemCaller } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import type { KeyDeps } from "./key.ts";
import { findOrgsWithRefusals, markRefusalMailed, type Refusal, takeRefusals } from "./refusal-store.ts";

/**
 * Runs every minute: requests that were refused because their key has expired or does not allow the address become audit entries, one for each
 * minute, key, reason and group of addresses. The admins get one message a day for each key.
 */
export async function reportRefusals(deps: KeyDeps): Promise<number> {
  const orgs = await deps.db.system((tx) => findOrgsWithRefusals(tx));
  let reported = 0;
  for (const org of orgs) reported += await reportOf(deps, org);
  return reported;
}

async function reportOf({ db }: KeyDeps, org: OrgId): Promise<number> {
  return db.tx(org, async (tx) => {
    const refusals = await takeRefusals(tx, org);
    const by = systemCaller(org, "countersign keys", "keys");
    for (const refusal of refusals) {
      const { key_id, partner_name, reason, ip, user_agent, requests, minute } = refusal;
      // `ip` and `user_agent` of an entry are those of its actor, here the job.
      const data = { key_id, partner_name, reason, from_ip: ip, program: user_agent, requests, minute: minute.toISOString() };
      await appendAudit(tx, org, { type: "key.refused", by, data });
      if (await markRefusalMailed(tx, org, key_id)) await enqueue(tx, "orgs.notify-admins", { org_id: org, ...messageOf(refusal) });
    }
    return refusals.length;
  });
}

function messageOf({ partner_name, key_hint, reason, ip, minute }: Refusal) {
  const why = reason === "expired" ? "it has expired" : "it is not allowed from that address";
  return {
    kind: "key_refused",
    subject: `The API key ${partner_name} was refused`,
    text: [
      `A request with the API key ${partner_name} (${key_hint}) was refused, because ${why}.`,
      `Address: ${ip}. Time: ${minute.toISOString().slice(0, 16).replace("T", " ")} UTC.`,
      reason === "expired"
        ? "If the key is still needed, set a later expiry in the console under API keys."
        : "If the address is yours, add it to the key in the console under API keys. If it is not, someone else has the key: deactivate it, or rotate it without a grace period.",
      "You get at most one such message a day for each key. The audit trail has every minute in which it was refused.",
    ].join("\n\n"),
  };
}
