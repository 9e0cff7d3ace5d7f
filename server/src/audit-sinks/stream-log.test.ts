import { describe, expect, test } from "vitest";
import { client } from "../../test/client.ts";
import { sentEnvelope } from "../../test/envelopes.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import type { Scope } from "../shared/scopes.ts";
import { advanceLog } from "../transparency/advance-log.ts";

const service = testService();

interface Line {
  readonly leaf_index: number;
  readonly subject: string;
  readonly seq: number;
  readonly type: string;
  readonly hash: string;
  readonly prev: string | null;
}

const advance = () => advanceLog(service.features.log);

/** The lines of the answer without the last one, and where to continue. */
async function entriesOf({ admin }: Pick<TestOrg, "admin">, query = ""): Promise<{ lines: Line[]; next_after: number | null }> {
  const { status, text, headers } = await admin("GET", `/org/audit-log${query}`);
  expect(status, text).toBe(200);
  expect(headers["content-type"]).toMatch(/^application\/x-ndjson/);
  expect(text.endsWith("\n")).toBe(true);
  const all = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const last = all.pop();
  expect(Object.keys(last)).toEqual(["next_after"]);
  return { lines: all, ...last };
}

describe("GET /org/audit-log", () => {
  test("has every entry of the organization's chains once, in the order of the log, with whole chains", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    const { envelope_id } = await sentEnvelope(service, org);
    await sentEnvelope(service, other);
    await advance();
    const { lines, next_after } = await entriesOf(org);
    expect(new Set(lines.map(({ subject }) => subject))).toEqual(new Set([org.org_id, envelope_id]));
    for (const subject of [org.org_id, envelope_id]) {
      const chain = lines.filter((line) => line.subject === subject);
      expect(chain.map(({ seq }) => seq)).toEqual(chain.map((_, index) => index + 1));
      for (const [index, { prev }] of chain.slice(1).entries()) expect(prev).toBe(chain[index]?.hash);
    }
    const places = lines.map(({ leaf_index }) => leaf_index);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    const [stored] = await service.database.owner<{ n: number }>("select count(*)::int as n from audit_entries where org_id = $1", [
      org.org_id,
    ]);
    expect(lines).toHaveLength(stored?.n ?? 0);
    expect(await entriesOf(org, `?after=${next_after}`)).toEqual({ lines: [], next_after });
  });

  test("continues in parts of any size without a gap and without a repetition, while entries are added", async () => {
    const org = await service.newOrg();
    await sentEnvelope(service, org);
    await advance();
    const [all, parts] = [(await entriesOf(org)).lines, [] as Line[]];
    let query = "?limit=3";
    for (let part = await entriesOf(org, query); part.lines.length > 0; part = await entriesOf(org, query)) {
      parts.push(...part.lines);
      query = `?limit=3&after=${part.next_after}`;
    }
    expect(parts).toEqual(all);
    await org.admin("POST", "/partner/customers", { body: { name: "Ann Example" } });
    await advance();
    expect((await entriesOf(org, query)).lines.map(({ type }) => type)).toEqual(["customer.created"]);
  });

  test("has only the wanted types, until the wanted position", async () => {
    const org = await service.newOrg();
    for (const name of ["Ann", "Sam"]) await org.admin("POST", "/partner/customers", { body: { name } });
    await advance();
    const { lines } = await entriesOf(org, "?types=customer.created,%20key.created");
    expect(lines.map(({ type }) => type)).toEqual(["customer.created", "customer.created"]);
    const first = lines[0]?.leaf_index ?? 0;
    expect(await entriesOf(org, `?types=customer.created&until=${first}`)).toMatchObject({ lines: [lines[0]], next_after: first });
  });

  test("says that a position is not in the log, as after an older backup was restored, and refuses what it does not know", async () => {
    const org = await service.newOrg();
    await advance();
    const { next_after } = await entriesOf(org);
    const beyond = await org.admin("GET", `/org/audit-log?after=${Number(next_after) + 1}`);
    expect([beyond.status, beyond.json.details[0].code]).toEqual([409, "audit_position_unknown"]);
    for (const query of ["?after=-1", "?limit=0", "?limit=10001", "?types=customer.eaten", "?since=1"])
      expect((await org.admin("GET", `/org/audit-log${query}`)).status, query).toBe(422);
  });

  test("is for admins and for keys with audit:read", async () => {
    const org = await service.newOrg();
    const statusWith = async (scopes: readonly Scope[]) => {
      const { api_key } = await org.newKey({ scopes });
      return (await client(service.url, { "x-api-key": api_key })("GET", "/org/audit-log")).status;
    };
    expect(await statusWith(["audit:read"])).toBe(200);
    expect(await statusWith(["envelopes:read", "vault:read"])).toBe(403);
  });
});
