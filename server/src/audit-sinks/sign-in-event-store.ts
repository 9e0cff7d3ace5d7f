import { type Read, sql, type Tx } from "../db/sql.ts";
import type { KeyId, OrgId, UserId } from "../shared/ids.ts";

/** Failed and blocked log-ins of the organization's members, refused keys and requests that were not allowed. */

export interface SignInEvent {
  readonly event_no: number;
  readonly user_id: UserId | null;
  readonly key_id: KeyId | null;
  readonly ip: string;
  readonly user_agent: string;
  readonly method: string;
  readonly result: string;
  readonly reason: string;
  readonly count: number;
  readonly first_at: Date;
  readonly last_at: Date;
}

const numbered = (rows: (SignInEvent & { event_no: unknown })[]): SignInEvent[] =>
  rows.map((row) => ({ ...row, event_no: Number(row.event_no) }));

const columns = sql`event_no, user_id, key_id, host(ip) as ip, user_agent, method, result, reason, attempts as count, first_at, last_at`;

export async function listSignIns(read: Read, org: OrgId, after: number, limit: number): Promise<SignInEvent[]> {
  const { rows } = await read.query<SignInEvent>(sql`
    select ${columns} from sign_in_events where org_id = ${org} and event_no > ${after} order by event_no limit ${limit}`);
  return numbered(rows);
}

/** The number of the event before the latest `count`. */
export async function numberBeforeLatest(read: Read, org: OrgId, count: number): Promise<number> {
  const { rows } = await read.query<{ event_no: string }>(sql`
    select event_no from sign_in_events where org_id = ${org} order by event_no desc limit 1 offset ${count}`);
  return Number(rows[0]?.event_no ?? 0);
}

/** The last number that was given to any organization; 0 before the first one. */
export async function lastSignInEvent(read: Read): Promise<number> {
  const { rows } = await read.query<{ last: string }>(sql`select last_sign_in_event() as last`);
  return Number(rows[0]?.last);
}

export interface MovedSignIns {
  readonly placed: number;
  /** above the limit of a minute */
  readonly dropped: number;
  /** attempts with addresses that have no account */
  readonly unknown: number;
}

/** `most`: rows that an organization gets for one minute. */
export async function moveSignIns(tx: Tx, most: number): Promise<MovedSignIns> {
  const { rows } = await tx.query<Record<keyof MovedSignIns, string>>(sql`select placed, dropped, unknown from move_sign_ins(${most})`);
  return { placed: Number(rows[0]?.placed), dropped: Number(rows[0]?.dropped), unknown: Number(rows[0]?.unknown) };
}

export async function forgetSignIns(tx: Tx, days: number, limit: number): Promise<number> {
  const { rows } = await tx.query<{ n: string }>(sql`select forget_sign_ins(${days}, ${limit}) as n`);
  return Number(rows[0]?.n);
}
