import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import fc from "../../../testing/properties.ts";
import { type TestOrg, testService } from "../../test/service.ts";
import { readChain } from "../audit/read-chain.ts";
import { type Caller, systemCaller } from "../shared/caller.ts";
import type { OrgId } from "../shared/ids.ts";
import { type Upload, uploadCustomers } from "./upload-customers.ts";

const service = testService();

async function* chunksOf(...chunks: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield typeof chunk === "string" ? Buffer.from(chunk) : chunk;
}

function upload(org: TestOrg, ...chunks: (string | Uint8Array)[]): Promise<Upload> {
  return uploadCustomers(service.features.customers, callerOf(org.org_id), chunksOf(...chunks));
}

const callerOf = (org: OrgId): Caller => systemCaller(org);

async function rowsOf(org: TestOrg, columns = "client_id, name, email"): Promise<Record<string, unknown>[]> {
  return service.database.owner(`select ${columns} from customers where org_id = $1 order by client_key, name`, [org.org_id]);
}

const good = (rows: number, created: number) => ({ rows, created, updated: rows - created, failed: 0, errors: [] });

describe("a file of customers", () => {
  test("creates a customer for each row, with columns in any order and case", async () => {
    const org = await service.newOrg();
    expect(await upload(org, "Email, NAME ,client_id\nann@example.com,Ann,C-1\n,Sam,C-2")).toEqual(good(2, 2));
    expect(await rowsOf(org)).toEqual([
      { client_id: "C-1", name: "Ann", email: "ann@example.com" },
      { client_id: "C-2", name: "Sam", email: null },
    ]);
    const { json } = await org.admin("GET", "/partner/customers?client_id=c-1");
    expect(json.data).toMatchObject({ client_id: "C-1", name: "Ann" });
  });

  test.each([
    ["a byte order mark, line ends of Windows and quotes", '\ufeff"client_id","name"\r\n"1","Ann ""A"" Lee"\r\n"2","a, b\r\nc"\r\n'],
    ["semicolons, as where the comma is the decimal sign", 'client_id;name\n1;"Ann ""A"" Lee"\n2;"a, b\r\nc"\n'],
    ["old line ends", 'client_id,name\r1,"Ann ""A"" Lee"\r2,"a, b\r\nc"'],
    ["mixed line ends and blanks around values", 'client_id,name\r\n 1 ,"Ann ""A"" Lee "\n2,"a, b\r\nc"\r\n\n'],
    ["quotes inside cells that are not quoted", 'client_id,name\n1,Ann "A" Lee\n2,"a, b\r\nc"'],
  ])("can have %s", async (_what, text) => {
    const org = await service.newOrg();
    expect(await upload(org, text)).toEqual(good(2, 2));
    expect(await rowsOf(org, "client_id, name")).toEqual([
      { client_id: "1", name: 'Ann "A" Lee' },
      { client_id: "2", name: "a, b\r\nc" },
    ]);
  });

  test.each(['client_id;name;"Street, No"', "client_id;name;Street, No", '"Street,\nNo";client_id;name', 'client_id,name,"a;b;c;d"'])(
    "can have a separator in the name of a column: %j",
    async (header) => {
      const org = await service.newOrg();
      const row = header.startsWith('"') ? ["x", "1", "Ann"] : ["1", "Ann", "x"];
      const { created, errors } = await upload(org, `${header}\n${row.join(header.includes("client_id,") ? "," : ";")}\n`);
      expect([created, errors]).toEqual([
        1,
        [expect.objectContaining({ row: 1, message: "is not a field of a customer and was ignored" })],
      ]);
      expect(await rowsOf(org, "client_id, name")).toEqual([{ client_id: "1", name: "Ann" }]);
    },
  );

  test.each(["utf16le", "utf16be"])("in %s is 422, with advice", async (encoding) => {
    const bytes = Buffer.from("\ufeffclient_id,name\n1,Ann\n", "utf16le");
    const refused = upload(await service.newOrg(), encoding === "utf16le" ? bytes : bytes.swap16());
    await expect(refused).rejects.toMatchObject({
      details: [{ code: "invalid_format", message: "the first row must name the columns: this file is UTF-16. Save it as CSV in UTF-8" }],
    });
  });

  test("has the same result however it is split into chunks", async () => {
    const bytes = Buffer.from('\ufeffclient_id,name\r\n1,"Ö ""x""\r\n𐐀"\r\n\r\n2,é\r\n');
    const whole = await service.newOrg();
    await upload(whole, bytes);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 12 }), async (cuts) => {
        const org = await service.newOrg();
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length];
        const chunks = edges.slice(1).map((end, index) => bytes.subarray(edges[index], end));
        expect(await upload(org, ...chunks)).toEqual(good(2, 2));
        expect(await rowsOf(org)).toEqual(await rowsOf(whole));
      }),
      { numRuns: 15 },
    );
    const org = await service.newOrg();
    expect(await upload(org, ...Array.from(bytes, (_, at) => bytes.subarray(at, at + 1)))).toEqual(good(2, 2));
    expect(await rowsOf(org)).toEqual(await rowsOf(whole));
  });

  test("with cells that begin with = + - @ is stored as plain data", async () => {
    const org = await service.newOrg();
    await upload(org, "client_id,name,company,phone\n-1,=1+1,@sum,+1 555 0100\n");
    expect(await rowsOf(org, "client_id, name, company, phone")).toEqual([
      { client_id: "-1", name: "=1+1", company: "@sum", phone: "+1 555 0100" },
    ]);
  });

  test("with unknown columns reports each once, at row 1, and imports the others; internal fields are unknown", async () => {
    const org = await service.newOrg();
    const outcome = await upload(org, "client_id,notes,colour,name,colour,customer_id,\n1,canary,red,Ann,blue,cust_x,y\n");
    const message = "is not a field of a customer and was ignored";
    expect(outcome).toEqual({
      ...good(1, 1),
      errors: [
        ...["notes", "colour", "customer_id"].map((column) => ({ row: 1, column, message })),
        { row: 1, column: "", message: "a column without a name was left out" },
      ],
    });
    expect(await rowsOf(org, "client_id, name, notes")).toEqual([{ client_id: "1", name: "Ann", notes: null }]);
  });

  test.each([
    ["an empty file", "", "required"],
    ["a file without a header", "1,Ann\n2,Sam\n", "required"],
    ["a header of unknown columns", "colour\nred\n", "required"],
    [
      "a header whose quote is never closed",
      '"client_id,name\n1,Ann\n',
      "invalid_format",
      /: a quote in this row is never closed, so that nothing after it was read$/,
    ],
    [
      "a header without an end",
      `client_id,name${",x".repeat(200_000)}\n1,Ann\n`,
      "invalid_format",
      /: this row has more than 262,144 characters\. Nothing/,
    ],
    [
      "a header whose quote swallows the file",
      `"client_id,name\n${"1,Ann\n".repeat(60_000)}`,
      "invalid_format",
      /: this row has more than 262,144 characters: is a quote left open\? Nothing/,
    ],
    ["a header that names a field twice", "name,client_id,Name\nAnn,1,Sam\n", "duplicate"],
  ])(
    "%s is 422, and nothing is created",
    async (_what, text, code, says = /^the first row must name the columns|^two columns are called name$/) => {
      const org = await service.newOrg();
      await expect(upload(org, text)).rejects.toMatchObject({
        code: "invalid_request",
        details: [{ location: "form", field: "file", code, message: expect.stringMatching(says) }],
      });
      expect(await rowsOf(org)).toEqual([]);
      expect(await entries(org)).toEqual([]);
    },
  );

  test("with only a header has no rows", async () => {
    expect(await upload(await service.newOrg(), "client_id,name")).toEqual(good(0, 0));
  });
});

