import { type Read, sql } from "../db/sql.ts";
import type { StoredMessage } from "../mail/message.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import type { Page, PageRequest } from "../shared/page.ts";

export interface CapturedMessage extends StoredMessage {
  readonly envelope_id: EnvelopeId | null;
}

export interface Wanted extends PageRequest {
  readonly to?: string | undefined;
  readonly envelope_id?: string | undefined;
}

/** Messages of a sandbox whose text is still kept, newest first. */
export async function listCaptured(read: Read, org: OrgId, { to, envelope_id, page, limit }: Wanted): Promise<Page<CapturedMessage>> {
  const wanted = sql`org_id = ${org} and captured and body_enc is not null and expires_at > now()
    and (${to ?? null}::text is null or email_key(to_address) = email_key(${to ?? null}))
    and (${envelope_id ?? null}::text is null or envelope_id = ${envelope_id ?? null})`;
  const { rows } = await read.query<CapturedMessage>(sql`
    select message_id, kind, to_address, state, created_at, sent_at, last_error, body_context, body_enc, envelope_id
    from mail_messages where ${wanted} order by message_id desc limit ${limit} offset ${(page - 1) * limit}`);
  const { rows: counted } = await read.query<{ total: number }>(sql`select count(*)::int as total from mail_messages where ${wanted}`);
  return { items: rows, total: counted[0]?.total ?? 0 };
}
