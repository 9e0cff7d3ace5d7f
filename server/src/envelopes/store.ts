import { lockRecord } from "../db/locks.ts";
import { join, named, type Read, raw, type Sql, sql, type Tx } from "../db/sql.ts";
import type { Actor } from "../shared/caller.ts";
import { emailKey } from "../shared/email.ts";
import { type BatchId, type CustomerId, type EnvelopeId, type FormId, isSandbox, type OrgId, type UserId } from "../shared/ids.ts";
import type { Locale } from "../shared/locales.ts";
import { Problem } from "../shared/problems.ts";
import { nameKey, wordsOf } from "../shared/search-words.ts";
import type { Chosen } from "./choices.ts";
import { type Envelope, type Move, moves, open, type Status } from "./envelope.ts";
import { statusNow } from "./status-now.ts";

/** Of the envelope `e`. The people of a draft have the steps that they would be sent with, unless those are still to be made from the order. */
export const SHOWN_RECIPIENTS = sql`case when e.submission_id is null then coalesce((
    select jsonb_agg(jsonb_build_object('recipient_id', null, 'kind', coalesce(s ->> 'kind', 'signer'), 'email', s ->> 'email', 'name', s ->> 'name',
      'role', s ->> 'role', 'step', coalesce((s ->> 'step')::int, case
        when s ->> 'kind' = 'cc' then null when e.signing_order = 'parallel' then 1
        else (select count(*) from jsonb_array_elements(e.signers) with ordinality as others (o, at)
          where at <= place and coalesce(o ->> 'kind', 'signer') <> 'cc') end), 'status', 'pending', 'slug', null,
      'delivery', coalesce(s ->> 'delivery', 'email'), 'locale', s ->> 'locale', 'message', s ->> 'message', 'acted_at', null,
      'authentication', s -> 'authentication') order by place)
    from jsonb_array_elements(e.signers) with ordinality as saved (s, place)), '[]')
  else coalesce((
    select jsonb_agg(jsonb_build_object('recipient_id', recipient_id, 'kind', kind, 'email', email, 'name', name, 'role', role, 'step', step,
      'status', status, 'slug', slug, 'delivery', delivery, 'locale', locale, 'message', message, 'acted_at', acted_at) order by step nulls last, turn)
    from signers s where s.org_id = e.org_id and s.submission_id = e.submission_id and s.removed_at is null), '[]') end`;

const columns = sql`e.envelope_id, e.envelope_name, ${raw(statusNow({ of: "e." }))} as status, e.customer_id, e.original_customer_id, e.external_id, e.created_at, e.updated_at,
  e.template_id, e.is_upload, e.directory_id, e.auto_vault_enabled, e.kba_required, e.signers, e.custom, e.secured_party, e.message, e.mail_subject,
  e.signing_order, e.expires_in_days, e.remind_every_days, e.remind_first_after_days, e.remind_last_days_before, e.submission_id, e.sent_at, e.sent_by, e.expires_at, e.next_reminder_at, e.completed_at,
  e.ended_at, e.reason, e.certificate_path, e.vault_file_path, e.deposit_source, e.record_type, e.instrument, e.maker_roles, e.owner_user_id, e.form_id, e.batch_id,
  array(select t.name from envelope_tags et join tags t using (org_id, tag_key)
    where et.org_id = e.org_id and et.envelope_id = e.envelope_id order by et.tag_key) as tags,
  (select jsonb_build_object('key_id', k.key_id, 'partner_name', k.partner_name) from api_keys k
    where k.org_id = e.org_id and k.key_id = e.created_by) as prepared_by,
  case when e.submission_id is null
    then (select count(*)::int from jsonb_array_elements(e.signers) s where coalesce(s ->> 'kind', 'signer') = 'signer')
    else (select count(*)::int from signers s
      where s.org_id = e.org_id and s.submission_id = e.submission_id and s.kind = 'signer' and s.removed_at is null) end as signer_count,
  ${SHOWN_RECIPIENTS} as recipients`;