describe("a row whose client_id is known", () => {
  test("updates the values of its cells; an empty cell keeps the value", async () => {
    const org = await service.newOrg();
    await upload(org, "client_id,name,email,city\nC-1,Ann,ann@example.com,Springfield\n");
    expect(await upload(org, "client_id,name,email\nc-1,Sam,\nC-2,New,\n")).toEqual(good(2, 1));
    expect(await rowsOf(org, "client_id, name, email, city")).toEqual([
      { client_id: "c-1", name: "Sam", email: "ann@example.com", city: "Springfield" },
      { client_id: "C-2", name: "New", email: null, city: null },
    ]);
  });

  test("and that changes nothing counts as updated and leaves no trace", async () => {
    const org = await service.newOrg();
    await upload(org, "client_id,name\nC-1,Ann\nC-2,Sam\n");
    const before = await rowsOf(org, "*");
    expect(await upload(org, "client_id,name\nC-1,Ann\nC-2,\n")).toEqual(good(2, 0));
    expect(await rowsOf(org, "*")).toEqual(before);
  });

  test("and that occurs twice in a file is two updates: the later one wins, and its empty cells keep the earlier values", async () => {
    const org = await service.newOrg();
    expect(await upload(org, "client_id,name,city\nİx,Ann,Springfield\nİX,Sam,\ni̇x,,\n")).toEqual(good(3, 1));
    expect(await rowsOf(org, "client_id, name, city")).toEqual([{ client_id: "i̇x", name: "Sam", city: "Springfield" }]);
  });

  test("only updates a customer of the caller's org", async () => {
    const [org, other] = [await service.newOrg(), await service.newOrg()];
    await upload(other, "client_id,name\nC-1,Theirs\n");
    expect(await upload(org, "client_id,name\nC-1,Mine\n")).toEqual(good(1, 1));
    expect([await rowsOf(org, "name"), await rowsOf(other, "name")]).toEqual([[{ name: "Mine" }], [{ name: "Theirs" }]]);
  });

  test("keeps its internal fields", async () => {
    const org = await service.newOrg();
    await upload(org, "client_id,name\nC-1,Ann\n");
    await service.database.owner("update customers set notes = 'kept' where org_id = $1", [org.org_id]);
    await upload(org, "client_id,name,notes\nC-1,Sam,gone\n");
    expect(await rowsOf(org, "name, notes")).toEqual([{ name: "Sam", notes: "kept" }]);
  });
});

