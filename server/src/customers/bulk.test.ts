import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { filePart, form, formHeaders } from "../../test/form.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { threadTime_ms } from "../../test/thread-time.ts";
import { until } from "../../test/until.ts";

const service = testService();

const bulk = (key: TestKey, csv: string) =>
  key.send("POST", "/customers/bulk", form({}, { bytes: Buffer.from(csv), name: "customers.csv", type: "text/csv" }));
const rows = (from: number, count: number) => Array.from({ length: count }, (_, n) => `C-${from + n},Customer ${from + n}\n`).join("");
const counted = async ({ org_id }: TestOrg) =>
  (await service.database.owner<{ count: number }>("select count(*)::int from customers where org_id = $1", [org_id]))[0]?.count ?? 0;

describe("POST /customers/bulk", () => {
  test("returns counts and errors by row; rows with errors do not stop the others", async () => {
    const org = await service.newOrg();
    const key = await org.newKey({ scopes: ["customers:write"] });
    await bulk(key, "client_id,name\nC-1,Ann\n");
    const { status, json } = await bulk(
      key,
      "client_id,name,email,shoe_size\nc-1,Ann Lee,,\nC-2,Sam,nobody,\nC-3,=1+1,sam@example.com,44\n",
    );
    expect(status).toBe(200);
    expect(json.data).toEqual({
      rows: 3,
      created: 1,
      updated: 1,
      failed: 1,
      errors: [
        { row: 1, column: "shoe_size", message: "is not a field of a customer and was ignored" },
        { row: 3, column: "email", message: "must be an e-mail address, for example ann@example.com" },
      ],
    });
    expect(await counted(org)).toBe(2);
  });

  test("403 without customers:write, 400 without a file, 415 for another content type, 422 for a header without a known field", async () => {
    const org = await service.newOrg();
    expect((await bulk(await org.newKey({ scopes: ["customers:read"] }), "client_id\n1\n")).status).toBe(403);
    const key = await org.newKey();
    expect((await key.send("POST", "/customers/bulk", form({ note: "x" }))).status).toBe(400);
    expect((await key.send("POST", "/customers/bulk", { body: {} })).status).toBe(415);
    const header = await bulk(key, `shoe_size,hat_size\n${"1,2\n".repeat(500_000)}`);
    expect([header.status, header.json.details]).toEqual([
      422,
      [expect.objectContaining({ location: "form", field: "file", code: "required" })],
    ]);
  });

  test("the rest of the file after an unclosed quote is read and discarded, and the response is sent", async () => {
    const org = await service.newOrg();
    const { status, json } = await bulk(await org.newKey(), `client_id,name\n${rows(1, 10)}C-11,"open\n${rows(12, 200_000)}`);
    expect([status, json.data.created, json.data.failed]).toEqual([200, 10, 1]);
    expect(json.data.errors[0].row).toBe(12);
  });

  testInAll("a file of blank or ragged lines does not block other requests", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    // Measures the time of this thread, because other tests share the machine and the process.
    const begun = threadTime_ms();
    let [before, longest] = [begun, 0];
    const timer = setInterval(() => {
      const now = threadTime_ms();
      [before, longest] = [now, Math.max(longest, now - before)];
    }, 5);
    for (const line of ["\n", "a\n", "a,b,c\n"]) expect((await bulk(key, `client_id,name\n${line.repeat(200_000)}`)).status).toBe(200);
    clearInterval(timer);
    // Reading the file in one go would take a third of the total. A piece takes a millisecond, plus an occasional garbage collection.
    expect(longest).toBeLessThan((threadTime_ms() - begun) / 4);
  });

  test("rows that were committed stay when the connection breaks", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const head = filePart({ bytes: Buffer.from(`client_id,name\n${rows(1, 1_500)}`) });
    const sending = request(`${service.url}/api/v2/customers/bulk`, {
      method: "POST",
      headers: { ...formHeaders(), "x-api-key": key.api_key, "content-length": "40000000" },
    });
    sending.on("error", () => undefined);
    sending.write(head.subarray(0, head.length - 2));
    await until("two batches to be written", async () => (await counted(org)) >= 1_000);
    sending.destroy();
    await until("the entry of what was done", async () => {
      const entries = await service.database.owner<{ data: { created: number } }>(
        "select d.data from audit_entries e join audit_entry_data d using (org_id, subject, seq) where e.org_id = $1 and e.type = 'customers.uploaded'",
        [org.org_id],
      );
      return entries[0]?.data.created === (await counted(org));
    });
    expect(await counted(org)).toBeGreaterThanOrEqual(1_000);
  });

  test("reads no faster than rows are written: while they are blocked, the sender waits", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const body = form({}, { bytes: Buffer.from(`client_id,name\n${rows(1, 400_000)}`) });
    await service.db.system((tx) =>
      tx.forOrg(org.org_id, async (own) => {
        // An open transaction locks the first row, so the first batch waits for it.
        await own.query({
          name: "hold",
          text: "insert into customers (org_id, customer_id, client_id, client_key) values ($1, 'cust_x', 'C-1', 'c-1')",
          values: [org.org_id],
        });
        const sending = request(`${service.url}/api/v2/customers/bulk`, {
          method: "POST",
          headers: { ...body.headers, "x-api-key": key.api_key, "content-length": String(body.raw.length) },
        });
        sending.on("error", () => undefined);
        sending.end(body.raw);
        const seen: number[] = [];
        await until("the sender to stand still", async () => {
          seen.push(sending.socket?.bytesWritten ?? 0);
          return (seen.at(-1) ?? 0) > 0 && seen.slice(-10).length === 10 && new Set(seen.slice(-10)).size === 1;
        });
        expect(sending.socket?.writableLength ?? 0).toBeGreaterThan(body.raw.length / 2);
        sending.destroy();
      }),
    );
    // What has arrived would still be imported, for half a minute.
    await service.database.owner(`alter table customers add constraint no_more check (org_id <> '${org.org_id}') not valid`);
  });
});