export async function findEnvelope(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Envelope> {
  const { rows } = await read.query<Envelope>(named("find-envelope")`
    select ${columns} from envelopes e where e.org_id = ${org} and e.envelope_id = ${envelope_id}`);
  const envelope = rows[0];
  if (envelope === undefined) throw new Problem("envelope_not_found");
  return envelope;
}

export type EnvelopeStatus = Pick<Envelope, "envelope_id" | "status" | "completed_at" | "certificate_path" | "updated_at">;

const STATUS = `
  select envelope_id, ${statusNow()} as status,
    completed_at, certificate_path, updated_at
  from envelopes where org_id = $1 and envelope_id = $2`;

/** Reads one row by its key, because some callers poll every few seconds. */
export async function findStatus(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<EnvelopeStatus> {
  const { rows } = await read.query<EnvelopeStatus>({ name: "envelope-status", text: STATUS, values: [org, envelope_id] });
  if (rows[0] === undefined) throw new Problem("envelope_not_found");
  return rows[0];
}

/** Who created it, by the id of the key or user, and its status. */
export async function lookUpAuthor(
  read: Read,
  org: OrgId,
  envelope_id: EnvelopeId,
): Promise<{ readonly created_by: string | null; readonly status: Status } | null> {
  const { rows } = await read.query<{ created_by: string | null; status: Status }>(sql`
    select created_by, ${raw(statusNow())} as status from envelopes where org_id = ${org} and envelope_id = ${envelope_id}`);
  return rows[0] ?? null;
}

/** The envelope's row MUST be locked first in every transaction that changes it. */
export async function lockRow(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<Envelope> {
  await tx.query(named("lock-envelope")`select from envelopes where org_id = ${org} and envelope_id = ${envelope_id} for no key update`);
  return findEnvelope(tx, org, envelope_id);
}

type Written =
  | "envelope_name"
  | "external_id"
  | "kba_required"
  | "auto_vault_enabled"
  | "message"
  | "mail_subject"
  | "signing_order"
  | "expires_in_days"
  | "remind_every_days"
  | "remind_first_after_days"
  | "remind_last_days_before"
  | "submission_id"
  | "sent_at"
  | "sent_by"
  | "expires_at"
  | "next_reminder_at"
  | "completed_at"
  | "ended_at"
  | "reason"
  | "certificate_path"
  | "vault_file_path"
  | "deposit_source"
  | "record_type"
  | "maker_roles"
  | "discarded_at";

/** The columns of an envelope that can be written, without its status. JSON columns are passed as text. */
export type EnvelopeColumns = { readonly [C in Written]?: Envelope[C] } & {
  readonly signers?: string;
  readonly secured_party?: string | null;
  readonly instrument?: string;
  /** `moveEnvelope` is the only writer of the status */
  readonly status?: never;
};

// Two changes never have the same time, not even if both transactions begin in one millisecond, which is what responses and ETags show: who
// read the envelope before the second one must find out.
const CHANGED_AT = sql`greatest(now(), updated_at + interval '1 millisecond')`;

/**
 * The only writer of `status`. A move that the table does not list is 409 and leaves no trace. Of several concurrent moves, only one
 * finds the status that it needs.
 */
export async function moveEnvelope(tx: Tx, org: OrgId, envelope_id: EnvelopeId, move: Move, columns: EnvelopeColumns = {}): Promise<void> {
  const { from, to } = moves[move];
  const fits =
    move === "expire" ? sql`and expires_at <= now()` : includesOpen(from) ? sql`and (expires_at is null or expires_at > now())` : sql``;
  const { rowCount } = await tx.query(sql`
    update envelopes set status = ${to}, updated_at = ${CHANGED_AT}${assignments(columns)}
    where org_id = ${org} and envelope_id = ${envelope_id} and status = any(${from}) ${fits}`);
  if (rowCount === 1) return;
  const { status } = await findEnvelope(tx, org, envelope_id);
  throw wrongStatus(move, status);
}

const includesOpen = (from: readonly Status[]): boolean => from.includes("sent") || from.includes("viewed");

export function wrongStatus(act: string, status: Status): Problem {
  return new Problem("envelope_wrong_status", `${act} from ${status}`, { words: { status } });
}

function assignments(given: EnvelopeColumns): Sql {
  const columns = given.envelope_name === undefined ? given : { ...given, name_key: nameKey(given.envelope_name) };
  const set = Object.entries(columns).map(([column, value]) => sql`, ${raw(column)} = ${value}`);
  return set.length === 0 ? sql`` : join(set, "");
}

/** Changes any columns except the status. */
export async function updateEnvelope(tx: Tx, org: OrgId, envelope_id: EnvelopeId, columns: EnvelopeColumns): Promise<void> {
  await tx.query(sql`
    update envelopes set updated_at = ${CHANGED_AT}${assignments(columns)} where org_id = ${org} and envelope_id = ${envelope_id}`);
}

/** The same for an envelope that people can act on now; 409 for any other. */
export async function updateOpen(tx: Tx, org: OrgId, envelope_id: EnvelopeId, columns: EnvelopeColumns): Promise<void> {
  const { rowCount } = await tx.query(sql`
    update envelopes set updated_at = ${CHANGED_AT}${assignments(columns)}
    where org_id = ${org} and envelope_id = ${envelope_id} and status = any(${open}) and expires_at > now()`);
  if (rowCount === 1) return;
  const { status } = await findEnvelope(tx, org, envelope_id);
  throw wrongStatus("change", status);
}

/** Sorting names and owners of envelopes from before there were such columns. An owner that was given since stays. */
export async function fillNames(tx: Tx, org: OrgId, given: readonly { readonly id: EnvelopeId; readonly key: string }[]): Promise<void> {
  await tx.query(sql`
    update envelopes e set name_key = g.key, owner_user_id = coalesce(e.owner_user_id, case when left(e.created_by, 4) = 'usr_' then e.created_by
      else (select k.created_by from api_keys k where k.org_id = e.org_id and k.key_id = e.created_by) end)
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id text, key text) where e.org_id = ${org} and e.envelope_id = g.id`);
}

/** Lists by change leave it where it is: who looks after an envelope is not a change of the envelope. */
export async function updateOwner(tx: Tx, org: OrgId, envelope_id: EnvelopeId, owner: UserId): Promise<void> {
  await tx.query(sql`update envelopes set owner_user_id = ${owner} where org_id = ${org} and envelope_id = ${envelope_id}`);
}

/** Whether a secured party is on record. If so, only an assignment with its consent can change it. */
export async function hasAssignee(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<boolean> {
  const { rows } = await read.query(sql`select from assignments where org_id = ${org} and envelope_id = ${envelope_id} limit 1`);
  return rows.length > 0;
}

export type NewEnvelope = Pick<Envelope, "envelope_id" | "envelope_name" | "status" | "signers" | "auto_vault_enabled" | "kba_required"> &
  Partial<
    Pick<
      Envelope,
      | "customer_id"
      | "external_id"
      | "template_id"
      | "is_upload"
      | "custom"
      | "secured_party"
      | "record_type"
      | "instrument"
      | "maker_roles"
    >
  > &
  Partial<Chosen> & {
    readonly created_by: string;
    readonly owner_user_id?: UserId | undefined;
    readonly form_id?: FormId | undefined;
    readonly batch_id?: BatchId | undefined;
  };

/** What `q` searches, the most important first. Tags and customers are searched where they are stored. */
export const searchedTexts = ({ envelope_name, external_id, people }: Searched): (string | null)[] => [
  envelope_name,
  external_id,
  ...people.flatMap(({ name, email }) => [name, email]),
];

export interface Searched extends Pick<Envelope, "envelope_name" | "external_id"> {
  readonly people: readonly { readonly name: string; readonly email: string }[];
}

/** With the id of the first one that moved. The customer that an envelope had at first is kept. */
export async function giveToCustomer(
  tx: Tx,
  org: OrgId,
  from: CustomerId,
  into: CustomerId | null,
): Promise<{ moved: number; first: EnvelopeId | null }> {
  const { rows } = await tx.query<{ moved: number; first: EnvelopeId | null }>(sql`
    with moved as (
      update envelopes set customer_id = ${into}, original_customer_id = coalesce(original_customer_id, customer_id)
      where org_id = ${org} and customer_id = ${from} returning envelope_id
    ) select count(*)::int as moved, min(envelope_id) as first from moved`);
  return rows[0] ?? { moved: 0, first: null };
}

const MAX_SANDBOX_ENVELOPES = 1_000;

/** Throws 409 if a sandbox has as many envelopes of the last 24 hours as it may have. Of several at once, one after the other is counted. */
async function refuseFullSandbox(tx: Tx, org: OrgId): Promise<void> {
  if (!isSandbox(org)) return;
  await lockRecord(tx, "sandbox envelopes", org);
  const { rows } = await tx.query<{ n: number }>(sql`
    select count(*)::int as n from envelopes where org_id = ${org} and created_at > now() - interval '1 day'`);
  if ((rows[0]?.n ?? 0) >= MAX_SANDBOX_ENVELOPES) throw new Problem("sandbox_full", "envelopes");
}

/** In one statement with the words by which it is found. It belongs to the user who creates it, or to the creator of the key that does. */
export async function insertEnvelope(tx: Tx, org: OrgId, envelope: NewEnvelope): Promise<void> {
  await refuseFullSandbox(tx, org);
  const { envelope_id, envelope_name, status, auto_vault_enabled, kba_required, created_by } = envelope;
  const { customer_id = null, external_id = null, template_id = null, is_upload = false, owner_user_id = null } = envelope;
  const { form_id = null, batch_id = null } = envelope;
  const { record_type = "other", maker_roles = [] } = envelope;
  const { message = null, mail_subject = null, signing_order = "sequential", expires_in_days = 30 } = envelope;
  const { remind_every_days = null, remind_first_after_days = null, remind_last_days_before = null } = envelope;
  const words = wordsOf(searchedTexts({ envelope_name, external_id, people: envelope.signers }));
  await tx.query(named("insert-envelope")`
    with made as (
      insert into envelopes (org_id, envelope_id, envelope_name, name_key, status, customer_id, external_id, template_id, is_upload,
        auto_vault_enabled, kba_required, signers, custom, secured_party, record_type, instrument, maker_roles, message, mail_subject, signing_order,
        expires_in_days, remind_every_days, remind_first_after_days, remind_last_days_before, created_by, form_id, batch_id, owner_user_id)
      values (${org}, ${envelope_id}, ${envelope_name}, ${nameKey(envelope_name)}, ${status}, ${customer_id}, ${external_id}, ${template_id},
        ${is_upload}, ${auto_vault_enabled}, ${kba_required}, ${JSON.stringify(envelope.signers)}, ${json(envelope.custom)},
        ${json(envelope.secured_party)}, ${record_type}, ${json(envelope.instrument)}, ${maker_roles}, ${message}, ${mail_subject},
        ${signing_order}, ${expires_in_days}, ${remind_every_days}, ${remind_first_after_days}, ${remind_last_days_before}, ${created_by}, ${form_id}, ${batch_id}, coalesce(${owner_user_id}, 
          case when left(${created_by}, 4) = 'usr_' then ${created_by}
            else (select k.created_by from api_keys k where k.org_id = ${org} and k.key_id = ${created_by}) end))
    )
    insert into envelope_words (org_id, word, envelope_id) select ${org}, word, ${envelope_id} from unnest(${words}::text[]) as word`);
}

export const json = (value: unknown): string | null => (value === undefined || value === null ? null : JSON.stringify(value));

export interface Due {
  readonly org_id: OrgId;
  readonly envelope_id: EnvelopeId;
  readonly due: "expire" | "remind" | "tell_expiry";
}

export async function findDue(tx: Tx, limit: number): Promise<Due[]> {
  const { rows } = await tx.query<Due>(sql`select org_id, envelope_id, due from find_due_envelopes(${limit})`);
  return rows;
}

/** False if the sender was notified of this expiry already. */
export async function markExpiryTold(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<boolean> {
  const { rowCount } = await tx.query(sql`
    update envelopes set expiry_told_for = expires_at
    where org_id = ${org} and envelope_id = ${envelope_id} and expiry_told_for is distinct from expires_at`);
  return rowCount > 0;
}

export interface NewAcceptance {
  readonly terms_version: string;
  readonly terms_sha256: string;
  readonly accepted_by: object;
  readonly actor: Actor;
}

export async function insertAcceptance(tx: Tx, org: OrgId, envelope_id: EnvelopeId, accepted: NewAcceptance): Promise<void> {
  const { terms_version, terms_sha256, accepted_by, actor } = accepted;
  await tx.query(sql`
    insert into certification_acceptances (org_id, envelope_id, terms_version, terms_sha256, accepted_by, actor)
    values (${org}, ${envelope_id}, ${terms_version}, ${terms_sha256}, ${JSON.stringify(accepted_by)}, ${JSON.stringify(actor)})
    on conflict do nothing`);
}

export async function orgName(tx: Tx, org: OrgId): Promise<string> {
  const { rows } = await tx.query<{ name: string }>(sql`select name from orgs where org_id = ${org}`);
  return rows[0]?.name ?? "";
}

export async function isMember(read: Read, org: OrgId, user_id: UserId): Promise<boolean> {
  const { rows } = await read.query(sql`select from members where org_id = ${org} and user_id = ${user_id}`);
  return rows.length > 0;
}

export async function listMembersByEmail(read: Read, org: OrgId, addresses: readonly string[]): Promise<UserId[]> {
  const { rows } = await read.query<{ user_id: UserId }>(sql`
    select u.user_id from members m join users u using (user_id)
    where m.org_id = ${org} and lower(u.email) = any(${addresses.map((address) => address.toLowerCase())})`);
  return rows.map(({ user_id }) => user_id);
}

/** The languages that members chose for themselves, by address in lower case. */
export async function listMemberLocales(read: Read, org: OrgId, addresses: readonly string[]): Promise<ReadonlyMap<string, Locale>> {
  const { rows } = await read.query<{ email: string; locale: Locale }>(named("list-member-locales")`
    select email_key(u.email) as email, u.locale from members m join users u using (user_id)
    where m.org_id = ${org} and u.locale is not null and email_key(u.email) = any(${addresses.map(emailKey)})`);
  return new Map(rows.map(({ email, locale }) => [email, locale]));
}

export async function listMemberNames(read: Read, org: OrgId): Promise<Record<string, string>> {
  const { rows } = await read.query<{ user_id: string; name: string }>(sql`
    select u.user_id, u.name from members m join users u using (user_id) where m.org_id = ${org}`);
  return Object.fromEntries(rows.map(({ user_id, name }) => [user_id, name]));
}
