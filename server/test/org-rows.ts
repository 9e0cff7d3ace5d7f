import type { OrgId } from "../src/shared/ids.ts";
import { withClient } from "./global-setup.ts";
import type { TestService } from "./service.ts";

/** Every table with rows of organizations; those that refer to others come before these. */
export async function tablesOfOrgs(service: TestService): Promise<string[]> {
  const rows = await service.database.owner<{ name: string }>("select name from tables_of_orgs()");
  return rows.map(({ name }) => name);
}

/** How many rows of an organization each table has. */
export async function countRows(service: TestService, org: OrgId): Promise<Record<string, number>> {
  const counted: [string, number][] = [];
  for (const name of await tablesOfOrgs(service)) {
    const [row] = await service.database.owner<{ n: number }>(`select count(*)::int as n from ${name} where org_id = $1`, [org]);
    counted.push([name, row?.n ?? 0]);
  }
  return Object.fromEntries(counted);
}

/**
 * Gives an organization the rows of another one in place of its own, except members, settings and credentials. Ids are unique in the installation, so they cannot be copied. All move
 * in one transaction without checks of foreign keys, which hold again at its end.
 */
export async function moveRows(service: TestService, from: OrgId, to: OrgId): Promise<void> {
  const tables = (await tablesOfOrgs(service)).filter((one) => !["orgs", "members", "org_settings", "org_security"].includes(one));
  const credentials = ["sessions", "refresh_tokens", "api_keys", "api_key_secrets", "api_key_usage"];
  await withClient(service.database.url, async (client) => {
    await client.query("begin");
    await client.query("set local session_replication_role = replica");
    for (const name of tables) {
      if (!credentials.includes(name)) await client.query(`delete from ${name} where org_id = $1`, [to]);
      await client.query(`update ${name} set org_id = $1 where org_id = $2`, [to, from]);
    }
    await client.query("commit");
  });
}