test("rows without a client_id are new customers each time", async () => {
  const org = await service.newOrg();
  for (let time = 1; time <= 2; time++) expect(await upload(org, "name,email\nAnn,a@example.com\nAnn,a@example.com\n")).toEqual(good(2, 2));
  expect(await rowsOf(org)).toHaveLength(4);
});

describe("a row with errors", () => {
  test("is reported by row and column as in a spreadsheet, and does not stop the others", async () => {
    const org = await service.newOrg();
    const lines = [
      "client_id,name,email,website_url",
      "1,Ann,ann@example.com,https://example.com",
      "",
      "3,x,not an address,example.com",
      `4,${"x".repeat(201)}`,
      "5,a\0b",
      "6,Sam,,,,surplus",
      "7,Sam,,,,",
      ", ,,",
    ];
    const invalid = Buffer.concat([Buffer.from("10,Ann"), Buffer.from([0xff]), Buffer.from("\n11,Sam\n")]);
    const outcome = await upload(org, `${lines.join("\n")}\n`, invalid);
    expect(outcome).toEqual({
      rows: 8,
      created: 3,
      updated: 0,
      failed: 5,
      errors: [
        { row: 4, column: "email", message: "must be an e-mail address, for example ann@example.com" },
        { row: 4, column: "website_url", message: "must be a web address that begins with http:// or https://" },
        { row: 5, column: "name", message: "must have at most 200 characters" },
        { row: 6, column: "name", message: "must not contain a NUL character" },
        { row: 7, column: null, message: "has more cells than the header has columns" },
        { row: 10, column: "name", message: "must be valid UTF-8" },
      ],
    });
    expect((await rowsOf(org)).map((row) => row.client_id)).toEqual(["1", "11", "7"]);
  });

  test("is always counted, but only the first thousand errors are listed", async () => {
    const org = await service.newOrg();
    const bad = Array.from({ length: 1500 }, (_, n) => `${n},x`).join("\n");
    const outcome = await upload(org, `client_id,email\n${bad}\nlast,a@example.com\n`);
    expect({ ...outcome, errors: outcome.errors.length }).toEqual({ rows: 1501, created: 1, updated: 0, failed: 1500, errors: 1000 });
    expect(outcome.errors[999]).toEqual({ row: 1001, column: "email", message: "must be an e-mail address, for example ann@example.com" });
  });

  test("with an unclosed quote is reported, and the rows before it are kept", async () => {
    const org = await service.newOrg();
    const before = Array.from({ length: 700 }, (_, n) => `${n},Ann`).join("\n");
    const outcome = await upload(org, `client_id,name\n${before}\nx,"Sam\ny,Ann\n`);
    expect(outcome).toEqual({
      rows: 701,
      created: 700,
      updated: 0,
      failed: 1,
      errors: [{ row: 702, column: null, message: "a quote in this row is never closed, so that nothing after it was read" }],
    });
    expect(await rowsOf(org)).toHaveLength(700);
  });

  test.each([
    ["a quote that swallows the file", '1,Ann\n2,"Sam', "y,Ann\n".repeat(20_000)],
    ["a row of commas only", "1,Ann\n", ",".repeat(65_536)],
  ])("without an end is aborted before it fills the memory: %s", async (_what, beginning, again) => {
    const org = await service.newOrg();
    let chunks = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`client_id,name\n${beginning}`);
      for (; chunks < 1000; chunks++) yield Buffer.from(again);
    }
    const outcome = await uploadCustomers(service.features.customers, callerOf(org.org_id), endless());
    expect(outcome).toMatchObject({ rows: 2, created: 1, failed: 1, errors: [{ row: 3, column: null }] });
    expect(chunks).toBeLessThan(10);
  });
});

