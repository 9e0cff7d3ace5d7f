// A million envelopes of one org beside those of others, with customers, signers, tags and owners, for the figures of lists and of Home.
import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fillDatabase, keptFolder, product, scratchFolder, startDatabase } from "./harness.mjs";

export const ENVELOPES = 1_000_000;
export const OTHERS = 200_000;
/** Other numbers of envelopes are multiples of this. */
export const BATCH = 50_000;

// 4,096 family names, none of which begins with another.
const PARTS = ["ba", "ce", "di", "fo", "gu", "ka", "le", "mo"];
const KINDS = ["Lease", "Loan", "Order", "Purchase", "Service agreement"];

const IDS = "unnest($2::text[]) with ordinality as made (id, i), lateral (select $3::int + i as n) as numbered";
const familyOf = (/** @type {string} */ n) =>
  `(${PARTS_SQL})[1 + ${n} % 8] || (${PARTS_SQL})[1 + ${n} / 8 % 8] || (${PARTS_SQL})[1 + ${n} / 64 % 8] || (${PARTS_SQL})[1 + ${n} / 512 % 8] || 'x'`;
const PARTS_SQL = `array['${PARTS.join("','")}']`;
const KINDS_SQL = `array['${KINDS.join("','")}']`;

/**
 * @typedef {object} Filled
 * @property {string} org_id
 * @property {string} user_id the admin's
 * @property {string} email the admin's
 * @property {string} password the admin's
 * @property {string} key with envelopes:read and customers:read
 * @property {string} [customer_id] of 50,000 envelopes; a note of an earlier version does not say it
 * @property {string} [template_id] of 200,000 envelopes
 * @property {number} [envelopes] how many the org has; a note of an earlier version does not say it
 * @property {number} words_s how long the words of the other org took
 */

/**
 * The database with a million envelopes: that of an earlier run if `keep` has one of this size, otherwise a new one.
 * @param {import("./harness.mjs").Cleanup} end
 * @param {string | null} keep
 * @param {number} [envelopes]
 */
export async function manyEnvelopes(end, keep, envelopes = ENVELOPES) {
  const folder = keep === null ? await scratchFolder(end) : await keptFolder(keep);
  const note = join(folder, "filled.json");
  const kept = existsSync(note) ? /** @type {Filled} */ (JSON.parse(await readFile(note, "utf8"))) : null;
  const isKept = kept?.template_id !== undefined && (kept.envelopes ?? ENVELOPES) === envelopes;
  if (!isKept) for (const made of [note, join(folder, "database")]) await rm(made, { recursive: true, force: true });
  const database = await startDatabase(end, folder);
  if (isKept) return { folder, database, filled: kept };
  const scopes = ["envelopes:read", "customers:read"];
  const { org_id, keys, admin } = await fillDatabase(database, { envelopes: 0, keys: 1, scopes });
  const others = await anotherOrg(database);
  const [{ user_id }] = await database.query("select user_id from members where org_id = $1", [org_id]);
  const template_id = await templateOf(database, org_id, user_id);
  await fillWithMany(database, { org_id, user_id, email: admin.email, template_id, others }, envelopes);
  const [{ customer_id }] = await database.query("select customer_id from customers where org_id = $1 and client_key = 'c-1'", [org_id]);
  const filled = { org_id, user_id, ...admin, key: keys[0] ?? "", customer_id, template_id, envelopes, words_s: await indexAll(database) };
  await writeFile(note, JSON.stringify(filled));
  return { folder, database, filled };
}

/** @param {import("./harness.mjs").Database} database */
async function anotherOrg(database) {
  const { newId } = await product("shared/ids.js");
  const org_id = newId("org");
  await database.query("insert into orgs (org_id, name) values ($1, 'Others')", [org_id]);
  return org_id;
}

/** @param {import("./harness.mjs").Database} database @param {string} org_id @param {string} user_id @returns {Promise<string>} */
async function templateOf(database, org_id, user_id) {
  const { newId } = await product("shared/ids.js");
  const template_id = newId("template");
  await database.query("insert into templates (org_id, template_id, name, provider, created_by) values ($1, $2, 'Lease', 'builtin', $3)", [
    org_id,
    template_id,
    user_id,
  ]);
  return template_id;
}

/** Runs the product's own job until nothing is left. @param {import("./harness.mjs").Database} database */
async function indexAll(database) {
  const { connectDb } = await product("db/connect.js");
  const { backfill } = await product("jobs/backfill.js");
  const { backfills } = await product("main.js");
  const { fillBuckets, sumCounts } = await product("envelopes/sweep-envelopes.js");
  const db = connectDb({ url: database.appUrl, poolSize: 2 });
  const began = performance.now();
  // Without its pauses, so that the time is that of the work.
  await backfill({ db }, backfills, { stopAfter_ms: 3_600_000, pause: async () => undefined });
  const seconds = (performance.now() - began) / 1000;
  await fillBuckets({ db }, "0 seconds");
  await sumCounts({ db });
  await db.end();
  await database.query("vacuum analyze");
  return seconds;
}

