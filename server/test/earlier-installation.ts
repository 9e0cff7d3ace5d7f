import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { migrate, readMigrations } from "../src/db/migrate.ts";
import { migrateQueue } from "../src/jobs/queue-schema.ts";
import type { EnvelopeId, OrgId, UserId } from "../src/shared/ids.ts";
import type { LinkInMail } from "./envelopes.ts";
import { withClient } from "./global-setup.ts";

/** An installation that an earlier service made: the rows of its database, and its blobs. */
export interface EarlierInstallation {
  readonly app_secret: string;
  readonly org_id: OrgId;
  readonly user_id: UserId;
  readonly api_key: string;
  readonly template_id: string;
  readonly envelopes: Readonly<Record<string, EarlierEnvelope>>;
  /** of each envelope, by the same names */
  readonly statuses: Readonly<Record<string, string>>;
  /** by table */
  readonly rows: Readonly<Record<string, readonly object[]>>;
  /** Base64, by their path in the folder of blobs */
  readonly blobs: Readonly<Record<string, string>>;
}

export interface EarlierEnvelope {
  readonly envelope_id: EnvelopeId;
  /** in mails that were sent, by e-mail address */
  readonly links: Readonly<Record<string, LinkInMail>>;
}

const fixture = (name: string) => new URL(`../fixtures/${name}/installation.json.gz`, import.meta.url);

export const readEarlier = (name: string): EarlierInstallation => JSON.parse(gunzipSync(readFileSync(fixture(name))).toString("utf8"));

/** Fills an empty database as the earlier service left it, then upgrades it. */
export async function fillAndMigrate(url: string, { rows }: EarlierInstallation, last: string): Promise<void> {
  const all = await readMigrations();
  await migrate(url, all.slice(0, all.findIndex(({ name }) => name === last) + 1));
  await withClient(url, async (client) => {
    // Rows come table by table, so references hold only at the end, and triggers have already written what they write.
    await client.query("set session_replication_role = replica");
    const { rows: computed } = await client.query<{ name: string }>(
      `select concat_ws('.', table_schema, table_name, column_name) as name from information_schema.columns where is_generated = 'ALWAYS'`,
    );
    const generated = new Set(computed.map(({ name }) => name));
    for (const [table, values] of Object.entries(rows)) {
      const columns = Object.keys(values[0] ?? {})
        .filter((column) => !generated.has(`${table}.${column}`))
        .join(", ");
      await client.query(`delete from ${table}`);
      await client.query(
        `insert into ${table} (${columns}) overriding system value select ${columns} from jsonb_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(values)],
      );
    }
    await client.query(`do $$ declare made record; begin
      for made in select table_name, column_name from information_schema.columns where table_schema = 'public' and is_identity = 'YES' loop
        execute format('select setval(pg_get_serial_sequence(%L, %L), coalesce(max(%I), 0) + 1, false) from %I',
          made.table_name, made.column_name, made.column_name, made.table_name);
      end loop; end $$`);
  });
  await migrate(url, all);
  await migrateQueue(url);
}

export async function writeBlobs(dataDir: string, { blobs }: EarlierInstallation): Promise<void> {
  for (const [path, bytes] of Object.entries(blobs)) {
    const file = join(dataDir, "blobs", path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, Buffer.from(bytes, "base64"));
  }
}
