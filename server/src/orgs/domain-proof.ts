import { after } from "../accounts/account.ts";
import { findOrg } from "../accounts/store.ts";
import { appendAudit } from "../audit/append-audit.ts";
import { addressGroup } from "../http/address.ts";
import type { Visitor } from "../http/endpoint.ts";
import { takeQuota } from "../http/quota.ts";
import { queueMail } from "../mail/queue-mail.ts";
import { asSystem, type Member } from "../shared/caller.ts";
import { DAY_SECONDS, HOUR_SECONDS } from "../shared/durations.ts";
import { type DomainId, newId } from "../shared/ids.ts";
import { invalidField, Problem } from "../shared/problems.ts";
import { newToken, sha256 } from "../shared/secrets.ts";
import { type Domain, type DomainDeps, isShared, type Mailbox, recordName } from "./domain.ts";
import {
  deleteDomain,
  findDomain,
  insertDomain,
  isDomainElsewhere,
  keepMailProof,
  listDomains,
  lockDomain,
  lookUpDomainLink,
  markVerified,
} from "./domain-store.ts";
import { domainProofMail } from "./messages.ts";

/** Adding, proving and removing the domains of an organization. */

const DOMAINS_PER_ORG = 20;
const LINK_SECONDS = DAY_SECONDS;
const MAILS_PER_HOUR = 5;
const LOOK_UP_MS = 5_000;

export async function addDomain(deps: DomainDeps, admin: Member, given: string): Promise<Domain> {
  const domain = given.toLowerCase();
  if (isShared(domain)) throw invalidField("domain", "invalid_value", "is shared by many people, so it cannot be one organization's");
  return deps.db.tx(admin.org, async (tx) => {
    if (await isDomainElsewhere(tx, admin.org, domain)) throw new Problem("domain_taken");
    if ((await listDomains(tx, admin.org)).length >= DOMAINS_PER_ORG) throw new Problem("too_many_domains");
    const domain_id = newId("orgDomain", tx.now.getTime());
    if (!(await insertDomain(tx, admin.org, { domain_id, domain, token: newToken() }))) throw new Problem("domain_exists");
    await appendAudit(tx, admin.org, { type: "domain.added", by: admin, data: { domain_id, domain } });
    return findDomain(tx, admin.org, domain_id);
  });
}

/** Looks for the TXT record before the transaction. */
export async function proveByDns(deps: DomainDeps, admin: Member, domain_id: DomainId): Promise<Domain> {
  const { domain, token } = await deps.db.tx(admin.org, (tx) => findDomain(tx, admin.org, domain_id));
  const found = await deps.resolveTexts(recordName(domain), LOOK_UP_MS);
  if (found === null) throw new Problem("name_servers_away");
  if (!found.includes(token)) {
    const message = `no TXT record of ${recordName(domain)} is the token. A new record can take hours until every name server has it`;
    throw new Problem("domain_not_proven", "", { details: [{ location: "path", field: "domain_id", code: "domain_not_proven", message }] });
  }
  return deps.db.tx(admin.org, async (tx) => {
    const now = await lockDomain(tx, admin.org, domain_id);
    if (now.method === "dns") return now;
    await markVerified(tx, admin.org, domain_id, "dns");
    await appendAudit(tx, admin.org, { type: "domain.verified", by: admin, data: { domain_id, domain, method: "dns" } });
    return findDomain(tx, admin.org, domain_id);
  });
}

/** Mails a link to a mailbox that only the people who run the domain have. */
export async function mailDomainProof(deps: DomainDeps, admin: Member, domain_id: DomainId, mailbox: Mailbox): Promise<Domain> {
  if (deps.mail.smtp === null) throw new Problem("mail_server_missing");
  return deps.db.tx(admin.org, async (tx) => {
    const { domain, verified_at } = await lockDomain(tx, admin.org, domain_id);
    if (verified_at !== null) throw new Problem("domain_verified");
    const quota = await takeQuota(tx, `domain-mail:${admin.org}`, MAILS_PER_HOUR, HOUR_SECONDS);
    if (!quota.accepted) throw new Problem("rate_limited", "domain mail", { quota, retryAfterSeconds: HOUR_SECONDS });
    const [token, to] = [newToken(), `${mailbox}@${domain}`];
    const expires_at = after(tx.now, LINK_SECONDS);
    await keepMailProof(tx, admin.org, domain_id, { to, token_hash: sha256(token), expires_at });
    const { name } = await findOrg(tx, admin.org);
    const words = domainProofMail({ org_name: name, domain, url: `${deps.publicUrl}/console/domain#token=${token}` });
    await queueMail(deps.mail, tx, null, { ...words, to, org_name: null, expires_at });
    return findDomain(tx, admin.org, domain_id);
  });
}

const LINKS_PER_QUARTER = 30;

/** A person who reads the mailbox confirms that the organization may use the domain. No account is needed. */
export async function confirmDomain(deps: DomainDeps, visitor: Visitor, token: string): Promise<{ domain: string; org_name: string }> {
  const subject = `domain-link:${addressGroup(visitor.ip)}`;
  const quota = await deps.db.lease((read) => takeQuota(read, subject, LINKS_PER_QUARTER, 900));
  if (!quota.accepted) throw new Problem("rate_limited", "domain link", { quota, retryAfterSeconds: 900 });
  const found = await deps.db.lease((read) => lookUpDomainLink(read, sha256(token)));
  if (found === null) throw new Problem("invalid_link");
  const { org_id, domain_id } = found;
  return deps.db.tx(org_id, async (tx) => {
    const { domain, mailed_to } = await lockDomain(tx, org_id, domain_id);
    // Of two uses of the link at once, the second one finds it gone.
    if ((await lookUpDomainLink(tx, sha256(token))) === null) throw new Problem("invalid_link");
    await markVerified(tx, org_id, domain_id, "mail");
    const data = { domain_id, domain, method: "mail", mailed_to };
    await appendAudit(tx, org_id, { type: "domain.verified", by: asSystem(visitor), data });
    return { domain, org_name: (await findOrg(tx, org_id)).name };
  });
}

export async function removeDomain(deps: DomainDeps, admin: Member, domain_id: DomainId): Promise<void> {
  await deps.db.tx(admin.org, async (tx) => {
    const { domain } = await lockDomain(tx, admin.org, domain_id);
    await deleteDomain(tx, admin.org, domain_id);
    await appendAudit(tx, admin.org, { type: "domain.removed", by: admin, data: { domain_id, domain } });
  });
}
