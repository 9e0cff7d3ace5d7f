import { isUniqueViolation } from "../db/errors.ts";
import { type Read, sql, type Tx } from "../db/sql.ts";
import type { DomainId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { type Domain, domainOf, type ProofMethod } from "./domain.ts";

/** The SQL of an organization's domains. */

const columns = sql`domain_id, domain, token, created_at, verified_at, method, last_seen_at, failing_since, mailed_to`;

export async function listDomains(read: Read, org: OrgId): Promise<Domain[]> {
  const { rows } = await read.query<Domain>(sql`select ${columns} from org_domains where org_id = ${org} order by domain_id desc`);
  return rows;
}

export async function findDomain(read: Read, org: OrgId, domain_id: DomainId): Promise<Domain> {
  const { rows } = await read.query<Domain>(sql`
    select ${columns} from org_domains where org_id = ${org} and domain_id = ${domain_id}`);
  const domain = rows[0];
  if (domain === undefined) throw new Problem("domain_not_found");
  return domain;
}

export async function lockDomain(tx: Tx, org: OrgId, domain_id: DomainId): Promise<Domain> {
  await tx.query(sql`select from org_domains where org_id = ${org} and domain_id = ${domain_id} for update`);
  return findDomain(tx, org, domain_id);
}

/** The verified domain that an address belongs to; null if the org has none that matches. A subdomain is a domain of its own. */
export async function lookUpOwnDomain(read: Read, org: OrgId, email: string): Promise<Domain | null> {
  const { rows } = await read.query<Domain>(sql`
    select ${columns} from org_domains where org_id = ${org} and domain = ${domainOf(email)} and verified_at is not null`);
  return rows[0] ?? null;
}

export async function isDomainElsewhere(read: Read, org: OrgId, domain: string): Promise<boolean> {
  const { rows } = await read.query<{ is: boolean }>(sql`select is_domain_elsewhere(${org}, ${domain}) as is`);
  return rows[0]?.is === true;
}

/** False if the organization has the domain already. */
export async function insertDomain(tx: Tx, org: OrgId, { domain_id, domain, token }: Pick<Domain, "domain_id" | "domain" | "token">) {
  const { rowCount } = await tx.query(sql`
    insert into org_domains (org_id, domain_id, domain, token) values (${org}, ${domain_id}, ${domain}, ${token})
    on conflict (org_id, domain) do nothing`);
  return rowCount === 1;
}

export async function deleteDomain(tx: Tx, org: OrgId, domain_id: DomainId): Promise<void> {
  await tx.query(sql`delete from org_domains where org_id = ${org} and domain_id = ${domain_id}`);
}

/** Of two organizations that prove a domain at once, the second gets 409. */
export async function markVerified(tx: Tx, org: OrgId, domain_id: DomainId, method: ProofMethod): Promise<void> {
  try {
    await tx.query(sql`
      update org_domains set verified_at = now(), method = ${method}, failing_since = null, mail_token_hash = null, mail_expires_at = null,
        last_seen_at = case when ${method} = 'dns' then now() end
      where org_id = ${org} and domain_id = ${domain_id}`);
  } catch (cause) {
    throw isUniqueViolation(cause) ? new Problem("domain_taken", "", { cause }) : cause;
  }
}

export async function keepMailProof(
  tx: Tx,
  org: OrgId,
  domain_id: DomainId,
  { to, token_hash, expires_at }: { readonly to: string; readonly token_hash: Buffer; readonly expires_at: Date },
): Promise<void> {
  await tx.query(sql`
    update org_domains set mailed_to = ${to}, mail_token_hash = ${token_hash}, mail_expires_at = ${expires_at}
    where org_id = ${org} and domain_id = ${domain_id}`);
}

/** The domain that a mailed link proves; null if the link is not valid. */
export async function lookUpDomainLink(read: Read, token_hash: Buffer): Promise<{ org_id: OrgId; domain_id: DomainId } | null> {
  const { rows } = await read.query<{ org_id: OrgId; domain_id: DomainId }>(sql`
    select org_id, domain_id from org_of_domain_link(${token_hash})`);
  return rows[0] ?? null;
}

/** Domains of all orgs that are proved by DNS. */
export async function listDomainsToCheck(read: Read): Promise<{ org_id: OrgId; domain_id: DomainId }[]> {
  const { rows } = await read.query<{ org_id: OrgId; domain_id: DomainId }>(sql`select org_id, domain_id from domains_to_check()`);
  return rows;
}

export async function markSeen(tx: Tx, org: OrgId, domain_id: DomainId): Promise<void> {
  await tx.query(sql`
    update org_domains set last_seen_at = now(), failing_since = null where org_id = ${org} and domain_id = ${domain_id}`);
}

export async function markFailing(tx: Tx, org: OrgId, domain_id: DomainId): Promise<void> {
  await tx.query(sql`update org_domains set failing_since = now() where org_id = ${org} and domain_id = ${domain_id}`);
}

export async function markLost(tx: Tx, org: OrgId, domain_id: DomainId): Promise<void> {
  await tx.query(sql`
    update org_domains set verified_at = null, method = null, failing_since = null where org_id = ${org} and domain_id = ${domain_id}`);
}
