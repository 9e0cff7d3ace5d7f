import { beforeAll, describe, expect, test } from "vitest";
import { form } from "../../test/form.ts";
import { envelopeBody, leasePdf, newEnvelope, newTemplate } from "../../test/lease.ts";
import { newSandbox } from "../../test/sandboxes.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { finishDocument } from "../envelopes/finish-document.ts";
import type { EnvelopeId } from "../shared/ids.ts";

const service = testService();
const { owner } = service.database;

let live: TestOrg;
let sandbox: TestOrg;
let key: TestKey;
beforeAll(async () => {
  live = await service.newOrg();
  sandbox = await newSandbox(service, live);
  key = await sandbox.newKey();
});

const create = (by: Pick<TestKey, "send">) => by.send("POST", "/partner/envelopes", { body: envelopeBody() });

/** As if an organization had created this many envelopes `ago`. */
const createdBefore = ({ org_id }: TestOrg, count: number, ago: string) =>
  owner(
    `insert into envelopes (org_id, envelope_id, envelope_name, status, created_at)
     select $1, 'env_' || substr(md5($1 || n), 1, 26), 'Lease', 'pending', now() - $3::interval from generate_series(1, $2::int) n`,
    [org_id, count, ago],
  );

describe("a sandbox that is full", () => {
  test("takes no envelope after the thousandth of a day, also of many at once, until a day has passed", async () => {
    await createdBefore(sandbox, 997, "23 hours");
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(key)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 409, 409, 409]);
    const refused = await create(key);
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "sandbox_full"]);
    await owner("update envelopes set created_at = created_at - interval '2 hours' where org_id = $1", [sandbox.org_id]);
    expect((await create(key)).status).toBe(201);
  });

  test("takes no documents of more than 2 GB, and finishes what was accepted", async () => {
    const other = await newSandbox(service, live);
    const own = await other.newKey();
    const envelope_id = (await newEnvelope(own, await newTemplate(own))) as EnvelopeId;
    expect((await own.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: {} })).status).toBe(200);
    const [blob] = await owner<{ sha256: string }>("select sha256 from blobs where org_id = $1 and kept limit 1", [other.org_id]);
    await owner("update blobs set size = 2000000000 where org_id = $1 and sha256 = $2", [other.org_id, blob?.sha256]);
    const upload = () => own.send("POST", "/partner/templates", form({ name: "Lease" }, { bytes: leasePdf }));
    const refused = await upload();
    expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "sandbox_full"]);
    expect((await own.send("POST", `/test/envelopes/${envelope_id}/sign`, { body: {} })).json.data.status).toBe("completed");
    await finishDocument(service.features.envelopes, { org_id: other.org_id, envelope_id });
    expect((await own.send("GET", `/partner/envelopes/${envelope_id}/document`)).status).toBe(200);
    // What a reset has released is not counted.
    await owner("update blobs set kept = false where org_id = $1 and sha256 = $2", [other.org_id, blob?.sha256]);
    expect((await upload()).status).toBe(200);
  });

  test("is no limit of an organization", async () => {
    await createdBefore(live, 1_000, "1 hour");
    expect((await create(await live.newKey())).status).toBe(201);
  });
});
