import { readdir, rm } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import { testInAll } from "../../../../testing/all.ts";
import { makeReady, signingSession } from "../../../test/ceremony.ts";
import { chainOf, sentEnvelope, signerStatuses, statusOf } from "../../../test/envelopes.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "../../../test/lease.ts";
import { startS3Peer } from "../../../test/s3-peer.ts";
import { testService } from "../../../test/service.ts";
import { trimPages } from "../../documents/trim-pages.ts";
import { WIDGET_PAGES_PER_MINUTE } from "../../embed/authenticate-widget.ts";
import { sweepStorage } from "../../storage/sweep-storage.ts";
import { drawPages } from "./draw-pages.ts";

const service = testService();
const bucket = await startS3Peer();
const { settings } = bucket;
const inBucket = testService({
  S3_ENDPOINT: settings.endpoint,
  S3_BUCKET: settings.bucket,
  S3_REGION: settings.region,
  S3_ACCESS_KEY_ID: settings.accessKeyId,
  S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
});
afterAll(() => bucket.close());
const both = ["ann@example.com", "sam@example.com"] as const;

describe("GET /embed/sign/:envelope_id/pages/:n", () => {
  test("returns an image of the page; the first one for a signer makes signer and envelope viewed, each with an entry", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both, order: "parallel" });
    const one = await signingSession(service, org, envelope.envelope_id, "ann@example.com");
    const { status, headers, text } = await one.see();
    expect([status, headers["content-type"], headers["cache-control"], headers.etag]).toEqual([200, "image/png", "no-store", undefined]);
    expect(text.slice(1, 4)).toBe("PNG");
    expect([await statusOf(service, envelope.envelope_id), await signerStatuses(service, envelope.envelope_id)]).toEqual([
      "viewed",
      ["viewed", "pending"],
    ]);
    const { prepared_sha256 } = (await one.open()).json.data.document;
    const signing_session = one.session;
    const chain = (await chainOf(service, org.org_id, envelope.envelope_id)).filter(({ type }) => type !== "token.minted");
    expect(chain.map(({ type, data }) => [type, data])).toEqual([
      ["signer.opened", { user_email: "ann@example.com", credential: "embed_token", signing_session, issued_by: org.user_id }],
      ["envelope.viewed", { signing_session }],
      ["document.rendered", { prepared_sha256, page: 1, signing_session }],
    ]);
    await one.see();
    expect((await chainOf(service, org.org_id, envelope.envelope_id)).length, "nothing is recorded twice").toBe(chain.length + 1);
  });

  testInAll("shown twenty times at once is recorded once", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const one = await signingSession(service, org, envelope.envelope_id, "ann@example.com");
    const answers = await Promise.all(Array.from({ length: 20 }, () => one.see()));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const types = (await chainOf(service, org.org_id, envelope.envelope_id)).map(({ type }) => type);
    expect(types).toEqual(["token.minted", "signer.opened", "envelope.viewed", "document.rendered"]);
  });

  test("is drawn once and cached for a month", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const one = await signingSession(service, org, envelope.envelope_id, "ann@example.com");
    const first = await one.see();
    const drawn = service.features.pdf.stats().jobs["page:ok"];
    expect((await one.see()).text).toBe(first.text);
    expect(service.features.pdf.stats().jobs["page:ok"]).toBe(drawn);
    const files = async () =>
      (await readdir(service.features.signing.pageCache.folder, { recursive: true })).filter((name) => name.endsWith("-v2"));
    const kept = (await files()).length;
    const DAY_MS = 86_400_000;
    expect(await trimPages(service.features.signing.pageCache, Date.now() + 29 * DAY_MS)).toBe(0);
    expect(await trimPages(service.features.signing.pageCache, Date.now() + 31 * DAY_MS)).toBe(kept);
    expect(await files()).toEqual([]);
  });

  test("is already drawn when the envelope is sent, for the first pages", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    await drawPages(service.features.signing, { org_id: org.org_id, envelope_id });
    const drawn = service.features.pdf.stats().jobs["page:ok"];
    expect((await (await signingSession(service, org, envelope_id, "ann@example.com")).see()).status).toBe(200);
    expect(service.features.pdf.stats().jobs["page:ok"]).toBe(drawn);
  });

  test("is found in the bucket by machines that have no folder with the worker in common, for page 1", async () => {
    const org = await inBucket.newOrg();
    const { envelope_id } = await sentEnvelope(inBucket, org);
    const { pageCache } = inBucket.features.signing;
    await drawPages(inBucket.features.signing, { org_id: org.org_id, envelope_id });
    const [key = expect.fail("nothing is in the bucket"), ...others] = [...bucket.objects.keys()].filter((one) =>
      one.startsWith("derived/"),
    );
    expect(others).toEqual([]);
    expect(bucket.objects.get(key)?.includes("PNG"), "it is encrypted").toBe(false);
    const one = await signingSession(inBucket, org, envelope_id, "ann@example.com");
    const drawn = () => inBucket.features.pdf.stats().jobs["page:ok"];
    const before = drawn();
    const seeOnAnotherMachine = async () => {
      await rm(pageCache.folder, { recursive: true });
      return one.see();
    };
    const first = await seeOnAnotherMachine();
    expect([first.status, drawn()]).toEqual([200, before]);
    expect([(await one.see()).text, drawn()], "from its own folder").toEqual([first.text, before]);
    const picture = bucket.objects.get(key) ?? expect.fail("it is gone");
    bucket.objects.set(key, Buffer.from(picture.map((byte, at) => (at === 99 ? byte ^ 1 : byte))));
    expect([(await seeOnAnotherMachine()).text === first.text, drawn()], "a damaged one is drawn").toEqual([true, (before ?? 0) + 1]);
    bucket.objects.set(key, picture);
    pageCache.seen.takeFailure();
    bucket.fail("403", 1, "GET");
    expect([(await seeOnAnotherMachine()).status, drawn()], "the store refuses").toEqual([200, (before ?? 0) + 2]);
    expect(pageCache.seen.takeFailure()).toMatchObject({ failures: 1, last: { name: "StoreUnavailable" } });

    const DAY_MS = 86_400_000;
    const sweepsOfDay = async (day: number) => {
      let removed = 0;
      for (let hour = 0; hour < 24; hour++) removed += (await sweepStorage(inBucket.features.storage, day + (hour * DAY_MS) / 24)).shared;
      return removed;
    };
    const written = bucket.written.get(key)?.getTime() ?? expect.fail("it was never written");
    expect([await sweepsOfDay(written + 29 * DAY_MS), await sweepsOfDay(written + 31 * DAY_MS)]).toEqual([0, 1]);
  });

  test("can be small for a list of pages, which does not count as page 1", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    const one = await signingSession(service, org, envelope_id, "ann@example.com");
    expect((await one.send("GET", "/pages/1?w=204")).status).toBe(200);
    expect((await one.consent()).headers["x-error-code"]).toBe("document_not_rendered");
  });

  test("can be wider for zooming; other widths are 422, other pages 404", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const one = await signingSession(service, org, envelope.envelope_id, "ann@example.com");
    expect((await one.send("GET", "/pages/1?w=2448")).status).toBe(200);
    expect((await one.send("GET", "/pages/1?w=100")).json.details[0]).toMatchObject({ location: "query", field: "w" });
    for (const n of ["2", "0", "-1", "x", "99999999999"]) {
      expect([n, (await one.send("GET", `/pages/${n}`)).status]).toEqual([n, 404]);
    }
  });

  test("is not shown out of turn; a viewer sees it, but it does not count as viewed", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org, { signers: both });
    const sam = await signingSession(service, org, envelope.envelope_id, "sam@example.com");
    for (const path of ["/pages/1", "/pages/1/text", "/document"]) {
      const { status, json } = await sam.send("GET", path);
      expect([path, status, json.details[0].code]).toEqual([path, 409, "not_your_turn"]);
    }
    const boss = await signingSession(service, org, envelope.envelope_id, "boss@example.com");
    expect((await boss.see()).status).toBe(200);
    expect([await statusOf(service, envelope.envelope_id), await signerStatuses(service, envelope.envelope_id)]).toEqual([
      "sent",
      ["pending", "pending"],
    ]);
  });

  test("has its own rate limit, separate from other calls", async () => {
    const org = await service.newOrg();
    const envelope = await sentEnvelope(service, org);
    const one = await signingSession(service, org, envelope.envelope_id, "ann@example.com");
    const { headers } = await one.see();
    expect([headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]).toEqual([
      String(WIDGET_PAGES_PER_MINUTE),
      String(WIDGET_PAGES_PER_MINUTE - 1),
    ]);
    expect((await one.open()).headers["x-ratelimit-remaining"]).toBe("119");
  });

  test("has its text for screen readers", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const envelope_id = await newEnvelope(key, await newTemplate(key));
    await key.send("POST", `/partner/envelopes/${envelope_id}/send`);
    const one = await signingSession(service, org, envelope_id, tenant.email);
    const { status, json } = await one.send("GET", "/pages/1/text");
    expect([status, json.data.page, json.data.has_text]).toEqual([200, 1, true]);
    expect(json.data.blocks.join(" ")).toContain("Name:");
  });
});

