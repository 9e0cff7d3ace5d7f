import { named, type Read, sql, type Tx } from "../db/sql.ts";
import type { BatchId, EnvelopeId, NotificationId, OrgId, UserId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";
import type { Addressee, News, Notification, NotificationKind, Ways } from "./notification.ts";

/** A person's own notifications, newest first. */
export async function listNotifications(
  read: Read,
  org: OrgId,
  user_id: UserId,
  { unread, page, limit }: PageRequest & { readonly unread: boolean },
): Promise<Page<Notification>> {
  const own = sql`org_id = ${org} and user_id = ${user_id} and (not ${unread} or read_at is null)`;
  const { rows } = await read.query<Notification>(sql`
    select notification_id, kind, envelope_id, batch_id, data, created_at, read_at from notifications
    where ${own} order by notification_id desc limit ${limit} offset ${(page - 1) * limit}`);
  return { items: rows, total: await count(read, sql`select count(*)::int as n from notifications where ${own}`) };
}

export const countUnread = (read: Read, org: OrgId, user_id: UserId): Promise<number> =>
  count(
    read,
    named("count-unread-notifications")`
      select count(*)::int as n from notifications where org_id = ${org} and user_id = ${user_id} and read_at is null`,
  );

async function count(read: Read, query: Parameters<Read["query"]>[0]): Promise<number> {
  const { rows } = await read.query<{ n: number }>(query);
  return rows[0]?.n ?? 0;
}

/** Ids of other people are passed over. */
export async function markRead(tx: Tx, org: OrgId, user_id: UserId, ids: readonly NotificationId[]): Promise<void> {
  await tx.query(sql`
    update notifications set read_at = ${tx.now}
    where org_id = ${org} and user_id = ${user_id} and notification_id = any(${ids}) and read_at is null`);
}

export interface NewNotification {
  readonly notification_id: NotificationId;
  readonly user_id: UserId;
  readonly envelope_id: EnvelopeId | null;
  readonly batch_id: BatchId | null;
  readonly news: News;
}

export async function insertNotification(
  tx: Tx,
  org: OrgId,
  { notification_id, user_id, envelope_id, batch_id, news }: NewNotification,
): Promise<void> {
  await tx.query(named("insert-notification")`
    insert into notifications (org_id, notification_id, user_id, kind, envelope_id, batch_id, data, created_at)
    values (${org}, ${notification_id}, ${user_id}, ${news.kind}, ${envelope_id}, ${batch_id}, ${JSON.stringify(news)}, ${tx.now})`);
}

/** The first of these people who is a member and can see envelopes, otherwise every admin, each with how they want to be notified. */
export async function listAddressees(
  read: Read,
  org: OrgId,
  people: readonly (UserId | null)[],
  kind: NotificationKind,
): Promise<readonly Addressee[]> {
  const { rows } = await read.query<Addressee & { role: string }>(named("list-addressees")`
    select m.user_id, m.role, coalesce(s.console, true) as console, coalesce(s.mail, true) as mail
    from members m left join notification_settings s on s.org_id = m.org_id and s.user_id = m.user_id and s.kind = ${kind}
    where m.org_id = ${org} and (m.user_id = any(${people}) or m.role = 'admin') order by m.user_id`);
  const seeing = rows.filter(({ role }) => role !== "custodian");
  const first = people.map((one) => seeing.find(({ user_id }) => user_id === one)).find((one) => one !== undefined);
  return first === undefined ? seeing.filter(({ role }) => role === "admin") : [first];
}

/** Only what the person has changed. */
export async function listSettings(read: Read, org: OrgId, user_id: UserId): Promise<ReadonlyMap<string, Ways>> {
  const { rows } = await read.query<Ways & { kind: string }>(sql`
    select kind, console, mail from notification_settings where org_id = ${org} and user_id = ${user_id}`);
  return new Map(rows.map(({ kind, console, mail }) => [kind, { console, mail }]));
}

/** Members that are not given stay as they are. */
export async function saveSetting(tx: Tx, org: OrgId, user_id: UserId, kind: NotificationKind, wanted: Partial<Ways>): Promise<void> {
  const { console = null, mail = null } = wanted;
  await tx.query(sql`
    insert into notification_settings as s (org_id, user_id, kind, console, mail)
    values (${org}, ${user_id}, ${kind}, coalesce(${console}, true), coalesce(${mail}, true))
    on conflict (org_id, user_id, kind) do update set console = coalesce(${console}, s.console), mail = coalesce(${mail}, s.mail)`);
}
