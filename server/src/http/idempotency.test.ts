import { describe, expect, test } from "vitest";
import { onePage } from "../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { testInAll } from "../../../testing/all.ts";
import { form } from "../../test/form.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { testService } from "../../test/service.ts";
import { deriveKeys, sha256 } from "../shared/secrets.ts";
import { fingerprintsOf } from "./idempotency.ts";

const service = testService();

const tested = async () => Number((await service.database.owner<{ n: string }>("select count(*) as n from events"))[0]?.n);

async function keyOfOrg() {
  const org = await service.newOrg();
  const { key_id } = await org.newKey();
  const test = (idempotencyKey: string, body?: unknown) =>
    org.admin("POST", `/partners/keys/${key_id}/test-webhook`, {
      headers: { "idempotency-key": idempotencyKey },
      ...(body !== undefined && { body }),
    });
  return { org, key_id, test };
}

describe("Idempotency-Key", () => {
  test("a repeated request gets the first response, marked as replayed, and changes nothing", async () => {
    const { test } = await keyOfOrg();
    const before = await tested();
    const first = await test("order-1");
    const second = await test("order-1");
    expect([first.status, second.status]).toEqual([202, 202]);
    expect(second.text).toBe(first.text);
    expect([first.headers["idempotent-replayed"], second.headers["idempotent-replayed"]]).toEqual([undefined, "true"]);
    expect(await tested()).toBe(before + 1);
  });

  test("a different body with the same key is 422", async () => {
    const { test } = await keyOfOrg();
    await test("order-2");
    const { status, json } = await test("order-2", {});
    expect([status, json]).toEqual([422, refusedWith("This Idempotency-Key was used with a different request")]);
  });

  test("a different path with the same key is 422", async () => {
    const { org, test, key_id } = await keyOfOrg();
    await test("order-3");
    const { status } = await org.admin("POST", `/partners/keys/${key_id}/rotate`, { headers: { "idempotency-key": "order-3" } });
    expect(status).toBe(422);
  });

  test("of 20 equal simultaneous requests one runs, and all get its response", async () => {
    const { test } = await keyOfOrg();
    const before = await tested();
    const answers = await Promise.all(Array.from({ length: 20 }, () => test("order-4")));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(202));
    expect(await tested()).toBe(before + 1);
  });

  test("a response with a secret is never stored: its replay is 409, and only one key exists", async () => {
    const { admin } = await service.newOrg();
    const create = () =>
      admin("POST", "/partners/keys", { body: { partner_name: "A", scopes: ["envelopes:read"] }, headers: { "idempotency-key": "k" } });
    const first = await create();
    const again = await Promise.all([create(), create(), create()]);
    expect(first.status).toBe(201);
    for (const { status, json } of again) {
      expect([status, json.error]).toEqual([
        409,
        "This request already succeeded. Its response contained a secret that is shown only once",
      ]);
    }
    expect((await admin("GET", "/partners/keys")).json.meta.total).toBe(1);
    const rows = await service.database.owner("select from idempotent_answers where body like '%' || $1 || '%'", [first.json.data.api_key]);
    expect(rows).toEqual([]);
  });

  test("the fingerprint of a form is keyed like that of JSON, so a stolen database does not allow guessing the content", async () => {
    const { org_id, admin } = await service.newOrg();
    const pdf = writePdf(onePage());
    const { raw, headers } = form({ name: "Lease of Ann" }, { bytes: pdf });
    expect((await admin("POST", "/partner/templates", { raw, headers: { ...headers, "idempotency-key": "f" } })).status).toBe(200);
    const [stored] = await service.database.owner<{ fingerprint: Buffer }>("select fingerprint from idempotent_answers where org_id = $1", [
      org_id,
    ]);
    // A correct guess of everything that was sent.
    const path = "/api/v2/partner/templates";
    const said = [[["name", "Lease of Ann"]], "file.pdf", sha256(pdf).toString("hex")] as const;
    const guesses = [JSON.stringify(["POST", path, ...said]), `POST ${path}\n${JSON.stringify(said)}`];
    expect(guesses.map((guess) => sha256(guess).toString("hex"))).not.toContain(stored?.fingerprint.toString("hex"));
    const key = deriveKeys(service.config.appSecrets).fingerprints;
    expect(stored?.fingerprint).toEqual(fingerprintsOf(key, "POST", path, Buffer.from(JSON.stringify(said)))[0]);
  });

  test("a refusal is not stored: the corrected request can use the same key", async () => {
    const { admin } = await service.newOrg();
    const headers = { "idempotency-key": "second-try" };
    expect((await admin("POST", "/partners/keys", { body: { partner_name: "" }, headers })).status).toBe(422);
    expect((await admin("POST", "/partners/keys", { body: { partner_name: "A", scopes: ["envelopes:read"] }, headers })).status).toBe(201);
  });

  test("belongs to one organization: the same key of another organization is a separate request", async () => {
    const [one, two] = [await keyOfOrg(), await keyOfOrg()];
    const [first, second] = [await one.test("shared"), await two.test("shared")];
    expect(second.headers["idempotent-replayed"]).toBeUndefined();
    expect(second.json.data.event_id).not.toBe(first.json.data.event_id);
  });

  testInAll("a request that waits longer than 5 seconds for the first is 409 with Retry-After: 1", async () => {
    const { org, test } = await keyOfOrg();
    // The first request hangs: its row is inserted but not committed.
    const stuck = service.db.tx(org.org_id, async (tx) => {
      await tx.query({
        name: "stuck",
        text: "insert into idempotent_answers (org_id, credential, idempotency_key, fingerprint) values ($1, $2, 'slow', '')",
        values: [org.org_id, org.user_id],
      });
      return test("slow");
    });
    expect(await stuck).toMatchObject({
      status: 409,
      headers: { "retry-after": "1" },
      json: refusedWith("A request with this Idempotency-Key is still running. Try again"),
    });
  });

  test.each(["", "x".repeat(256), "na\u00efve"])("that is %j is 422", async (value) => {
    const { test } = await keyOfOrg();
    const { status, json } = await test(Buffer.from(value, "utf8").toString("latin1"));
    expect([status, json.details[0]]).toMatchObject([422, { location: "header", field: "Idempotency-Key", code: "invalid_format" }]);
  });
});
