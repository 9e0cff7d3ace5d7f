import { named, type Read, sql, type Tx } from "../db/sql.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { nameKey, wordsOf } from "../shared/search-words.ts";
import { fillNames, type Searched, searchedTexts } from "./store.ts";

/** The words by which envelopes are found, and what a job fills in for envelopes from before there were words. */

interface Indexed extends Searched {
  readonly envelope_id: EnvelopeId;
}

const sources = sql`select e.envelope_id, e.envelope_name, e.external_id,
  case when e.submission_id is null then e.signers else coalesce((
    select jsonb_agg(jsonb_build_object('name', s.name, 'email', s.email) order by s.turn)
    from signers s where s.org_id = e.org_id and s.submission_id = e.submission_id and s.removed_at is null), '[]') end as people`;

/** Writes what differs, after a change of a name, a reference or a signer. The envelope's row is locked. */
export async function writeWords(tx: Tx, org: OrgId, envelope_id: EnvelopeId): Promise<void> {
  const { rows } = await tx.query<Indexed>(
    named("find-searched-texts")`${sources} from envelopes e where e.org_id = ${org} and e.envelope_id = ${envelope_id}`,
  );
  const words = rows.flatMap((row) => wordsOf(searchedTexts(row)));
  await tx.query(named("write-words")`
    with old as (
      delete from envelope_words where org_id = ${org} and envelope_id = ${envelope_id} and word <> all(${words}::text[])
    )
    insert into envelope_words (org_id, word, envelope_id) select ${org}, word, ${envelope_id} from unnest(${words}::text[]) as word
    on conflict do nothing`);
}

/**
 * The next envelopes in the order of their ids, with words, sorting name and owner. The rows are locked, so that no change comes between
 * reading a name and writing its words. Returns the last id, or null if none was left.
 */
export async function fillWords(tx: Tx, org: OrgId, after: string, limit: number): Promise<EnvelopeId | null> {
  const { rows: locked } = await tx.query<{ envelope_id: EnvelopeId }>(sql`
    select envelope_id from envelopes where org_id = ${org} and envelope_id > ${after} order by envelope_id limit ${limit} for no key update`);
  // A statement of its own: one that waits for a lock goes on with what it saw before.
  const { rows } = await tx.query<Indexed>(sql`
    ${sources} from envelopes e where e.org_id = ${org} and e.envelope_id = any(${locked.map(({ envelope_id }) => envelope_id)})
    order by e.envelope_id`);
  const given = rows.map((row) => ({ id: row.envelope_id, key: nameKey(row.envelope_name), words: wordsOf(searchedTexts(row)) }));
  await fillNames(tx, org, given);
  await tx.query(sql`
    insert into envelope_words (org_id, word, envelope_id)
    select ${org}, word, g.id from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as g (id text, words jsonb), jsonb_array_elements_text(g.words) as word
    on conflict do nothing`);
  return rows.at(-1)?.envelope_id ?? null;
}

/** Whether envelopes or customers of the org have no words yet. */
export async function isBeingFilled(read: Read, org: OrgId): Promise<boolean> {
  const { rows } = await read.query(
    sql`select from backfills where org_id = ${org} and name in ('customer-words', 'envelope-words') and done_at is null`,
  );
  return rows.length > 0;
}
