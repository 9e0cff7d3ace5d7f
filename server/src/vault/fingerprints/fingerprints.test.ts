import { describe, expect, test } from "vitest";
import { makeOrg } from "../../../../pdf/fixtures/certificates.ts";
import { onePage, text } from "../../../../pdf/fixtures/pages.ts";
import { sealedBy } from "../../../../pdf/fixtures/sealed.ts";
import { writePdf } from "../../../../pdf/fixtures/writer.ts";
import { unzipBundle, verifyBundle } from "../../../../verify/src/index.ts";
import type { Answer } from "../../../test/client.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { form } from "../../../test/form.ts";
import { memberOf } from "../../../test/invitations.ts";
import { jobsDone, testJobs } from "../../../test/jobs.ts";
import { png } from "../../../test/png.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { completedEnvelope, vaultedByPipeline } from "../../../test/vaulted.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { fillFingerprints } from "./fill-fingerprints.ts";

const service = testService();
testJobs(service);

const certification = { accepted: true, terms_version: "2026-01" };
const secured_party = { name: "First Example Bank, N.A.", address: "1 Example Square" };
const today = new Date().toISOString().slice(0, 10);
const attestation = {
  attested_by: { name: "Ann" },
  signers: [{ name: "Sam", signed_on: today, identified_by: "government_id" }],
  paper: {
    ink_signed: true,
    all_signatures_present: true,
    page_count: 1,
    original_disposition: "destroyed",
    disposition_on: today,
    disposition_by: "Ann",
  },
};

const NOTE = "The borrower promises to pay the amount of this note on the first day of each month to the lender. ".repeat(6);
const lines = (words: string, size: number) =>
  (words.match(/.{1,70}/g) ?? []).map((line, i) => text(line, 40, 740 - 14 * i, size)).join("\n");
/** The same words at another size are another file. */
const note = (words = NOTE, { size = 10, trailer = "" } = {}) => writePdf(onePage({ content: lines(words, size) }), { trailer });
const scan = (grey: number) => png({ width: 200, height: 260, alpha: 255, grey });
const plus = (bytes: Uint8Array, more: string) => new Uint8Array(Buffer.concat([bytes, Buffer.from(more)]));

interface Office {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly customer_id: string;
}

async function newOffice(): Promise<Office> {
  const org = await service.newOrg();
  const key = await org.newKey();
  const { json } = await key.send("POST", "/partner/customers", { body: { name: "Ann", email: "ann@example.com" } });
  return { org, key, customer_id: json.data.customer_id };
}

async function upload({ key, customer_id }: Office, bytes: Uint8Array): Promise<string> {
  const { status, json } = await key.send("POST", `/partner/customers/${customer_id}/documents`, form({}, { bytes, name: "Note.pdf" }));
  expect([status, json.error]).toEqual([201, undefined]);
  return json.data.envelope_id;
}

