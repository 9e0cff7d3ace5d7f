import { rowsOf } from "@countersign/csv";
import { expect, test } from "vitest";
import { testInAll } from "../../../testing/all.ts";
import { envelopeBody, newEnvelope, newTemplate } from "../../test/lease.ts";
import { testService } from "../../test/service.ts";

const service = testService();

test("GET /partner/envelopes.csv has a row for each envelope, and no cell that a spreadsheet runs", async () => {
  const org = await service.newOrg();
  const key = await org.newKey();
  const formula = '=HYPERLINK("https://example.com","x")';
  const first = await key.send("POST", "/partner/envelopes", {
    body: envelopeBody({ envelope_name: formula, external_id: "+1", customer_name: "@Ann", tags: ["-Cut", "North, Sea"] }),
  });
  const sent = await newEnvelope(key, await newTemplate(key));
  await key.send("POST", `/partner/envelopes/${sent}/send`, { body: {} });
  const { text, headers } = await key.send("GET", "/partner/envelopes.csv");
  expect([headers["content-type"], headers["content-disposition"]]).toEqual([
    "text/csv; charset=utf-8",
    "attachment; filename=\"envelopes.csv\"; filename*=UTF-8''envelopes.csv",
  ]);
  const [header, ...rows] = rowsOf(text);
  expect(header?.join(" ")).toBe(
    "envelope_id envelope_name status customer_name customer_email external_id tags owner created_at sent_at signed_at expires_at",
  );
  const { json } = await key.send("GET", `/partner/envelopes/${sent}`);
  const owner = (await org.admin("GET", "/auth/me")).json.data.user.name;
  const { created_at, metadata } = json.data;
  expect(rows).toEqual([
    [sent, "Lease", "sent", "'@Ann", "ann@example.com", "", "", owner, created_at, metadata.sent_at, "", metadata.expires_at],
    [
      first.json.data.envelope_id,
      `'${formula}`,
      "pending",
      "'@Ann",
      "ann@example.com",
      "'+1",
      "'-Cut; North, Sea",
      owner,
      first.json.data.created_at,
      "",
      "",
      "",
    ],
  ]);
  const blind = await org.newKey({ scopes: ["envelopes:read"] });
  const unnamed = rowsOf((await blind.send("GET", "/partner/envelopes.csv")).text);
  expect(
    unnamed.slice(1).map((row) => [row[3], row[4]]),
    "customers are only for those who can read them",
  ).toEqual([
    ["", ""],
    ["", ""],
  ]);
  expect((await blind.send("GET", "/partner/envelopes.csv?q=ann")).text.split("\r\n"), "nor found").toHaveLength(3);
});

test("GET /partner/envelopes.csv?envelope_ids= has only these, of those that fit, and none of others", async () => {
  const [org, other] = [await service.newOrg(), await service.newOrg()];
  const [key, theirs] = [await org.newKey(), await other.newKey()];
  const [template, foreign] = [await newTemplate(key), await newEnvelope(theirs, await newTemplate(theirs))];
  const [one = "", two = "", three = ""] = [
    await newEnvelope(key, template),
    await newEnvelope(key, template),
    await newEnvelope(key, template),
  ];
  await key.send("POST", `/partner/envelopes/${two}/send`, { body: {} });
  const idsOf = async (query: string) =>
    rowsOf((await key.send("GET", `/partner/envelopes.csv?${query}`)).text).flatMap(([id]) => id ?? []);
  const chosen = `envelope_ids=${[one, two, foreign].join()}`;
  expect(await idsOf(chosen)).toEqual(["envelope_id", two, one]);
  expect(await idsOf(`${chosen}&status=sent`)).toEqual(["envelope_id", two]);
  expect(await idsOf(`${chosen}&q=lease`), "a search with few hits").toEqual(["envelope_id", two, one]);
  expect(await idsOf(`${chosen}&sort=-updated_at`)).toEqual(["envelope_id", two, one]);
  expect(await idsOf(`envelope_ids=${three}`)).toEqual(["envelope_id", three]);
  for (const wrong of ["envelope_ids=", `envelope_ids=${one},`, "envelope_ids=usr_1", `envelope_ids=${Array(201).fill(one).join()}`]) {
    const { status, json } = await key.send("GET", `/partner/envelopes.csv?${wrong}`);
    expect([status, json.details?.[0]?.field], wrong.slice(0, 60)).toEqual([422, "envelope_ids"]);
  }
  expect((await key.send("GET", `/partner/envelopes.csv?envelope_ids=${Array(200).fill(one).join()}`)).status).toBe(200);
});

testInAll("more than 100,000 rows are 422 export_too_large, and a narrower export is made", { timeout: 120_000 }, async () => {
  const org = await service.newOrg();
  const key = await org.newKey();
  await service.database.owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, name_key, status, created_at)
     select $1, 'env_' || lpad(n::text, 26, '0'), 'E', 'e', 'pending', timestamptz '2026-01-01' + make_interval(secs => n) from generate_series(1, 100001) as n`,
    [org.org_id],
  );
  // As the database does after so many new rows.
  await service.database.owner("analyze envelopes");
  const { status, headers } = await key.send("GET", "/partner/envelopes.csv");
  expect([status, headers["x-error-code"]]).toEqual([422, "export_too_large"]);
  const { text } = await key.send("GET", "/partner/envelopes.csv?created_from=2026-01-01T00:00:02.000Z&sort=envelope_name");
  const ids = text
    .trimEnd()
    .split("\r\n")
    .slice(1)
    .map((row) => row.slice(0, 30));
  expect([ids.length, new Set(ids).size, ids[0], ids.at(-1)]).toEqual([
    100_000,
    100_000,
    `env_${"2".padStart(26, "0")}`,
    `env_${"100001".padStart(26, "0")}`,
  ]);
});