describe("batches", () => {
  test("commit one by one, and the source is not read ahead", async () => {
    const org = await service.newOrg();
    const perChunk = 100;
    async function* counting(): AsyncGenerator<Uint8Array> {
      yield Buffer.from("client_id\n");
      for (let sent = 0; sent < 3000; sent += perChunk) {
        const committed = (await rowsOf(org, "1")).length;
        expect(sent - committed, `${committed} rows are committed when ${sent} were read`).toBeLessThanOrEqual(500 + perChunk);
        yield Buffer.from(Array.from({ length: perChunk }, (_, n) => `${sent + n}\n`).join(""));
      }
    }
    expect(await uploadCustomers(service.features.customers, callerOf(org.org_id), counting())).toEqual(good(3000, 3000));
  });

  test("that were committed stay if the source fails, and have an audit entry", async () => {
    const org = await service.newOrg();
    async function* breaking(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`client_id,email\nbad,x\n${Array.from({ length: 1200 }, (_, n) => `${n},`).join("\n")}\n`);
      throw new Error("connection lost");
    }
    const lost = uploadCustomers(service.features.customers, callerOf(org.org_id), breaking());
    await expect(lost).rejects.toThrow("connection lost");
    expect(await rowsOf(org)).toHaveLength(1000);
    expect(await entries(org)).toMatchObject([{ rows: 1001, created: 1000, updated: 0, failed: 1 }]);
  });

  test("of several uploads of the same customers in different orders do not deadlock", async () => {
    const org = await service.newOrg();
    const ids = Array.from({ length: 1500 }, (_, n) => `C-${n}`);
    const orders = [ids, [...ids].reverse(), ids.map((_, n) => ids[(n * 7) % ids.length] ?? ""), [...ids].reverse()];
    const outcomes = await Promise.all(
      orders.map((order, n) => upload(org, `client_id,name\n${order.map((id) => `${id},by ${n}`).join("\n")}\n`)),
    );
    expect(outcomes.map(({ rows, failed }) => [rows, failed])).toEqual(orders.map(() => [1500, 0]));
    expect(outcomes.reduce((sum, { created }) => sum + created, 0)).toBe(1500);
    expect(await rowsOf(org)).toHaveLength(1500);
  });

  test("and simultaneous changes of the same client_ids return 200 or 409 and never deadlock", async () => {
    const org = await service.newOrg();
    await upload(org, `client_id\n${Array.from({ length: 40 }, (_, n) => `old-${n}`).join("\n")}\n`);
    const customers = await rowsOf(org, "customer_id");
    const wanted = Array.from({ length: 400 }, (_, n) => (n % 10 === 0 ? `old-${n / 10}` : `new-${n}`));
    const [outcome, ...changes] = await Promise.all([
      upload(org, `client_id,name\n${wanted.map((id) => `${id},Ann`).join("\n")}\n`),
      ...customers.map(({ customer_id }, n) =>
        org.admin("PATCH", `/partner/customers/${customer_id}`, { body: { client_id: `new-${399 - n}` } }),
      ),
    ]);
    expect(outcome).toMatchObject({ rows: 400, failed: 0 });
    expect(changes.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([]);
  });

  test("have one entry in the org's chain, with the counts and no values", async () => {
    const org = await service.newOrg();
    await upload(org, `client_id,name\n${Array.from({ length: 1100 }, (_, n) => `${n},Ann`).join("\n")}\n`);
    const told = await entries(org);
    expect(told).toMatchObject([{ rows: 1100, created: 1100, updated: 0, failed: 0 }]);
    expect(JSON.stringify(told)).not.toContain("Ann");
  });
});