/**
 * The envelopes of the others have no words yet: the product's own job fills them in.
 * @param {import("./harness.mjs").Database} database
 * @param {{ org_id: string, user_id: string, email: string, template_id: string, others: string }} orgs
 * @param {number} envelopes of the first org, with as many customers; the others have at most as many
 */
async function fillWithMany(database, { org_id, user_id, email, template_id, others }, envelopes) {
  await withoutIndexes(database, ["customers"], () => customersOf(database, org_id, envelopes));
  await withoutIndexes(database, ["envelopes", "signers", "submissions"], async () => {
    await envelopesOf(database, { org_id, user_id, email, template_id }, envelopes);
    await database.query("update envelopes set name_key = lower(envelope_name), owner_user_id = created_by");
    await envelopesOf(database, { org_id: others, user_id, email: null, template_id: null }, Math.min(OTHERS, envelopes));
  });
  await withoutIndexes(database, ["envelope_words", "customer_words"], () => wordsOf(database, org_id));
  await database.query("insert into backfills (name, org_id) values ('envelope-words', $1)", [others]);
  await database.query("insert into tags (org_id, tag_key, name) values ($1, 'urgent', 'Urgent'), ($1, 'rare', 'Rare')", [org_id]);
  await database.query(
    `insert into envelope_tags (org_id, tag_key, envelope_id)
     select org_id, 'urgent', envelope_id from envelopes where org_id = $1 and hashtext(envelope_id) % 5 = 0
     union all select org_id, 'rare', envelope_id from envelopes where org_id = $1 and hashtext(envelope_id) % 10000 = 0`,
    [org_id],
  );
  await recipientsOf(database, org_id);
}

/**
 * Indexes are made once at the end, which is several times faster than with each row.
 * @param {import("./harness.mjs").Database} database
 * @param {string[]} tables
 * @param {() => Promise<void>} load
 */
async function withoutIndexes(database, tables, load) {
  const indexes = await database.query(
    `select c.relname as name, pg_get_indexdef(i.indexrelid) as made from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = any($1::regclass[]) and not i.indisunique`,
    [tables],
  );
  // No other table refers to words.
  const keys = await database.query(
    `select conname as name, conrelid::regclass::text as table_name, pg_get_constraintdef(oid) as made from pg_constraint
     where contype = 'p' and conrelid = any($1::regclass[])`,
    [tables.filter((table) => table.endsWith("_words"))],
  );
  for (const { name } of indexes) await database.query(`drop index ${name}`);
  for (const { name, table_name } of keys) await database.query(`alter table ${table_name} drop constraint ${name}`);
  await load();
  for (const { name, table_name, made } of keys) await database.query(`alter table ${table_name} add constraint ${name} ${made}`);
  for (const { made } of indexes) await database.query(made);
}

const splitOf = (/** @type {string} */ text) => `select regexp_split_to_table(lower(${text}), '[^a-z0-9]+') as word`;
const ofAddress = (/** @type {string} */ email) => `select lower(${email}) union all select split_part(lower(${email}), '@', 2)`;

/** The words that shared/search-words.ts makes of these names and addresses. @param {import("./harness.mjs").Database} database @param {string} org_id */
async function wordsOf(database, org_id) {
  await database.query(
    `insert into envelope_words (org_id, word, envelope_id)
     select distinct $1, word, e.envelope_id from envelopes e left join signers s on s.org_id = e.org_id and s.submission_id = e.submission_id, lateral (
       ${splitOf("e.envelope_name || ' ' || e.external_id || ' ' || coalesce(s.name || ' ' || s.email, '')")} union all ${ofAddress("s.email")}) w
     where e.org_id = $1 and word <> ''`,
    [org_id],
  );
  await database.query(
    `insert into customer_words (org_id, word, customer_id)
     select distinct $1, word, c.customer_id from customers c, lateral (
       ${splitOf("concat_ws(' ', c.name, c.email, c.company, c.client_id)")} union all ${ofAddress("c.email")}) w
     where c.org_id = $1 and word <> ''`,
    [org_id],
  );
}

