import { join, type Read, type Sql, sql } from "../db/sql.ts";
import { type EnvelopeId, type EventId, firstId, type OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import { Problem } from "../shared/problems.ts";

/** The events of an organization, as they were sent. */

export interface EventFilter {
  readonly event_type?: string | undefined;
  readonly envelope_id?: EnvelopeId | undefined;
  /** inclusive */
  readonly from?: Date | undefined;
  /** exclusive */
  readonly to?: Date | undefined;
}

/** The exact bytes that every delivery sends. */
export type EventBody = Buffer;

// Counting stops here. Further back, a time finds an event sooner than a page number.
const MAX_COUNTED = 10_000;

/** Newest first, which is the order of ids. Times are bounds of ids, so only the partitions of these times are read. */
export async function listEvents(read: Read, org: OrgId, filter: EventFilter, { page, limit }: PageRequest): Promise<Page<EventBody>> {
  const offset = (page - 1) * limit;
  if (offset >= MAX_COUNTED) throw new Problem("page_too_deep");
  const which = sql`from events e where e.org_id = ${org} ${conditionsOf(filter)}`;
  // In order, so that an index is read from its end. Otherwise the table may be, past events of others, until there are enough.
  const { rows: counted } = await read.query<{ n: number }>(sql`
    select count(*)::int as n from (select e.event_id ${which} order by e.event_id desc limit ${MAX_COUNTED + 1}) counted`);
  const { rows } = await read.query<{ body: EventBody }>(sql`
    select e.body ${which} order by e.event_id desc limit ${limit} offset ${offset}`);
  const found = counted[0]?.n ?? 0;
  const total_capped = found > MAX_COUNTED;
  return { items: rows.map(({ body }) => body), total: Math.min(found, MAX_COUNTED), ...(total_capped && { total_capped }) };
}

// No id is older than 1970.
const firstAt = (at: Date): string => firstId("event", Math.max(0, at.getTime()));

function conditionsOf({ event_type, envelope_id, from, to }: EventFilter): Sql {
  const conditions = [
    ...(event_type === undefined ? [] : [sql`and e.event_type = ${event_type}`]),
    ...(envelope_id === undefined ? [] : [sql`and e.envelope_id = ${envelope_id}`]),
    ...(from === undefined ? [] : [sql`and e.event_id >= ${firstAt(from)}`]),
    ...(to === undefined ? [] : [sql`and e.event_id < ${firstAt(to)}`]),
  ];
  return conditions.length === 0 ? sql`` : join(conditions, " ");
}

export async function findEvent(read: Read, org: OrgId, event_id: EventId): Promise<EventBody> {
  const { rows } = await read.query<{ body: EventBody }>(sql`
    select body from events where org_id = ${org} and event_id = ${event_id}`);
  const [event] = rows;
  if (event === undefined) throw new Problem("event_not_found");
  return event.body;
}
