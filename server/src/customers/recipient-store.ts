import { named, type Tx } from "../db/sql.ts";
import type { OrgId } from "../shared/ids.ts";

/** The people to whom envelopes were sent, and the words by which they are found. */

export interface NotedRecipient {
  readonly email_key: string;
  readonly email: string;
  readonly name: string;
  readonly words: readonly string[];
}

/**
 * The newest name and spelling of an address count. In the order of the addresses, so that two envelopes to the same people cannot wait for
 * each other.
 */
export async function upsertRecipients(tx: Tx, org: OrgId, recipients: readonly NotedRecipient[]): Promise<void> {
  const given = JSON.stringify(recipients);
  await tx.query(named("upsert-recipients")`
    insert into recent_recipients as r (org_id, email_key, email, name)
    select ${org}, email_key, email, name from jsonb_to_recordset(${given}::jsonb) as g (email_key text, email text, name text)
    order by email_key collate "C"
    on conflict (org_id, email_key) do update
      set email = excluded.email, name = excluded.name, uses = r.uses + 1, last_used_at = greatest(r.last_used_at, excluded.last_used_at)`);
  await tx.query(named("write-recipient-words")`
    with given as materialized (
      select g.email_key, word from jsonb_to_recordset(${given}::jsonb) as g (email_key text, words jsonb), jsonb_array_elements_text(g.words) as word
    ), old as (
      delete from recipient_words w where w.org_id = ${org} and w.email_key in (select email_key from given)
        and not exists (select from given g where g.email_key = w.email_key and g.word = w.word)
    )
    insert into recipient_words (org_id, word, email_key) select ${org}, word, email_key from given on conflict do nothing`);
}
