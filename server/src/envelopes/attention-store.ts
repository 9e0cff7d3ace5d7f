import { type Read, raw, type Sql, sql } from "../db/sql.ts";
import type { EnvelopeId, OrgId, UserId } from "../shared/ids.ts";
import { drafts, type Status } from "./envelope.ts";
import { listFiltered } from "./filter-store.ts";
import { expiryOf } from "./status-now.ts";

/** What will not continue without a person. Every count stops at a maximum, so that it costs the same in an organization of any size. */

/** A count that stopped at the maximum says so. */
export interface Counted {
  readonly count: number;
  readonly capped: boolean;
}

export interface NeedsAttention extends Counted {
  /** the first few */
  readonly items: readonly FoundEnvelope[];
}

export interface FoundEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  readonly status: Status;
  readonly updated_at: Date;
  readonly sent_at: Date | null;
  readonly expires_at: Date | null;
  /** whose message did not arrive; null for other reasons */
  readonly person: { readonly name: string; readonly email: string } | null;
}

const MAX_COUNTED = 1_000;
const MAX_SHOWN = 5;
/** Enough for a reminder and an answer, also over a weekend. */
export const SOON_DAYS = 3;

const capped = (n: number): Counted => ({ count: Math.min(n, MAX_COUNTED), capped: n > MAX_COUNTED });

async function count(read: Read, rows: Sql): Promise<Counted> {
  const { rows: found } = await read.query<{ n: number }>(
    sql`select count(*)::int as n from (${rows} limit ${MAX_COUNTED + 1}) as counted`,
  );
  return capped(found[0]?.n ?? 0);
}

const COLUMNS = "e.envelope_id, e.envelope_name, e.status, e.updated_at, e.sent_at, e.expires_at";
const EXPIRY = raw(`(${expiryOf({ of: "e." })})`);
const openOnes = (org: OrgId): Sql => sql`from envelopes e where e.org_id = ${org} and ${EXPIRY} > now()`;

/** Envelopes that this person was asked to act on. */
export async function waitingForMe(read: Read, org: OrgId, user_id: UserId): Promise<NeedsAttention> {
  const { items, total } = await listFiltered(read, org, { waiting_for: user_id }, { page: 1, limit: MAX_SHOWN });
  const { rows } = await read.query<FoundEnvelope>(sql`
    select ${raw(COLUMNS)}, null as person from envelopes e
    where e.org_id = ${org} and e.envelope_id = any(${items.map(({ envelope_id }) => envelope_id)}) order by e.expires_at, e.envelope_id`);
  return { ...capped(total), items: rows };
}

/** Envelopes that were sent and have not ended. */
export const countOpen = (read: Read, org: OrgId): Promise<Counted> => count(read, sql`select ${openOnes(org)}`);

export async function expiringSoon(read: Read, org: OrgId): Promise<NeedsAttention> {
  const soon = sql`${openOnes(org)} and ${EXPIRY} < now() + make_interval(days => ${SOON_DAYS})`;
  const { rows } = await read.query<FoundEnvelope>(sql`
    select ${raw(COLUMNS)}, null as person ${soon} order by ${EXPIRY}, e.envelope_id limit ${MAX_SHOWN}`);
  return { ...(await count(read, sql`select ${soon}`)), items: rows };
}

/**
 * Of the newest drafts of each kind, those that were changed last. The ids that are counted come from the index of the status, newest first:
 * asked for the newest five, the database would look for them among all envelopes.
 */
export async function listDrafts(read: Read, org: OrgId): Promise<NeedsAttention> {
  const { rows: found } = await read.query<{ n: number; ids: EnvelopeId[] }>(sql`
    select d.n, d.ids from unnest(${drafts}::text[]) as s (status), lateral (
      select count(*)::int as n, (array_agg(c.envelope_id order by c.envelope_id desc))[1:${raw(String(MAX_SHOWN))}] as ids from (
        select envelope_id from envelopes where org_id = ${org} and status = s.status limit ${MAX_COUNTED + 1}) c) d`);
  const { rows: items } = await read.query<FoundEnvelope>(sql`
    select ${raw(COLUMNS)}, null as person from envelopes e
    where e.org_id = ${org} and e.envelope_id = any(${found.flatMap(({ ids }) => ids ?? [])})
    order by e.updated_at desc, e.envelope_id desc limit ${MAX_SHOWN}`);
  return { ...capped(found.reduce((sum, { n }) => sum + n, 0)), items };
}

/**
 * Open envelopes whose last message to a person who still has to act did not arrive. Of the messages that did not arrive, the newest are
 * looked at: if there are more than the maximum, the count says that it stopped.
 */
export async function undelivered(read: Read, org: OrgId): Promise<NeedsAttention> {
  const { rows } = await read.query<FoundEnvelope & { readonly looked_at: number }>(sql`
    with undelivered as materialized (
      select m.envelope_id, m.to_address, m.message_id from mail_messages m
      where m.org_id = ${org} and m.envelope_id is not null and m.attempts > 0
        and (m.bounced_at is not null or (m.state = 'failed' and m.last_error is distinct from 'withdrawn'))
      order by m.message_id desc limit ${MAX_COUNTED + 1})
    select (select count(*)::int from undelivered) as looked_at, ${raw(COLUMNS)},
      jsonb_build_object('name', s.name, 'email', s.email) as person
    from undelivered u
      join envelopes e on e.org_id = ${org} and e.envelope_id = u.envelope_id and ${EXPIRY} > now()
      join signers s on s.org_id = ${org} and s.envelope_id = u.envelope_id and s.removed_at is null
        and s.email_key = email_key(u.to_address) and s.kind <> 'cc' and s.status in ('pending', 'viewed')
    where not exists (
      select from mail_messages l where l.org_id = ${org} and l.envelope_id = u.envelope_id and l.message_id > u.message_id
        and email_key(l.to_address) = email_key(u.to_address))
    order by u.message_id desc`);
  const ids = new Set(rows.map(({ envelope_id }) => envelope_id));
  const items = rows.filter(({ envelope_id }, index) => rows.findIndex((row) => row.envelope_id === envelope_id) === index);
  return { count: ids.size, capped: (rows[0]?.looked_at ?? 0) > MAX_COUNTED, items: items.slice(0, MAX_SHOWN) };
}

export interface CompletedEnvelope {
  readonly envelope_id: EnvelopeId;
  readonly envelope_name: string;
  readonly status: Status;
  readonly completed_at: Date;
}

// Originals that were deposited count as completed without having been sent. After a large deposit, no more of them are read.
const MAX_DEPOSITED = 1_000;

/** The envelopes whose last recipient acted most recently, from the index of their completion. */
export async function lastCompleted(read: Read, org: OrgId): Promise<readonly CompletedEnvelope[]> {
  const { rows } = await read.query<CompletedEnvelope>(sql`
    with newest as materialized (
      select envelope_id, completed_at, sent_at from envelopes
      where org_id = ${org} and completed_at is not null order by completed_at desc limit ${MAX_DEPOSITED}
    ), sent as materialized (
      select envelope_id from newest where sent_at is not null order by completed_at desc, envelope_id desc limit ${MAX_SHOWN}
    )
    select e.envelope_id, e.envelope_name, e.status, e.completed_at
    from sent join envelopes e on e.org_id = ${org} and e.envelope_id = sent.envelope_id
    order by e.completed_at desc, e.envelope_id desc`);
  return rows;
}