const depositOf = ({ key }: Office, envelope_id: string, more: object = {}) =>
  key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-upload`, {
    body: { source: "paper_upload", certification, secured_party, attestation, ...more },
  });

async function deposit(office: Office, bytes: Uint8Array, more: object = {}) {
  const envelope_id = await upload(office, bytes);
  const { status, json, headers } = await depositOf(office, envelope_id, more);
  return { envelope_id, status, json, code: headers["x-error-code"] };
}

async function deposited(office: Office, bytes: Uint8Array, more: object = {}): Promise<{ envelope_id: string; data: Answered }> {
  const { envelope_id, status, json } = await deposit(office, bytes, more);
  expect([status, json.error]).toEqual([200, undefined]);
  return { envelope_id, data: json.data };
}
type Answered = { score: number; missing_requirements: string[]; warnings: { code: string }[] };

const check1 = async ({ key }: Office, envelope_id: string) => {
  const { json } = await key.send("GET", `/partner/envelopes/${envelope_id}/compliance`);
  return json.data.checks[0] as { satisfied: boolean; grade: string; grade_reason: string; remedy: string | null };
};

const storedBytes = async ({ org }: Office, envelope_id: string): Promise<Uint8Array> => {
  const rows = await service.database.owner<{ sha256: string }>("select sha256 from authoritative_copies where envelope_id = $1", [
    envelope_id,
  ]);
  return service.features.storage.blobs.read(org.org_id, rows[0]?.sha256 ?? "");
};

const listed = async ({ key }: Office): Promise<{ envelope_id: string; other: { envelope_id: string }; kinds: string[] }[]> =>
  (await key.send("GET", "/partner/possible-duplicates")).json.data;

const review = (send: TestKey["send"], envelope_id: string, other_envelope_id: string, statement = "Two notes of one form.") =>
  send("POST", `/partner/envelopes/${envelope_id}/duplicate-review`, { body: { other_envelope_id, statement } });

const refusal = ({ status, headers }: Answer) => [status, headers["x-error-code"]];

/** Returns the signed receipt. */
async function leave({ org, key }: Office, envelope_id: string): Promise<Receipt> {
  const recipient = { name: "Second Example Bank", email: "vault@example.com" };
  const { json } = await key.send("POST", `/partner/envelopes/${envelope_id}/vault-out`, { body: { recipient, reason: "Sold" } });
  const { export_id, package_sha256 } = json.data;
  const ben = await memberOf(service, org, "admin");
  const done = await ben("POST", `/partner/vault-exports/${export_id}/acknowledge`, { body: { package_sha256 } });
  expect([done.status, done.json.error]).toEqual([200, undefined]);
  await jobsDone(service);
  return done.json.data.receipt;
}
type Receipt = { document: { sha256: string; export_id: string }; signature: string };

const tagged = writePdf(onePage({ content: `${lines(NOTE, 10)}\n${text("{{Signature;role=Buyer;type=signature}}", 72, 300)}` }));

describe("a document that was signed here", () => {
  test("is proven to be the only one, and comes back in none of five ways", async () => {
    const office = await newOffice();
    const original = await vaultedByPipeline(service, office.org, { pdf: tagged, secured_party });
    expect(await check1(office, original)).toMatchObject({ satisfied: true, grade: "proven" });
    const signed = await storedBytes(office, original);
    const copy = await office.key.send("GET", `/partner/envelopes/${original}/vault/copy`);
    const ways = {
      "as it was": await deposit(office, signed),
      "with a new line at its end": await deposit(office, plus(signed, "\n")),
      "sealed again": await deposit(office, await sealedBy(await makeOrg(), signed)),
      "as a marked copy": await deposit(office, copy.bytes),
      "as one that left": await leave(office, original).then(() => deposit(office, signed)),
    };
    const known = [409, "document_already_vaulted"];
    expect(Object.entries(ways).map(([way, { status, code }]) => [way, status, code])).toEqual([
      ["as it was", ...known],
      ["with a new line at its end", ...known],
      ["sealed again", ...known],
      ["as a marked copy", 422, "upload_is_a_copy"],
      ["as one that left", ...known],
    ]);
    expect(ways["as it was"].json.error).toBe(`This document is already recorded in the vault, as ${original}`);
    for (const { envelope_id } of Object.values(ways)) {
      expect(await check1(office, envelope_id)).toMatchObject({ satisfied: false });
      expect((await office.key.send("GET", `/partner/envelopes/${envelope_id}`)).json.data.status).toBe("uploaded");
    }
  }, 60_000);

  test("and is not vaulted yet is to be vaulted as what it is", async () => {
    const office = await newOffice();
    const envelope_id = await completedEnvelope(service, office.org);
    const { bytes } = await office.key.send("GET", `/partner/envelopes/${envelope_id}/document`);
    const refused = await deposit(office, bytes);
    expect([refused.status, refused.code]).toEqual([409, "use_vault_in_signed"]);
    expect(refused.json.error).toContain(envelope_id);
    const stranger = await newOffice();
    expect((await deposit(stranger, bytes)).status, "another organization's").toBe(200);
    const { json } = await office.key.send("POST", `/partner/envelopes/${envelope_id}/vault-in-signed`, {
      body: { certification, secured_party },
    });
    expect(json.data.score).toBe(100);
    expect(await check1(office, envelope_id), "it was handed out before").toMatchObject({
      grade: "attested",
      grade_reason: "1 signed PDF without a mark was handed out before it was vaulted.",
    });
    expect((await deposit(office, bytes)).code).toBe("document_already_vaulted");
  }, 60_000);

  test("is another record than one with the same words that was signed here too", async () => {
    const office = await newOffice();
    const [one, two] = [
      await vaultedByPipeline(service, office.org, { pdf: tagged, secured_party }),
      await vaultedByPipeline(service, office.org, { pdf: tagged, secured_party }),
    ];
    for (const envelope_id of [one, two]) expect((await check1(office, envelope_id)).grade).toBe("proven");
    expect(await listed(office)).toEqual([]);
  });
});

describe("an original that left by an export", () => {
  test("comes back once, with the signed receipt of the export, and check 1 says so", async () => {
    const office = await newOffice();
    const first = (await deposited(office, note())).envelope_id;
    const original = await storedBytes(office, first);
    const export_receipt = await leave(office, first);
    const refused = async (receipt: object, bytes = original) => {
      const { status, json } = await deposit(office, bytes, { export_receipt: receipt });
      return [status, json.details?.[0]?.field];
    };
    const { document, signature } = export_receipt;
    expect(await refused({ document, signature: `00${signature.slice(2)}` }), "a changed signature").toEqual([422, "export_receipt"]);
    expect(await refused({ document: { ...document, export_id: "exp_01h2xcejqtf2nbrexx3vqjhp41" }, signature })).toEqual([
      422,
      "export_receipt",
    ]);
    expect(await refused(export_receipt, note("Another note. ".repeat(50))), "another file").toEqual([422, "export_receipt"]);

    const { envelope_id } = await deposited(office, original, { export_receipt });
    expect(await check1(office, envelope_id)).toMatchObject({
      satisfied: true,
      grade: "attested",
      grade_reason: `It left this vault as ${first} and came back with the signed receipt of its export.`,
    });
    expect(await listed(office)).toEqual([]);
    const evidence = await office.key.send("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
    const { outcome } = await verifyBundle(() => unzipBundle(evidence.bytes), { root: null, tsa_roots: null });
    expect(outcome).toBe("CONSISTENT, SIGNER NOT PINNED");
    const stranger = await newOffice();
    const again = await deposit(stranger, original, { export_receipt });
    expect([again.status, again.code], "also for another organization").toEqual([409, "export_receipt_used"]);
  }, 60_000);
});

describe("an upload is recognized", () => {
  test("by its file, whatever was appended or cut off, also by two who come at once", async () => {
    const office = await newOffice();
    const sealed = await sealedBy(await makeOrg(), note());
    const { envelope_id } = await deposited(office, sealed);
    for (const same of [sealed, plus(sealed, "\0\r\n "), await sealedBy(await makeOrg(), sealed), note(), plus(note(), "\n")]) {
      expect((await deposit(office, same)).code).toBe("document_already_vaulted");
    }
    const stored = await storedBytes(office, envelope_id);
    expect((await deposit(office, stored)).code, "with our own seal").toBe("document_already_vaulted");
    const another = note(`${NOTE} Schedule A`);
    const both = [await upload(office, another), await upload(office, another)];
    const answers = await Promise.all(both.map((each) => depositOf(office, each)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test("by its words: check 1 is not shown until someone else compared both, and the older one is in doubt as well", async () => {
    const office = await newOffice();
    const one = await deposited(office, note());
    expect(one.data).toMatchObject({ score: 100, missing_requirements: [] });
    const two = await deposited(office, note(NOTE.toUpperCase(), { size: 9 }));
    expect([two.data.score, two.data.missing_requirements]).toEqual([
      87,
      [
        `single_authoritative_copy: The words are the same as those of ${one.envelope_id}, which is in this vault, and no one has compared the two.`,
      ],
    ]);
    expect(await check1(office, two.envelope_id)).toMatchObject({
      grade: "not_shown",
      remedy: "Have someone other than the depositor compare both and record it (POST …/duplicate-review).",
    });
    expect((await listed(office)).map(({ envelope_id, other, kinds }) => [envelope_id, other.envelope_id, kinds])).toEqual([
      [two.envelope_id, one.envelope_id, ["text"]],
      [one.envelope_id, two.envelope_id, ["text"]],
    ]);
    const { json: ofOne } = await office.key.send("GET", `/partner/possible-duplicates?envelope_id=${one.envelope_id}`);
    expect(ofOne).toMatchObject({ data: [{ envelope_id: one.envelope_id, other: { envelope_id: two.envelope_id } }], meta: { total: 1 } });
    const again = await office.key.send("POST", `/partner/envelopes/${one.envelope_id}/compliance`, { body: {} });
    expect(again.json.data.score, "at its next evaluation").toBe(87);

    expect(refusal(await review(office.key.send, two.envelope_id, one.envelope_id))).toEqual([403, "same_principal"]);
    expect(refusal(await review(office.org.admin, two.envelope_id, one.envelope_id)), "the creator of the key").toEqual([
      403,
      "same_principal",
    ]);
    const ben = await memberOf(service, office.org, "member");
    const { status, json } = await review(ben, two.envelope_id, one.envelope_id);
    expect([status, json.data]).toMatchObject([201, { envelope_id: two.envelope_id, other_envelope_id: one.envelope_id }]);
    const entry = (await chainOf(service, office.org.org_id, two.envelope_id as EnvelopeId)).find(
      ({ type }) => type === "duplicate.reviewed",
    );
    expect(entry?.data).toMatchObject({ other_envelope_id: one.envelope_id, kinds: ["text"], statement: "Two notes of one form." });
    await jobsDone(service);
    expect(await check1(office, two.envelope_id)).toMatchObject({
      satisfied: true,
      grade: "attested",
      grade_reason: `Someone other than the depositor compared it with ${one.envelope_id}; what they state is in the audit trail.`,
    });
    expect((await listed(office)).map(({ envelope_id }) => envelope_id)).toEqual([one.envelope_id]);
    expect(refusal(await review(ben, two.envelope_id, one.envelope_id)), "a second time").toEqual([409, "nothing_to_review"]);
  });

  test("by its words, also if the other one was signed here or left", async () => {
    const office = await newOffice();
    const here = await vaultedByPipeline(service, office.org, { pdf: tagged, secured_party });
    const [stamped] = await service.database.owner<{ parent_sha256: string }>(
      "select parent_sha256 from authoritative_copies where envelope_id = $1",
      [here],
    );
    const bytes = await service.features.storage.blobs.read(office.org.org_id, stamped?.parent_sha256 ?? "");
    await leave(office, here);
    const savedAgain = Buffer.from(bytes).toString("latin1").replace("%%EOF", "% saved again\n%%EOF");
    const { data } = await deposited(office, Buffer.from(savedAgain, "latin1"));
    expect(data.missing_requirements[0]).toContain(`${here}, which left this vault, and no one has compared the two.`);
  });

  test("by its instrument, however it is written, also as a scan", async () => {
    const office = await newOffice();
    const instrument = { type: "Promissory note", number: "No. 12-34", date: "2026-01-02" };
    const one = await deposited(office, scan(100), { instrument, record_type: "transferable_record" });
    expect(one.data.warnings.map(({ code }) => code)).not.toContain("instrument_not_identified");
    const record = await office.key.send("GET", `/partner/envelopes/${one.envelope_id}/vault`);
    expect(record.json.data).toMatchObject({ instrument, record_type: "transferable_record" });
    const { metadata } = (await office.key.send("GET", `/partner/envelopes/${one.envelope_id}`)).json.data;
    expect(metadata).toMatchObject({ instrument, record_type: "transferable_record" });
    const written = { type: "promissory NOTE", number: "no 1234", date: "2026-01-02" };
    const two = await deposited(office, scan(120), { instrument: written });
    expect(two.data.missing_requirements[0]).toContain(`The same instrument is declared for ${one.envelope_id}`);
    const other = await deposited(office, scan(140), { instrument: { ...written, date: "2026-01-03" } });
    expect(other.data.missing_requirements).toEqual([]);
  });

  test("not as a scan without an instrument, and a warning says so", async () => {
    const office = await newOffice();
    const { data } = await deposited(office, scan(100));
    expect(data.warnings).toContainEqual({
      code: "instrument_not_identified",
      message: expect.stringContaining("would not be recognized"),
    });
    expect(data.score).toBe(100);
  });

  test("by the identifier of the PDF, which is only worth a warning", async () => {
    const office = await newOffice();
    const trailer = "/ID [<0a0b0c0d> <0a0b0c0d>]";
    const one = await deposited(office, note(`${NOTE} for Ann`, { trailer }));
    const two = await deposited(office, note(`${NOTE} for Sam`, { trailer }));
    expect([two.data.score, two.data.warnings]).toEqual([
      100,
      expect.arrayContaining([
        {
          code: "possible_duplicate",
          message: `The PDF has the same identifier as that of ${one.envelope_id}: both may be states of one document.`,
        },
      ]),
    ]);
    expect(await listed(office)).toEqual([]);
    const ben = await memberOf(service, office.org, "member");
    expect(refusal(await review(ben, two.envelope_id, one.envelope_id))).toEqual([409, "nothing_to_review"]);
  });

  test("is found in its own organization only, but a marked copy is a copy in all of them", async () => {
    const [office, stranger] = [await newOffice(), await newOffice()];
    const one = await deposited(office, note());
    const theirs = await deposited(stranger, note());
    expect(theirs.data).toMatchObject({ score: 100 });
    expect(await listed(stranger)).toEqual([]);
    const copy = await office.key.send("GET", `/partner/envelopes/${one.envelope_id}/vault/copy`);
    expect((await deposit(stranger, copy.bytes)).code).toBe("upload_is_a_copy");
  });
});

describe("what is declared", () => {
  test("with a new envelope is shown with it, and other values are refused", async () => {
    const { key } = await newOffice();
    const create = (more: object) =>
      key.send("POST", "/partner/envelopes", {
        body: { envelope_name: "Note", customer_email: "ann@example.com", customer_name: "Ann", ...more },
      });
    const instrument = { type: "Note", number: "7", date: "2026-01-02" };
    const made = await create({ instrument, record_type: "chattel_paper" });
    expect(made.json.data.metadata).toMatchObject({ instrument, record_type: "chattel_paper" });
    expect((await create({})).json.data.metadata).toMatchObject({ instrument: null, record_type: "other" });
    for (const wrong of [
      { record_type: "note" },
      { instrument: { ...instrument, date: "2026-02-30" } },
      { instrument: { ...instrument, number: "-" } },
      { instrument: { ...instrument, type: "" } },
      { instrument: { type: "Note", number: "7" } },
      { instrument: { ...instrument, holder: "Ann" } },
    ]) {
      expect((await create(wrong)).status, JSON.stringify(wrong)).toBe(422);
    }
  });

  test("with a deposit is refused alike, and nothing is stored", async () => {
    const office = await newOffice();
    const envelope_id = await upload(office, note());
    const { status, json } = await depositOf(office, envelope_id, { instrument: { type: "Note", number: "–", date: "2026-01-02" } });
    expect([status, json.details]).toEqual([
      422,
      [{ location: "body", field: "instrument.number", code: "invalid_value", message: "must contain a letter or a digit" }],
    ]);
    expect((await depositOf(office, envelope_id, { record_type: "note" })).status).toBe(422);
    expect((await depositOf(office, envelope_id)).status).toBe(200);
  });
});

test("a review needs two records of the organization that are alike, a statement, the scope, and a person", async () => {
  const office = await newOffice();
  const one = await deposited(office, note());
  const two = await deposited(office, note(NOTE, { size: 9 }));
  const ben = await memberOf(service, office.org, "admin");
  const other = await deposited(office, note(`${NOTE} Schedule A`));
  const stranger = await deposited(await newOffice(), note());
  const waiting = await upload(office, note());
  const missing = "env_01h2xcejqtf2nbrexx3vqjhp41";
  expect(refusal(await review(ben, two.envelope_id, missing))).toEqual([404, "envelope_not_found"]);
  expect(refusal(await review(ben, two.envelope_id, stranger.envelope_id))).toEqual([404, "envelope_not_found"]);
  expect(refusal(await review(ben, missing, one.envelope_id))).toEqual([404, "envelope_not_found"]);
  expect(refusal(await review(ben, two.envelope_id, waiting))).toEqual([409, "envelope_not_vaulted"]);
  expect(refusal(await review(ben, two.envelope_id, other.envelope_id))).toEqual([409, "nothing_to_review"]);
  expect(refusal(await review(ben, two.envelope_id, two.envelope_id))).toEqual([409, "nothing_to_review"]);
  for (const body of [
    { other_envelope_id: one.envelope_id, statement: " " },
    { other_envelope_id: one.envelope_id },
    { other_envelope_id: "7", statement: "s" },
  ]) {
    expect((await ben("POST", `/partner/envelopes/${two.envelope_id}/duplicate-review`, { body })).status).toBe(422);
  }
  const reader = await office.org.newKey({ scopes: ["vault:read"] });
  expect((await review(reader.send, two.envelope_id, one.envelope_id)).status).toBe(403);
  expect((await ben("POST", "/partners/keys", { body: { partner_name: "Ben", scopes: ["vault:write"] } })).status).toBe(201);
  const gone = await service.database.owner<{ key_id: string }>(
    "update api_keys set created_by = null where org_id = $1 and key_id = $2 returning key_id",
    [office.org.org_id, office.key.key_id],
  );
  expect(gone).toHaveLength(1);
  expect(refusal(await review(office.key.send, two.envelope_id, one.envelope_id)), "no one is behind the key").toEqual([
    403,
    "no_principal",
  ]);
});

test("copies of an earlier release are recognized once the job has run, and their matches are listed and count", async () => {
  const office = await newOffice();
  const one = await deposited(office, note());
  const two = await deposited(office, note(`${NOTE} Schedule A`));
  const printsOf = (envelope_id: string) =>
    service.database.owner("select kind, value from document_fingerprints where envelope_id = $1 order by kind, value", [envelope_id]);
  const before = [await printsOf(one.envelope_id), await printsOf(two.envelope_id)];
  expect(before[0]).toContainEqual({ kind: "text", value: expect.stringMatching(/^[0-9a-f]{64}$/) });
  await service.database.owner("delete from document_fingerprints where org_id = $1", [office.org.org_id]);
  expect((await deposit(office, note())).code, "by the hash of its content until then").toBe("document_already_vaulted");
  const three = await deposited(office, note(NOTE, { size: 9 }));
  expect(three.data.score, "not recognized yet").toBe(100);
  await fillFingerprints(service.features.vault, 1);
  await jobsDone(service);
  expect([await printsOf(one.envelope_id), await printsOf(two.envelope_id)]).toEqual(before);
  expect(await listed(office)).toHaveLength(2);
  const again = await office.key.send("POST", `/partner/envelopes/${three.envelope_id}/compliance`, { body: {} });
  expect(again.json.data.score).toBe(87);
});