/** Everyone to whom an envelope was sent. @param {import("./harness.mjs").Database} database @param {string} org_id */
async function recipientsOf(database, org_id) {
  await database.query(
    `insert into recent_recipients (org_id, email_key, email, name, uses, last_used_at)
     select org_id, email_key, max(email), max(name), count(*), now() - make_interval(secs => abs(hashtext(email_key)) % 10000000)
     from signers where org_id = $1 group by org_id, email_key`,
    [org_id],
  );
  await database.query(
    `insert into recipient_words (org_id, word, email_key)
     select distinct $1, word, r.email_key from recent_recipients r, lateral (${splitOf("r.name || ' ' || r.email")} union all ${ofAddress("r.email")}) w
     where r.org_id = $1 and word <> ''`,
    [org_id],
  );
}

/**
 * @param {import("./harness.mjs").Database} database
 * @param {string} org_id
 * @param {number} count
 */
async function customersOf(database, org_id, count) {
  const { newId } = await product("shared/ids.js");
  const began = Date.now() - 2 * ENVELOPES;
  for (let first = 0; first < count; first += BATCH) {
    const ids = Array.from({ length: BATCH }, (_, n) => newId("customer", began + first + n));
    await database.query(
      `insert into customers (org_id, customer_id, name, email, company, client_id, client_key)
       select $1, id, 'Person' || n % 997 || ' ' || ${familyOf("n")}, 'person' || n || '@' || ${familyOf("n / 3")} || '.example.com', 'Company ' || n % 5000, 'C-' || n, 'c-' || n
       from ${IDS}`,
      [org_id, ids, first],
    );
  }
}

/**
 * One in ten is a draft. The others were sent, each to one signer, one in a hundred to the admin; one in a hundred is a draft that was
 * discarded. One customer has one in twenty, every lease is from the template.
 * @param {import("./harness.mjs").Database} database
 * @param {{ org_id: string, user_id: string, email: string | null, template_id: string | null }} org
 * @param {number} count
 */
async function envelopesOf(database, { org_id, user_id, email, template_id }, count) {
  const { newId } = await product("shared/ids.js");
  const began = Date.now() - ENVELOPES;
  for (let first = 0; first < count; first += BATCH) {
    const ids = Array.from({ length: BATCH }, (_, n) => newId("envelope", began + first + n));
    await database.query(
      `with made as (
        insert into envelopes (org_id, envelope_id, envelope_name, status, customer_id, external_id, created_by, submission_id, sent_at, completed_at, ended_at, expires_at,
          created_at, updated_at, template_id, discarded_at)
        select $1, id, (${KINDS_SQL})[1 + n / 10 % 5] || ' ' || ${familyOf("n")} || ' ' || n, status,
          (select customer_id from customers c where c.org_id = $1 and c.client_key = 'c-' || case when n % 20 = 13 then 1 else n / 2 end),
          'contract-' || n, case when n % 4 = 0 then $4 else 'usr_other' end,
          case when was_sent then 'sub_' || n end, case when was_sent then now() - make_interval(secs => ${ENVELOPES} - n) end,
          case when status in ('completed', 'vaulted') then now() - make_interval(secs => ${ENVELOPES} - n - n % 90000) end,
          case when status in ('declined', 'voided') then now() - make_interval(secs => ${ENVELOPES} - n - n % 90000) end,
          case when was_sent then now() + make_interval(mins => n::int) end,
          now() - make_interval(secs => ${ENVELOPES} - n), now() - make_interval(secs => (n * 7919) % ${ENVELOPES}),
          case when n / 10 % 5 = 0 then $6 end, case when n % 100 = 99 then now() - make_interval(secs => ${ENVELOPES} - n - n % 90000) end
        from ${IDS}, lateral (select (array['pending', 'sent', 'sent', 'viewed', 'completed', 'completed', 'vaulted', 'vaulted', 'declined', 'voided'])[1 + n % 10] as status) as s,
          lateral (select status <> 'pending' and n % 100 <> 99 as was_sent) as told
        returning org_id, envelope_id, submission_id, external_id
      ), submitted as (
        insert into submissions (org_id, submission_id, envelope_id, provider, signing_order)
        select org_id, submission_id, envelope_id, 'builtin', 'parallel' from made where submission_id is not null
        returning org_id, submission_id, envelope_id
      )
      insert into signers (org_id, submission_id, turn, step, recipient_id, envelope_id, slug, email, name, role, invited_at)
      select org_id, submission_id, 1, 1, 'rcp_0' || left(md5(submission_id), 25), envelope_id, md5(org_id || submission_id),
        case when submission_id like '%01' then coalesce($5, 'signer1@example.com') else 'signer' || right(submission_id, 5) || '@example.com' end, 'Signer ' || right(submission_id, 5), 'Signer', now() from submitted`,
      [org_id, ids, first, user_id, email, template_id],
    );
  }
}