async function entries(org: TestOrg): Promise<unknown[]> {
  const links = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, org.org_id));
  return links.filter(({ entry }) => entry.type === "customers.uploaded").map(({ data }) => data?.data);
}

/** Runs the built code in a separate process, which reports its peak memory. */
const PROGRAM = `
  import { connectDb } from ${JSON.stringify(new URL("../../dist/db/connect.js", import.meta.url).href)};
  import { uploadCustomers } from ${JSON.stringify(new URL("../../dist/customers/upload-customers.js", import.meta.url).href)};
  const [url, caller, rows] = process.argv.slice(1);
  // Not the system's own maximum, because a process inherits that from its parent.
  let maxRssBytes = 0;
  setInterval(() => { maxRssBytes = Math.max(maxRssBytes, process.memoryUsage.rss()); }, 20).unref();
  const db = connectDb({ url });
  async function* file() {
    yield Buffer.from("client_id,name,email,company,city\\n");
    for (let row = 0; row < Number(rows); row += 200) {
      const line = (_, n) => \`C-\${row + n},"Ann, number \${row + n}",ann\${row + n}@example.com,Example & Co,Springfield\\n\`;
      yield Buffer.from(Array.from({ length: 200 }, line).join(""));
    }
  }
  const { errors, ...counts } = await uploadCustomers({ db }, JSON.parse(caller), file());
  await db.end();
  console.log(JSON.stringify({ counts, maxRssBytes }));
`;

testInAll(
  "100,000 rows are imported with at most 256 MB of memory",
  async () => {
    const org = await service.newOrg();
    const args = ["--input-type=module", "--eval", PROGRAM, "--", service.database.appUrl, JSON.stringify(callerOf(org.org_id)), "100000"];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { counts, maxRssBytes } = JSON.parse(stdout);
    expect(counts).toEqual({ rows: 100_000, created: 100_000, updated: 0, failed: 0 });
    expect(maxRssBytes).toBeGreaterThan(30 * 1024 * 1024);
    expect(maxRssBytes).toBeLessThan(256 * 1024 * 1024);
    // The test is about memory. On a busy machine it took more than a minute.
  },
  180_000,
);