describe("?values=1", () => {
  test("shows the values as they will be signed, and needs consent", async () => {
    const org = await service.newOrg();
    const key = await org.newKey();
    const envelope_id = await newEnvelope(key, await newTemplate(key), { prefilled_data: { "Tenant name": "Ann Example" } });
    await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord] } });
    const one = await signingSession(service, org, envelope_id, tenant.email);
    const plain = await one.see();
    expect((await one.send("GET", "/pages/1?values=1")).json.details[0].code).toBe("consent_required");
    await makeReady(one, { Rent: "1200", Start: "2026-03-01", Floor: "second" });
    const preview = await one.send("GET", "/pages/1?values=1");
    expect([preview.status, preview.headers["content-type"]]).toEqual([200, "image/png"]);
    expect(preview.text).not.toBe(plain.text);
    const boss = await signingSession(service, org, envelope_id, "boss@example.com");
    expect((await boss.send("GET", "/pages/1?values=1")).status).toBe(403);
    await one.complete();
    const after = await one.send("GET", "/pages/1?values=1");
    expect([after.status, after.headers["content-type"]], "the last page of a signer who has signed").toEqual([200, "image/png"]);
    expect(after.text).not.toBe(plain.text);
  });
});

describe("a person who reads the document", () => {
  test("as text or as a file counts as having opened and seen it, too", async () => {
    for (const path of ["/pages/1/text", "/document"]) {
      const org = await service.newOrg();
      const { envelope_id } = await sentEnvelope(service, org);
      const one = await signingSession(service, org, envelope_id, "ann@example.com");
      expect((await one.send("GET", path)).status).toBe(200);
      const types = (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);
      expect(types).toContain("signer.opened");
      expect([await statusOf(service, envelope_id), await signerStatuses(service, envelope_id)]).toEqual(["viewed", ["viewed"]]);
      expect(types, "no page image was served").not.toContain("document.rendered");
    }
  });

  test("is recorded even if they are a viewer and request a page first", async () => {
    const org = await service.newOrg();
    const { envelope_id } = await sentEnvelope(service, org);
    await (await signingSession(service, org, envelope_id, "boss@example.com")).see();
    expect((await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type)).toEqual(["token.minted", "viewer.opened"]);
  });
});
