import { after } from "../accounts/account.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { asSystem, systemOrigin } from "../shared/caller.ts";
import { DAY_SECONDS } from "../shared/durations.ts";
import type { DomainId, OrgId } from "../shared/ids.ts";
import { type DomainDeps, recordName } from "./domain.ts";
import { findDomain, listDomains, listDomainsToCheck, lockDomain, markFailing, markLost, markSeen } from "./domain-store.ts";

/** The daily job. A domain whose record is gone may have been sold, so it stops counting after a while. */

const LOST_AFTER_SECONDS = 30 * DAY_SECONDS;
const LOOK_UP_MS = 5_000;

export async function checkDomains(deps: DomainDeps): Promise<void> {
  for (const { org_id, domain_id } of await deps.db.system(listDomainsToCheck)) await checkDomain(deps, org_id, domain_id);
}

async function checkDomain(deps: DomainDeps, org: OrgId, domain_id: DomainId): Promise<void> {
  // An admin may have removed it since the list was read.
  const known = (await deps.db.tx(org, (tx) => listDomains(tx, org))).find((one) => one.domain_id === domain_id);
  if (known === undefined) return;
  const found = await deps.resolveTexts(recordName(known.domain), LOOK_UP_MS);
  // Name servers that do not answer say nothing about the record.
  if (found === null) return;
  const isSeen = found.includes(known.token);
  await deps.db.tx(org, async (tx) => {
    const isThere = (await listDomains(tx, org)).some((one) => one.domain_id === domain_id);
    if (!isThere) return;
    await lockDomain(tx, org, domain_id);
    const { domain, method, failing_since } = await findDomain(tx, org, domain_id);
    if (method !== "dns") return;
    if (isSeen) return markSeen(tx, org, domain_id);
    if (failing_since === null) {
      await markFailing(tx, org, domain_id);
      await tell(org, "domain_failing", `The record of ${domain} is missing`, [
        `The TXT record ${recordName(domain)} was not found, so it is not certain any more that ${domain} belongs to your organization.`,
        `Publish it again within 30 days: ${known.token}`,
        "After that the domain stops counting: single sign-on makes no new members with addresses in it.",
      ]);
      return;
    }
    if (after(failing_since, LOST_AFTER_SECONDS) > tx.now) return;
    await markLost(tx, org, domain_id);
    const by = asSystem(systemOrigin("countersign worker", "orgs.check-domains"));
    await appendAudit(tx, org, { type: "domain.lost", by, data: { domain_id, domain, failing_since: failing_since.toISOString() } });
    await tell(org, "domain_lost", `${domain} is no longer verified`, [
      `The TXT record ${recordName(domain)} was missing for 30 days, so ${domain} no longer counts as your organization's.`,
      "Single sign-on makes no new members with addresses in it. Members who used it before still log in. Verify the domain again in Settings.",
    ]);

    function tell(org_id: OrgId, kind: string, subject: string, paragraphs: readonly string[]): Promise<void> {
      return enqueue(tx, "orgs.notify-admins", { org_id, kind, subject, text: paragraphs.join("\n\n") });
    }
  });
}
