import { join, type Read, type Sql, sql, type Tx } from "../../db/sql.ts";
import { listUndelivered } from "../../mail/store.ts";
import type { ActId, EnvelopeId, OrgId, PartyId, UserId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import { requireOne } from "../copy.ts";
import { isActFor } from "../custody/kept-store.ts";
import type { PartyPerson } from "../parties/party.ts";
import { peopleOf } from "../parties/store.ts";
import { makeClosingDue, unreachedVault } from "../remote-requests/asked-store.ts";
import { type Act, type ActState, type ActWithDecisions, type Approval, isOpen, type Need } from "./act.ts";

/** The SQL of acts and decisions. Callers that write hold the locks of the envelope and its copy, then that of the act. */

const stateNow = sql`case when a.state in ('proposed', 'registering') and a.expires_at <= clock_timestamp() then 'expired' else a.state end`;
const columns = sql`a.act_id, a.kind, a.envelope_id, a.control_batch_id, a.document, a.sha256, ${stateNow} as state, a.expected_version, a.proposed_by,
  a.principal, a.principal_email, a.proposed_at, a.expires_at, a.waits_until, a.closed_at, a.updated_at`;
const needColumns = sql`n.act_id, n.role, n.party_id, n.user_id, n.asked, coalesce(p.name, u.name, '') as name, ${unreachedVault} as vault_url`;
const approvalColumns = sql`act_id, approval_no, role, party_id, actor, principal, principal_email, decision, method, proof, is_member, approvers_replaced, at`;

export async function findAct(read: Read, org: OrgId, act_id: ActId): Promise<ActWithDecisions> {
  const [act] = await withDecisions(read, org, await actsBy(read, org, sql`a.act_id = ${act_id}`));
  if (act === undefined) throw new Problem("act_not_found");
  return act;
}

/** The last lock before the audit chain's. */
export async function lockAct(tx: Tx, org: OrgId, act_id: ActId): Promise<ActWithDecisions> {
  await tx.query(sql`select from control_acts where org_id = ${org} and act_id = ${act_id} for no key update`);
  return findAct(tx, org, act_id);
}

export async function listOpenActs(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<ActWithDecisions[]> {
  const acts = await actsBy(read, org, sql`a.envelope_id = ${envelope_id} and a.closed_at is null order by a.act_id`);
  return withDecisions(read, org, acts);
}

async function actsBy(read: Read, org: OrgId, which: Sql): Promise<Act[]> {
  const { rows } = await read.query<Act>(sql`select ${columns} from control_acts a where a.org_id = ${org} and ${which}`);
  return rows;
}

async function withDecisions(read: Read, org: OrgId, acts: readonly Act[]): Promise<ActWithDecisions[]> {
  const ids = acts.map(({ act_id }) => act_id);
  const needs = await read.query<Need & { act_id: ActId; vault_url: string | null }>(sql`
    select ${needColumns} from act_needs n left join parties p on p.org_id = n.org_id and p.party_id = n.party_id
      left join users u on u.user_id = n.user_id
    where n.org_id = ${org} and n.act_id = any(${ids}) order by n.act_id, n.need_no`);
  const approvals = await read.query<Approval & { act_id: ActId }>(sql`
    select ${approvalColumns} from act_approvals where org_id = ${org} and act_id = any(${ids}) order by act_id, approval_no`);
  const undelivered = await listUndelivered(read, org, ids);
  const people = undelivered.length === 0 ? new Map<PartyId, PartyPerson[]>() : await peopleOf(read, org, partiesOf(needs.rows));
  const unreachable = ({ party_id }: Need, { act_id }: Act): string[] => {
    const theirs = (party_id === null ? undefined : people.get(party_id)) ?? [];
    const lost = undelivered.filter(({ about, to }) => about === act_id && theirs.some(({ email }) => email === to));
    return [...new Set(lost.map(({ to }) => to))];
  };
  return acts.map((act) => ({
    ...act,
    needs: of(needs.rows, act).map(({ vault_url, ...need }) => ({
      ...need,
      unreachable: [...unreachable(need, act), ...(vault_url === null ? [] : [vault_url])],
    })),
    approvals: of(approvals.rows, act),
  }));
}

const partiesOf = (needs: readonly Need[]): PartyId[] => needs.flatMap(({ party_id }) => (party_id === null ? [] : [party_id]));

const of = <R extends { act_id: ActId }>(rows: readonly R[], { act_id }: Act): Omit<R, "act_id">[] =>
  rows.filter((row) => row.act_id === act_id).map(({ act_id: _act, ...row }) => row);

export type NewAct = Omit<Act, "state" | "waits_until" | "closed_at" | "updated_at">;

export async function insertAct(tx: Tx, org: OrgId, act: NewAct, needs: readonly Need[]): Promise<void> {
  await tx.query(sql`
    insert into control_acts (org_id, act_id, kind, envelope_id, control_batch_id, document, sha256, expected_version, proposed_by, principal, principal_email,
      proposed_at, expires_at, updated_at)
    values (${org}, ${act.act_id}, ${act.kind}, ${act.envelope_id}, ${act.control_batch_id}, ${act.document}, ${act.sha256}, ${act.expected_version},
      ${JSON.stringify(act.proposed_by)}, ${act.principal}, ${act.principal_email}, ${act.proposed_at}, ${act.expires_at}, ${act.proposed_at})`);
  for (const [index, { role, party_id, user_id, asked }] of needs.entries()) {
    await tx.query(sql`
      insert into act_needs (org_id, act_id, need_no, role, party_id, user_id, asked)
      values (${org}, ${act.act_id}, ${index + 1}, ${role}, ${party_id}, ${user_id}, ${asked})`);
  }
}

export async function insertApproval(tx: Tx, org: OrgId, act_id: ActId, approval: Approval): Promise<void> {
  const { approval_no, role, party_id, actor, principal, principal_email, decision, method, proof, is_member, approvers_replaced, at } =
    approval;
  await tx.query(sql`
    insert into act_approvals (org_id, act_id, approval_no, role, party_id, actor, principal, principal_email, decision, method, proof,
      is_member, approvers_replaced, at)
    values (${org}, ${act_id}, ${approval_no}, ${role}, ${party_id}, ${JSON.stringify(actor)}, ${principal}, ${principal_email}, ${decision},
      ${method}, ${proof === null ? null : JSON.stringify(proof)}, ${is_member}, ${approvers_replaced}, ${at})`);
}

/** Moves the act from the state in which the caller, who holds its lock, found it. */
export async function setActState(tx: Tx, org: OrgId, act: Pick<Act, "act_id">, to: ActState, at: Date): Promise<void> {
  const told = isOpen({ state: to }) ? sql`` : sql`with told as (${makeClosingDue(org, act.act_id, at)})`;
  const { rowCount } = await tx.query(sql`${told}
    update control_acts set state = ${to}, closed_at = ${isOpen({ state: to }) ? null : at}, updated_at = ${at}
    where org_id = ${org} and act_id = ${act.act_id} and closed_at is null`);
  requireOne(rowCount, `${act.act_id} is open no longer`);
}

/** Confirmed, and in effect at the given time unless someone objects. */
export async function beginWait(tx: Tx, org: OrgId, act: Pick<Act, "act_id">, waits_until: Date, at: Date): Promise<void> {
  await setActState(tx, org, act, "confirmed", at);
  await tx.query(sql`update control_acts set waits_until = ${waits_until} where org_id = ${org} and act_id = ${act.act_id}`);
}

export async function findWaitingActs(tx: Tx, limit: number): Promise<DueAct[]> {
  const { rows } = await tx.query<DueAct>(sql`select org_id, act_id from find_waiting_acts(${limit})`);
  return rows;
}

/** `updated_at` moves with every decision too, so that a poll with `updated_since` finds it. */
export async function touchAct(tx: Tx, org: OrgId, { act_id }: Pick<Act, "act_id">, at: Date): Promise<void> {
  await tx.query(sql`update control_acts set updated_at = ${at} where org_id = ${org} and act_id = ${act_id}`);
}

export interface ActFilter {
  readonly state?: ActState;
  readonly envelope_id?: string;
  readonly party_id?: string;
  readonly updated_since?: string;
  /** only acts on records that this member keeps; null: all */
  readonly keeper: UserId | null;
}

export async function listActs(read: Read, org: OrgId, filter: ActFilter, { page, limit }: PageRequest): Promise<Page<ActWithDecisions>> {
  const which = whereOf(org, filter);
  const acts = await actsBy(read, org, sql`${which} order by a.act_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`
    select count(*)::int as total from control_acts a where a.org_id = ${org} and ${which}`);
  return { items: await withDecisions(read, org, acts), total: counted[0]?.total ?? 0 };
}

function whereOf(org: OrgId, { state, envelope_id, party_id, updated_since, keeper }: ActFilter): Sql {
  const conditions = [sql`true`];
  if (keeper !== null) conditions.push(isActFor(org, keeper));
  if (state !== undefined) conditions.push(sql`${stateNow} = ${state}`);
  if (envelope_id !== undefined)
    conditions.push(sql`(a.envelope_id = ${envelope_id} or exists (
    select from control_batch_items i where i.org_id = a.org_id and i.control_batch_id = a.control_batch_id and i.envelope_id = ${envelope_id}))`);
  if (updated_since !== undefined) conditions.push(sql`a.updated_at >= ${new Date(updated_since)}`);
  if (party_id !== undefined) {
    conditions.push(sql`exists (select from act_needs n where n.org_id = a.org_id and n.act_id = a.act_id and n.party_id = ${party_id})`);
  }
  return join(conditions, " and ");
}

export interface DueAct {
  readonly org_id: OrgId;
  readonly act_id: ActId;
}

export async function findDueActs(tx: Tx, limit: number): Promise<DueAct[]> {
  const { rows } = await tx.query<DueAct>(sql`select org_id, act_id from find_due_acts(${limit})`);
  return rows;
}

/** The organization whose act it is, and the party that stands for the organization of the connection; null if it is in no such act. */
export async function lookUpActOfPartyOrg(read: Read, act_id: ActId): Promise<{ org_id: OrgId; party_id: PartyId } | null> {
  const { rows } = await read.query<{ org_id: OrgId; party_id: PartyId }>(
    sql`select org_id, party_id from find_act_of_party_org(${act_id})`,
  );
  return rows[0] ?? null;
}

export async function listActsOfPartyOrg(read: Read, isOpenOnly: boolean, limit: number): Promise<{ org_id: OrgId; act_id: ActId }[]> {
  const { rows } = await read.query<{ org_id: OrgId; act_id: ActId }>(sql`
    select org_id, act_id from acts_of_party_org(${isOpenOnly}, ${limit})`);
  return rows;
}
