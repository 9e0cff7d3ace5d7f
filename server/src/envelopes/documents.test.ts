import { randomBytes } from "node:crypto";
import { constants, inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { onePage, pages } from "../../../pdf/fixtures/pages.ts";
import { stream, writePdf } from "../../../pdf/fixtures/writer.ts";
import { testInAll } from "../../../testing/all.ts";
import { signAll, signingSession } from "../../test/ceremony.ts";
import { chainOf } from "../../test/envelopes.ts";
import { form } from "../../test/form.ts";
import { envelopeBody, landlord, newTemplate, tenant } from "../../test/lease.ts";
import { testService } from "../../test/service.ts";
import {
  addTo,
  type DraftOfSeveral,
  draftOfThree,
  emptyDraft,
  handover,
  type Listed,
  lease,
  listed,
  rules,
  sendDraft,
} from "../../test/three-documents.ts";
import { sealRoots } from "../seals/verify-own-seal.ts";
import { finishDocument } from "./finish-document.ts";

const service = testService();

// A busy machine cleans 26 MB in many seconds.
const LARGE_FILES_MS = 120_000;

/** A page that has a picture of this many pixels a side, in three bytes each that no compression makes smaller. */
function photoOf(side: number): Uint8Array {
  const image = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
  return writePdf(
    onePage({
      resources: "/XObject << /Im1 10 0 R >>",
      more: { 10: stream(image, randomBytes(3 * side * side)) },
    }),
  );
}

const names = (documents: readonly Listed[]) => documents.map(({ document_no, name }) => `${document_no} ${name}`);
const placed = (document: number, page: number, name: string) => ({
  ...{ name, type: "signature", role: "Tenant", document },
  placement: { mode: "absolute", areas: [{ page, x: 0.1, y: 0.5, w: 0.3, h: 0.06 }] },
});

const textOf = async (bytes: Uint8Array, page: number) =>
  (await service.features.pdf.text(new Uint8Array(bytes), { page })).blocks.join(" ");
const finish = ({ org, envelope_id }: DraftOfSeveral) => finishDocument(service.features.envelopes, { org_id: org.org_id, envelope_id });

describe("documents of a draft", () => {
  test("are added at the end, renamed, moved with their fields, replaced and removed", async () => {
    const one = await draftOfThree(service);
    const { key, at } = one;
    expect((await key.send("GET", at)).json.data.status).toBe("uploaded");
    const [first, second, third] = await listed(one);
    expect(names([first, second, third] as Listed[])).toEqual(["1 Lease", "2 House rules", "3 Handover"]);
    expect([first?.first_page, second?.pages]).toEqual([null, 2]);
    expect((await key.send("POST", `${at}/fields`, { body: { fields: [placed(2, 2, "Seen")] } })).status).toBe(200);

    const moved = await key.send("PATCH", `${at}/documents/${third?.document_id}`, { body: { document_no: 1, name: "Keys" } });
    expect([moved.status, names(moved.json.data.documents)]).toEqual([200, ["1 Keys", "2 Lease", "3 House rules"]]);
    const shown = (await key.send("GET", `${at}/fields`)).json.data;
    const onDocuments = shown.fields.map(({ name, document = 1 }: { name: string; document?: number }) => `${name} ${document}`);
    expect(onDocuments).toEqual(["Tenant name 2", "Sign 2", "Sign 1", "Seen 3"]);
    expect(shown.documents.map(({ name, pages: all }: { name: string; pages: unknown[] }) => `${name} ${all.length}`)).toEqual([
      "Keys 1",
      "Lease 1",
      "House rules 2",
    ]);
    expect(
      (await key.send("PATCH", `${at}/documents/${third?.document_id}`, { body: { document_no: 99 } })).json.data.documents[2].name,
    ).toBe("Keys");

    const replaced = await key.send("PUT", `${at}/documents/${second?.document_id}/file`, form({}, { bytes: writePdf(onePage()) }));
    expect([replaced.status, replaced.json.error]).toEqual([200, undefined]);
    expect(replaced.json.data.warnings).toEqual([
      { code: "fields_removed", message: 'Were on pages that the new file does not have: "Seen"' },
    ]);
    expect(replaced.json.data.documents[1]).toMatchObject({ document_id: second?.document_id, name: "House rules", pages: 1 });

    const removed = await key.send("DELETE", `${at}/documents/${first?.document_id}`);
    expect(names(removed.json.data.documents)).toEqual(["1 House rules", "2 Keys"]);
    const left = (await key.send("GET", `${at}/fields`)).json.data.fields;
    expect(left.map(({ name, document }: { name: string; document: number }) => [name, document])).toEqual([["Sign", 2]]);
    await key.send("DELETE", `${at}/documents/${second?.document_id}`);
    const last = await key.send("DELETE", `${at}/documents/${third?.document_id}`);
    expect([last.status, last.headers["x-error-code"]]).toEqual([409, "last_document"]);
    expect((await key.send("DELETE", `${at}/documents/${first?.document_id}`)).status).toBe(404);
  });

  test("come from a template with its fields; a template with several documents gives an envelope all of them", async () => {
    const one = await emptyDraft(service);
    const { key, at } = one;
    const template_id = await newTemplate(key);
    const more = await key.send("POST", `/partner/templates/${template_id}/documents`, form({ name: "Handover" }, { bytes: handover }));
    expect([more.status, names(more.json.data.documents)]).toEqual([201, ["1 Lease", "2 Handover"]]);
    await addTo(one, lease, "First");
    const added = await key.send("POST", `${at}/documents`, { body: { template_id } });
    expect([added.status, names(added.json.data.documents)]).toEqual([201, ["1 First", "2 Lease", "3 Handover"]]);
    const { fields } = (await key.send("GET", `${at}/fields`)).json.data;
    expect(new Set(fields.map(({ document = 1 }: { document?: number }) => document))).toEqual(new Set([1, 2, 3]));
    expect(new Set(fields.map(({ field_key }: { field_key: string }) => field_key)).size).toBe(fields.length);
    const made = (await key.send("POST", "/partner/envelopes", { body: envelopeBody({ template_id }) })).json.data;
    expect(names(await listed({ key, at: `/partner/envelopes/${made.envelope_id}` }))).toEqual(["1 Lease", "2 Handover"]);
    const template = (await key.send("GET", `/partner/templates/${template_id}`)).json.data;
    expect([template.pages.length, template.documents.length]).toEqual([2, 2]);
    expect((await key.send("GET", `/partner/templates/${template_id}/pages/2`)).status).toBe(200);
    const file = await key.send("GET", `/partner/templates/${template_id}/documents/${template.documents[1].document_id}/file`);
    expect(await textOf(file.bytes, 1)).toContain("four keys");
  });

  test("come from a template with its people and defaults; what the draft says stays", async () => {
    const one = await emptyDraft(service);
    const { key, at } = one;
    const template_id = await newTemplate(key);
    const roles = [
      { kind: "signer", role: "Tenant", step: 1 },
      { kind: "approver", name: "Boss", email: "boss@example.com", step: 1 },
      { kind: "signer", role: "Landlord", name: "Sam", email: "sam@example.com", step: 2 },
    ];
    const defaults = { message: "From the template", expires_in_days: 5, kba_required: true };
    expect((await key.send("PATCH", `/partner/templates/${template_id}`, { body: { roles, defaults } })).status).toBe(200);
    const brought = async (path: string) => {
      const { status, json } = await key.send("POST", `${path}/documents`, { body: { template_id } });
      expect([status, json.error]).toEqual([201, undefined]);
      const { metadata } = (await key.send("GET", path)).json.data;
      const { message, expires_in_days, kba_required, signing_order, recipients } = metadata;
      const people = recipients.map(({ kind, email, step }: Record<string, unknown>) => [kind, email, step]);
      return { message, expires_in_days, kba_required, signing_order, people };
    };
    expect(await brought(at)).toEqual({
      ...defaults,
      signing_order: "steps",
      people: [
        ["signer", "ann@example.com", 1],
        ["approver", "boss@example.com", 1],
        ["signer", "sam@example.com", 2],
      ],
    });
    const kept = { message: "Mine", expires_in_days: 9, signers: [{ email: "eva@example.com", name: "Eva", role: "Tenant" }] };
    const other = await key.send("POST", "/partner/envelopes", { body: envelopeBody(kept) });
    expect(await brought(`/partner/envelopes/${other.json.data.envelope_id}`)).toEqual({
      message: "Mine",
      expires_in_days: 9,
      kba_required: true,
      signing_order: "sequential",
      people: [["signer", "eva@example.com", 1]],
    });
  });

  test("422: more than 20 documents, or more than 2,000 pages together; a field on a document or page that is not there", async () => {
    const one = await emptyDraft(service);
    const { key, at } = one;
    for (let n = 1; n <= 20; n++) await addTo(one, lease, `Document ${n}`);
    const more = await key.send("POST", `${at}/documents`, form({}, { bytes: lease }));
    expect([more.status, more.headers["x-error-code"]]).toEqual([422, "envelope_too_large"]);
    const other = await emptyDraft(service);
    await addTo(other, writePdf(pages(1_500)), "Long");
    const long = await other.key.send("POST", `${other.at}/documents`, form({}, { bytes: writePdf(pages(501)) }));
    expect([long.status, long.headers["x-error-code"]]).toEqual([422, "envelope_too_large"]);
    const faults = async (field: object) => {
      const { status, json } = await other.key.send("POST", `${other.at}/fields`, { body: { fields: [field] } });
      return [status, ...json.details.map((detail: { field: string; code: string }) => `${detail.field} ${detail.code}`)];
    };
    expect(await faults(placed(2, 1, "x"))).toEqual([422, "fields[0].document out_of_range"]);
    expect(await faults(placed(1, 1_501, "x"))).toEqual([422, "fields[0].placement.areas[0].page out_of_range"]);
  });

  testInAll("422: more than 50 MB together, added or as another file; what fits is added", { timeout: LARGE_FILES_MS }, async () => {
    const one = await emptyDraft(service);
    const { key, at } = one;
    const [photo] = await addTo(one, photoOf(3_000), "Photo");
    const size = Number(photo?.size);
    expect([size > 26_000_000, size < 52_428_800]).toEqual([true, true]);
    const other = { bytes: photoOf(3_000) };
    const more = await key.send("POST", `${at}/documents`, form({}, other));
    expect([more.status, more.headers["x-error-code"]]).toEqual([422, "envelope_too_large"]);
    const [, small] = await addTo(one, lease, "Lease");
    const replaced = await key.send("PUT", `${at}/documents/${small?.document_id}/file`, form({}, other));
    expect([replaced.status, replaced.headers["x-error-code"]]).toEqual([422, "envelope_too_large"]);
    expect(names(await listed(one))).toEqual(["1 Photo", "2 Lease"]);
  });

  test("an anchor is searched in the document of its field", async () => {
    const { key, at } = await draftOfThree(service);
    const anchored = (document: number) => ({
      ...{ name: "By the words", type: "text", role: "Tenant", document },
      placement: { mode: "anchor", anchor_text: "Quiet hours", w: 0.2, h: 0.03 },
    });
    const found = await key.send("POST", `${at}/fields?dry_run=true`, { body: { fields: [placed(1, 1, "a"), anchored(2)] } });
    expect(found.json.data.fields[1]).toMatchObject({ document: 2, areas: [{ page: 2 }] });
    expect(found.json.data.anchors).toEqual([{ field: 1, matches: [expect.objectContaining({ page: 2 })] }]);
    const missing = await key.send("POST", `${at}/fields`, { body: { fields: [placed(1, 1, "a"), anchored(3)] } });
    expect([missing.status, missing.json.details[0].field]).toEqual([422, "fields[1].placement.anchor_text"]);
  });

  test("a document that is removed while another request saves its fields: one of them is 409, and no field is on a missing document", async () => {
    const one = await draftOfThree(service);
    const { key, at } = one;
    const [, , third] = await listed(one);
    for (let n = 0; n < 6; n++) {
      const [last] = (await addTo(one, rules, `More ${n}`)).slice(-1);
      const [saved, removed] = await Promise.all([
        key.send("POST", `${at}/fields`, { body: { fields: [placed(4, 1, `Field ${n}`)] } }),
        key.send("DELETE", `${at}/documents/${last?.document_id}`),
      ]);
      expect(removed.status).toBe(200);
      expect([200, 409, 422]).toContain(saved.status);
      if (saved.status === 409) expect(saved.headers["x-error-code"]).toBe("fields_changed");
      const { fields } = (await key.send("GET", `${at}/fields`)).json.data;
      expect(Math.max(...fields.map(({ document = 1 }: { document?: number }) => document))).toBeLessThanOrEqual(3);
    }
    expect(third?.document_no).toBe(3);
  });

  test("a draft with several documents cannot be deposited", async () => {
    const org = await service.newOrg("Example Company");
    const key = await org.newKey();
    const customer = (await org.admin("POST", "/partner/customers", { body: { client_id: "c", name: "Ann" } })).json.data;
    const made = await org.admin("POST", `/partner/customers/${customer.customer_id}/documents`, form({}, { bytes: lease }));
    expect([made.status, made.json.error]).toEqual([201, undefined]);
    const at = `/partner/envelopes/${made.json.data.envelope_id}`;
    expect((await key.send("POST", `${at}/documents`, form({}, { bytes: rules }))).status).toBe(201);
    const body = { source: "paper_upload", attestation: {}, certification: { accepted: true, terms_version: "2026-01" } };
    const deposit = await org.admin("POST", `${at}/vault-in-upload`, { body });
    expect([deposit.status, deposit.headers["x-error-code"]]).toEqual([409, "several_documents"]);
  });
});

describe("an envelope with three documents", () => {
  test("is combined when it is sent, signed as one, and each document is sealed on its own", async () => {
    const one = await draftOfThree(service);
    const { org, key, envelope_id, at } = one;
    await key.send("POST", `${at}/fields`, { body: { fields: [placed(2, 2, "Read")] } });
    const early = await key.send("GET", `${at}/document`);
    expect(await textOf(early.bytes, 4)).toContain("four keys");
    await sendDraft(one);
    const documents = await listed(one);
    expect(documents.map(({ name, first_page, pages: count }) => [name, first_page, count])).toEqual([
      ["Lease", 1, 1],
      ["House rules", 2, 2],
      ["Handover", 4, 1],
    ]);
    expect((await key.send("POST", `${at}/documents`, form({}, { bytes: lease }))).status).toBe(409);

    const { json } = await (await signingSession(service, org, envelope_id, tenant.email)).open();
    expect(json.data.documents).toEqual([
      { name: "Lease", first_page: 1, pages: 1 },
      { name: "House rules", first_page: 2, pages: 2 },
      { name: "Handover", first_page: 4, pages: 1 },
    ]);
    await signAll(service, org, envelope_id, [[tenant.email, { "Tenant name": "Ann Example" }], [landlord.email]]);
    expect((await key.send("GET", `${at}/documents/${documents[0]?.document_id}/file`)).headers["x-error-code"]).toBe("document_not_ready");
    // Two jobs at once leave one of each.
    await Promise.all([finish(one), finish(one)]);
    const trail = await chainOf(service, org.org_id, envelope_id);
    const prepared = trail.find(({ type }) => type === "document.prepared")?.data as { documents: { name: string }[] };
    expect(prepared.documents.map(({ name }) => name)).toEqual(["Lease", "House rules", "Handover"]);
    const stamped = trail.find(({ type }) => type === "document.stamped")?.data as { appearances: { page: number }[] };
    expect(stamped.appearances.map(({ page }) => page).sort()).toEqual([1, 3, 4]);
    expect(
      trail.filter(({ type }) => type === "document.part_sealed").map(({ data }) => (data as { document_no: number }).document_no),
    ).toEqual([1, 2, 3]);

    const whole = await key.send("GET", `${at}/document`);
    expect([whole.status, whole.headers["x-document-rendition"]]).toEqual([200, "signed"]);
    const trusted = { ...(await sealRoots(service.features.seals, org.org_id)), at: new Date() };
    const own = ["Lease of the house", "Quiet hours", "four keys"];
    for (const [index, { document_id, document_no }] of documents.entries()) {
      const { status, headers, bytes } = await key.send("GET", `${at}/documents/${document_id}/file`);
      expect([status, headers["x-document-rendition"]]).toEqual([200, "signed"]);
      const [seal] = await service.features.pdf.verify(new Uint8Array(bytes), trusted);
      expect(seal).toMatchObject({ intact: true, trusted: true, reason: `Document ${document_no} of 3, envelope ${envelope_id}` });
      const { pages: count } = await service.features.pdf.inspect(new Uint8Array(bytes), {});
      const words = (await Promise.all(Array.from({ length: count }, (_, page) => textOf(bytes, page + 1)))).join(" ");
      expect(own.map((mine) => words.includes(mine))).toEqual(own.map((_, other) => other === index));
      expect(carried(bytes).filter((mine) => own.some((text_) => mine.includes(text_) && text_ !== own[index]))).toEqual([]);
    }
    const issued = await service.database.owner<{ document_no: number | null; kind: string }>(
      "select document_no, kind from copy_issues where envelope_id = $1 order by copy_id",
      [envelope_id],
    );
    expect(issued.map(({ document_no, kind }) => [document_no, kind])).toEqual([
      [null, "signed"],
      [1, "signed"],
      [2, "signed"],
      [3, "signed"],
    ]);
  });

  test("a signer without a place gets one on a signature page, which is a document of its own", async () => {
    const one = await draftOfThree(service);
    const { org, key, envelope_id, at } = one;
    const [, , third] = await listed(one);
    await key.send("DELETE", `${at}/documents/${third?.document_id}`);
    const remark = { ...placed(2, 1, "Remark"), type: "text", role: "Landlord" };
    expect((await key.send("POST", `${at}/fields`, { body: { fields: [remark] } })).status).toBe(200);
    await sendDraft(one);
    const documents = await listed(one);
    expect(documents.map(({ name, first_page }) => [name, first_page])).toEqual([
      ["Lease", 1],
      ["House rules", 2],
      ["Signature page", 4],
    ]);
    await signAll(service, org, envelope_id, [
      [tenant.email, { "Tenant name": "Ann Example" }],
      [landlord.email, { Date: "2026-03-01" }],
    ]);
    await finish(one);
    const last = await key.send("GET", `${at}/documents/${documents[2]?.document_id}/file`);
    const trusted = { ...(await sealRoots(service.features.seals, org.org_id)), at: new Date() };
    const [seal] = await service.features.pdf.verify(new Uint8Array(last.bytes), trusted);
    expect(seal).toMatchObject({ intact: true, reason: `Signature page, envelope ${envelope_id}` });
    expect(await textOf(last.bytes, 1)).toContain("Sam");
    const first = await key.send("GET", `${at}/documents/${documents[0]?.document_id}/file`);
    const [ofFirst] = await service.features.pdf.verify(new Uint8Array(first.bytes), trusted);
    expect(ofFirst?.reason).toBe(`Document 1 of 2, envelope ${envelope_id}; signature page apart`);
    expect((await key.send("GET", `${at}/completion-certificate`)).status).toBe(200);
  });
});

test("a sent envelope with several documents is duplicated, and saved as a template, without its signature page", async () => {
  const one = await draftOfThree(service);
  const { key, at } = one;
  const [, , third] = await listed(one);
  await key.send("DELETE", `${at}/documents/${third?.document_id}`);
  const remark = { ...placed(2, 2, "Remark"), type: "text", role: "Landlord" };
  expect((await key.send("POST", `${at}/fields`, { body: { fields: [remark] } })).status).toBe(200);
  await sendDraft(one);
  expect(names(await listed(one))).toEqual(["1 Lease", "2 House rules", "3 Signature page"]);
  const wanted = ["Tenant name 1 1", "Sign 1 1", "Remark 2 2"];
  const fieldsAt = async (path: string) =>
    (await key.send("GET", path)).json.data.fields.map(
      ({ name, document = 1, areas }: { name: string; document?: number; areas: { page: number }[] }) =>
        `${name} ${document} ${areas[0]?.page}`,
    );

  const copy = await key.send("POST", `${at}/duplicate`);
  expect([copy.status, copy.json.error]).toEqual([201, undefined]);
  const copied = `/partner/envelopes/${copy.json.data.envelope_id}`;
  expect((await listed({ key, at: copied })).map(({ name, first_page }) => [name, first_page])).toEqual([
    ["Lease", null],
    ["House rules", null],
  ]);
  expect(await fieldsAt(`${copied}/fields`)).toEqual(wanted);

  const template = await key.send("POST", `${at}/template`, { body: { name: "Lease and rules" } });
  expect([template.status, template.json.error]).toEqual([201, undefined]);
  const { template_id } = template.json.data;
  const saved = `/partner/templates/${template_id}`;
  expect(names((await key.send("GET", `${saved}/documents`)).json.data.documents)).toEqual(["1 Lease", "2 House rules"]);
  expect(await fieldsAt(saved)).toEqual(wanted);
  const again = await key.send("POST", `${saved}/copy`, { body: {} });
  expect([again.status, again.json.data?.documents.length]).toEqual([201, 2]);
});

/** The content of every stream of a PDF, decoded where it is compressed. */
function carried(bytes: Uint8Array): string[] {
  const file = Buffer.from(bytes);
  const found: string[] = [];
  for (let at = file.indexOf("stream"); at !== -1; at = file.indexOf("stream", at + 6)) {
    if (file.toString("latin1", at - 3, at) === "end") continue;
    const begin = file[at + 6] === 13 ? at + 8 : at + 7;
    const data = file.subarray(begin, file.indexOf("endstream", begin));
    found.push(data.toString("latin1"), inflated(data));
  }
  return found;
}

function inflated(data: Uint8Array): string {
  try {
    return inflateSync(data, { finishFlush: constants.Z_SYNC_FLUSH }).toString("latin1");
  } catch {
    return "";
  }
}
