import { type Read, sql, type Tx } from "../../db/sql.ts";
import type { ActId, AuthoritativeCopyId, OrgId } from "../../shared/ids.ts";
import { requireOne } from "../copy.ts";
import type { Outcome, Registration, Registry } from "./registry.ts";

/** The SQL of registries and registrations. Writers of a registration hold the lock of its act. */

export async function lookUpRegistry(read: Read, org: OrgId): Promise<Registry | null> {
  const { rows } = await read.query<Registry>(sql`
    select url, secret_enc, mode, kinds, created_at, updated_at from registries where org_id = ${org}`);
  return rows[0] ?? null;
}

/** The same, and no act begins to wait for it until the transaction ends. */
export async function lockRegistry(tx: Tx, org: OrgId): Promise<Registry | null> {
  await tx.query(sql`select from registries where org_id = ${org} for update`);
  return lookUpRegistry(tx, org);
}

/** The same for an act that is about to wait: the registry stays until the transaction ends. */
export async function holdRegistry(tx: Tx, org: OrgId): Promise<Registry | null> {
  await tx.query(sql`select from registries where org_id = ${org} for key share`);
  return lookUpRegistry(tx, org);
}

export async function saveRegistry(tx: Tx, org: OrgId, registry: Pick<Registry, "url" | "secret_enc" | "mode" | "kinds">): Promise<void> {
  const { url, secret_enc, mode, kinds } = registry;
  await tx.query(sql`
    insert into registries (org_id, url, secret_enc, mode, kinds) values (${org}, ${url}, ${secret_enc}, ${mode}, ${kinds})
    on conflict (org_id) do update set url = ${url}, secret_enc = ${secret_enc}, mode = ${mode}, kinds = ${kinds}, updated_at = now()`);
}

export async function deleteRegistry(tx: Tx, org: OrgId): Promise<void> {
  await tx.query(sql`delete from registries where org_id = ${org}`);
}

export interface Waiting {
  /** acts that wait for an answer */
  readonly waiting: number;
  /** of the latest attempt that failed, among registrations that are still open */
  readonly last_error: string | null;
}

export async function countWaiting(read: Read, org: OrgId): Promise<Waiting> {
  const { rows } = await read.query<Waiting>(sql`
    select (count(*) filter (where r.mode = 'gate' and a.state = 'registering' and a.expires_at > now()))::int as waiting,
      (array_agg(r.last_error order by r.attempts desc, r.act_id desc) filter (where r.last_error is not null))[1] as last_error
    from registrations r join control_acts a using (org_id, act_id) where r.org_id = ${org} and r.outcome is null`);
  return rows[0] ?? { waiting: 0, last_error: null };
}

export async function insertRegistration(
  tx: Tx,
  org: OrgId,
  one: Pick<Registration, "act_id" | "mode" | "body" | "give_up_at"> & { readonly now: Date },
): Promise<void> {
  await tx.query(sql`
    insert into registrations (org_id, act_id, mode, body, next_attempt_at, created_at, give_up_at)
    values (${org}, ${one.act_id}, ${one.mode}, ${one.body}, ${one.now}, ${one.now}, ${one.give_up_at})`);
}

const columns = sql`act_id, mode, body, attempts, next_attempt_at, last_error, outcome, give_up_at`;

export async function lookUpRegistration(read: Read, org: OrgId, act_id: ActId): Promise<Registration | null> {
  const { rows } = await read.query<Registration>(sql`
    select ${columns} from registrations where org_id = ${org} and act_id = ${act_id}`);
  return rows[0] ?? null;
}

/** Takes a due one for an attempt. Others leave it alone for `seconds`, longer than a request can last. */
export async function claimRegistration(tx: Tx, org: OrgId, act_id: ActId, seconds: number): Promise<Registration | null> {
  const { rows } = await tx.query<Registration>(sql`
    update registrations set attempts = attempts + 1, next_attempt_at = clock_timestamp() + make_interval(secs => ${seconds})
    where org_id = ${org} and act_id = ${act_id} and next_attempt_at <= clock_timestamp() returning ${columns}`);
  return rows[0] ?? null;
}

export async function delayRegistration(tx: Tx, org: OrgId, act_id: ActId, seconds: number, error: string): Promise<void> {
  await tx.query(sql`
    update registrations set next_attempt_at = clock_timestamp() + make_interval(secs => ${seconds}), last_error = ${error}
    where org_id = ${org} and act_id = ${act_id} and outcome is null`);
}

export interface Settlement {
  readonly outcome: Outcome;
  readonly reference?: string | null;
  readonly answer_sha256?: string | null;
}

export async function closeRegistration(tx: Tx, org: OrgId, act_id: ActId, settled: Settlement): Promise<void> {
  const { outcome, reference = null, answer_sha256 = null } = settled;
  await tx.query(sql`
    update registrations set next_attempt_at = null, outcome = ${outcome}, reference = ${reference}, answer_sha256 = ${answer_sha256},
      settled_at = clock_timestamp()
    where org_id = ${org} and act_id = ${act_id} and outcome is null`);
}

export async function findDueRegistrations(tx: Tx, limit: number): Promise<{ org_id: OrgId; act_id: ActId }[]> {
  const { rows } = await tx.query<{ org_id: OrgId; act_id: ActId }>(sql`select org_id, act_id from find_due_registrations(${limit})`);
  return rows;
}

/** The act waits for the registry, with the registry's time. */
export async function beginRegistering(tx: Tx, org: OrgId, act_id: ActId, { at, until }: { at: Date; until: Date }): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update control_acts set state = 'registering', expires_at = ${until}, updated_at = ${at}
    where org_id = ${org} and act_id = ${act_id} and closed_at is null`);
  requireOne(rowCount, `${act_id} is open no longer`);
}

export async function setReference(tx: Tx, org: OrgId, copy_id: AuthoritativeCopyId, reference: string): Promise<void> {
  await tx.query(sql`update authoritative_copies set registry_reference = ${reference} where org_id = ${org} and copy_id = ${copy_id}`);
}
