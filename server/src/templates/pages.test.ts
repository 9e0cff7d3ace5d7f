import { rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { newTemplate, plainPdf } from "../../test/lease.ts";
import { refusedWith } from "../../test/refused-with.ts";
import { type TestKey, type TestOrg, testService } from "../../test/service.ts";
import { newMember } from "../../test/vaulted.ts";
import { newId } from "../shared/ids.ts";

const service = testService();
let org: TestOrg;
let key: TestKey;
let pages: string;
beforeAll(async () => {
  org = await service.newOrg();
  key = await org.newKey();
  pages = `/partner/templates/${await newTemplate(key, plainPdf)}/pages`;
});

const pagesDrawn = () => service.features.pdf.stats().jobs["page:ok"] ?? 0;
const widthOf = (png: Buffer) => png.readUInt32BE(16);

describe("GET /partner/templates/:template_id/pages/:n", () => {
  test("returns an image of the page, drawn once and cached; browsers do not cache it", async () => {
    const first = await key.send("GET", `${pages}/1`);
    const { status, headers, bytes } = first;
    expect([status, headers["content-type"], headers["cache-control"], headers.etag]).toEqual([200, "image/png", "no-store", undefined]);
    expect([bytes.toString("latin1", 1, 4), widthOf(bytes)]).toEqual(["PNG", 1224]);
    const drawn = pagesDrawn();
    expect((await key.send("GET", `${pages}/1`)).bytes.equals(bytes)).toBe(true);
    expect((await key.send("GET", `${pages}/1?w=1224`)).bytes.equals(bytes)).toBe(true);
    expect(pagesDrawn()).toBe(drawn);
  });

  test("can be wider for zooming; other widths are 422, other pages 404", async () => {
    expect(widthOf((await key.send("GET", `${pages}/1?w=2448`)).bytes)).toBe(2448);
    expect((await key.send("GET", `${pages}/1?w=100`)).json.details[0]).toMatchObject({ location: "query", field: "w" });
    const beyond = await key.send("GET", `${pages}/2`);
    expect([beyond.status, beyond.json.error]).toEqual([404, "The document has no such page"]);
    for (const n of ["0", "-1", "x", "99999999999"]) expect([n, (await key.send("GET", `${pages}/${n}`)).status]).toEqual([n, 404]);
  });

  test("requires access to templates: a viewer has it, a key for customers and another org do not", async () => {
    const viewer = await newMember(service, org, "viewer");
    const elsewhere = await org.newKey({ scopes: ["customers:read"] });
    const stranger = await (await service.newOrg()).newKey();
    for (const path of [`${pages}/1`, `${pages}/1/text`]) {
      expect((await viewer.send("GET", path)).status).toBe(200);
      expect((await elsewhere.send("GET", path)).status).toBe(403);
      const foreign = await stranger.send("GET", path);
      const missing = await stranger.send("GET", `/partner/templates/${newId("template")}/pages/1`);
      expect([foreign.status, foreign.text]).toEqual([404, missing.text]);
    }
  });

  test("still works for an archived template, and is 409 without a document, 502 when the PDF is lost", async () => {
    const own = await service.newOrg();
    const ownKey = await own.newKey();
    const template_id = await newTemplate(ownKey, plainPdf);
    const look = async (path: string) => {
      const { status, json } = await ownKey.send("GET", `/partner/templates/${template_id}/pages/${path}`);
      return [status, json?.error];
    };
    await ownKey.send("DELETE", `/partner/templates/${template_id}`);
    expect(await look("1")).toEqual([200, undefined]);
    rmSync(join(service.config.dataDir, "blobs", own.org_id), { recursive: true, force: true });
    expect(await look("1"), "cached pages still work").toEqual([200, undefined]);
    expect(await look("1?w=2448")).toEqual([502, "The template's PDF could not be fetched"]);
    expect(await look("1/text")).toEqual([502, "The template's PDF could not be fetched"]);
    await service.database.owner("update template_documents set pdf_sha256 = null where template_id = $1", [template_id]);
    for (const path of ["1", "1/text"]) expect(await look(path)).toEqual([409, "The template has no document"]);
  });
});

test("GET /partner/templates/:template_id/pages/:n/text returns the text of the page, in reading order", async () => {
  const { status, json, headers } = await key.send("GET", `${pages}/1/text`);
  expect([status, headers["cache-control"], headers.etag]).toEqual([200, "no-store", undefined]);
  expect(json.data).toEqual({ page: 1, blocks: expect.any(Array), places: expect.any(Array), has_text: true });
  expect(json.data.blocks.join(" ")).toContain("Sign here");
  expect((await key.send("GET", `${pages}/2/text`)).json).toEqual(refusedWith("The document has no such page"));
});
