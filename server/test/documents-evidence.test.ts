import { createHash, X509Certificate } from "node:crypto";
import { canonicalize, type Facts2, type NamedFile, rules2 } from "@countersign/evidence";
import { beforeAll, describe, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import { readChain } from "../src/audit/read-chain.ts";
import { ensureInstanceKeys } from "../src/seals/instance-keys.ts";
import { storeEnvelope } from "../src/vault/store-envelope.ts";
import { chainOf } from "./envelopes.ts";
import { testService } from "./service.ts";
import { type DraftOfSeveral, listed, signedThree } from "./three-documents.ts";
import { until } from "./until.ts";

const service = testService();
const certification = { accepted: true, terms_version: "2026-01" };
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function store({ key, at, envelope_id, org }: DraftOfSeveral): Promise<void> {
  const vaulting = key.send("POST", `${at}/vault-in-signed`, { body: { certification } });
  await until("the accepted terms", async () => {
    const rows = await service.database.owner("select 1 from certification_acceptances where envelope_id = $1", [envelope_id]);
    return rows.length === 1;
  });
  await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
  expect((await vaulting).status).toBe(200);
}

let signed: DraftOfSeveral;
let files: readonly NamedFile[];
let root: string;
let completion: string;
beforeAll(async () => {
  signed = await signedThree(service);
  const { key, at } = signed;
  const [first] = await listed(signed);
  expect((await key.send("GET", `${at}/documents/${first?.document_id}/file`)).status).toBe(200);
  completion = await textOf((await key.send("GET", `${at}/completion-certificate`)).bytes);
  await store(signed);
  const trust = await fetch(`${service.url}/.well-known/countersign-trust.json`);
  const { root_certificate } = (await trust.json()) as { root_certificate: string };
  root = sha256(new X509Certificate(Buffer.from(root_certificate, "base64")).raw);
  files = unzipBundle((await key.send("GET", `${at}/vault/evidence`)).bytes);
});

async function textOf(bytes: Uint8Array): Promise<string> {
  const { pages } = await service.features.pdf.inspect(Buffer.from(bytes), {});
  const texts: string[] = [];
  for (let page = 1; page <= pages; page++) texts.push(...(await service.features.pdf.text(Buffer.from(bytes), { page })).blocks);
  return texts.join(" ").replace(/\s+/g, " ");
}

const bytesIn = (all: readonly NamedFile[], name: string) => Buffer.from(all.find((file) => file.name === name)?.bytes ?? []);
const factsIn = (all: readonly NamedFile[]): Facts2 => JSON.parse(bytesIn(all, "certificates/r1/facts.json").toString("utf8"));

/** The bundle as its maker could have changed it: with a manifest that fits and is signed. */
async function forged(change: (file: NamedFile) => Uint8Array | string): Promise<string> {
  const made = files.map((file) => ({ ...file, bytes: Buffer.from(change(file)) }));
  const manifest = JSON.parse(bytesIn(made, "manifest.json").toString());
  for (const one of manifest.files) {
    const bytes = bytesIn(made, one.name);
    Object.assign(one, { size: bytes.length, sha256: sha256(bytes), sha512: createHash("sha512").update(bytes).digest("hex") });
  }
  const bytes = Buffer.from(canonicalize(manifest));
  const { records } = await ensureInstanceKeys(service.features.vault.seals);
  const all = [
    ...made.filter(({ name }) => !name.startsWith("manifest.")),
    { name: "manifest.json", bytes },
    { name: "manifest.sig", bytes: await records.sign(bytes) },
  ];
  const { outcome, steps } = await verifyBundle(() => all, { root, tsa_roots: null });
  const last = steps.at(-1);
  return last?.passed === true ? outcome : `${last?.name}: ${last?.says}`;
}

type Documents = NonNullable<Facts2["documents"]>;
/** `signed/signers.json` with other documents. */
const withDocuments = (change: (documents: Documents) => object) => (file: NamedFile) => {
  if (file.name !== "signed/signers.json") return file.bytes;
  const { documents, ...rest } = JSON.parse(Buffer.from(file.bytes).toString());
  return canonicalize({ ...rest, ...change(documents) });
};

describe("the evidence of an envelope with several documents", () => {
  test("verifies offline, lists the documents with their pages and hashes, and every check is as for one", async () => {
    expect(await forged(({ bytes }) => bytes)).toBe("VERIFIED");
    const facts = factsIn(files);
    expect(facts.documents?.map(({ name, first_page, pages }) => [name, first_page, pages])).toEqual([
      ["Lease", 1, 1],
      ["House rules", 2, 2],
      ["Handover", 4, 1],
    ]);
    for (const { sha256: hash, found_sha256, part_sha256 } of facts.documents ?? []) {
      expect(found_sha256).toBe(hash);
      expect(part_sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    const { checks } = rules2.evaluate(facts);
    expect(checks.filter(({ id }) => id === "tamper_evident_record" || id === "signatures_complete").map((one) => one.satisfied)).toEqual([
      true,
      true,
    ]);
  });

  test("both certificates name each document with its pages and hashes", async () => {
    const certificate = await textOf(bytesIn(files, "certificates/r1/certificate.pdf"));
    for (const printed of [completion, certificate]) {
      expect(printed).toContain("2. House rules");
      for (const { sha256: hash, part_sha256 } of factsIn(files).documents ?? []) {
        expect(printed.replaceAll(" ", "")).toContain(hash);
        expect(printed.replaceAll(" ", "")).toContain(part_sha256);
      }
    }
  });

  test("the completion certificate says which hashes are those of a single document, and of all in one", () => {
    expect(completion).toContain("Combined the documents and froze them for signing");
    expect(completion).toContain("compare it with the hashes under “All documents in one” or, for a single document, under “Documents”");
    expect(completion.indexOf("2. House rules")).toBeLessThan(completion.indexOf("All documents in one"));
    const received = completion.indexOf("Documents as received");
    expect([received > -1, received < completion.lastIndexOf("All documents in one")]).toEqual([true, true]);
  });

  test("a part that was handed out counts among the copies that check 1 looks at", () => {
    expect(factsIn(files).issued_before).toBe(1);
  });

  test.each([
    ["another hash of a part", withDocuments(([one, ...others]) => ({ documents: [{ ...one, part_sha256: "0".repeat(64) }, ...others] }))],
    ["no hash of a part", withDocuments(([one, ...others]) => ({ documents: [{ ...one, part_sha256: null }, ...others] }))],
    ["another hash of a document", withDocuments(([one, ...others]) => ({ documents: [{ ...one, sha256: "0".repeat(64) }, ...others] }))],
    ["another name", withDocuments(([one, ...others]) => ({ documents: [{ ...one, name: "Sale" }, ...others] }))],
    ["other pages", withDocuments(([one, ...others]) => ({ documents: [{ ...one, pages: 2 }, ...others] }))],
    ["a document less", withDocuments(([, ...others]) => ({ documents: others }))],
    ["no documents", withDocuments(() => ({}))],
  ])("a bundle signed by its maker with %s is refused", async (_what, change) => {
    expect(await forged(change)).toMatch(/^evaluation: .*/);
  });

  test("facts that say something else about the documents than the chain are refused", async () => {
    const { org, envelope_id } = signed;
    const links = await service.db.tx(org.org_id, (tx) => readChain(tx, org.org_id, envelope_id));
    const facts = factsIn(files);
    expect(rules2.firstContradiction(facts, links)).toBeNull();
    const [first, second, third] = facts.documents ?? [];
    if (first === undefined || second === undefined || third === undefined) throw new Error("three documents");
    const lists: readonly (readonly [string, Facts2["documents"]])[] = [
      ["all are missing", undefined],
      ["one is missing", [first, second]],
      ["another order", [second, first, third]],
      ["another name", [{ ...first, name: "Sale" }, second, third]],
      ["another hash", [{ ...first, sha256: "0".repeat(64) }, second, third]],
      ["another part", [first, { ...second, part_sha256: "0".repeat(64) }, third]],
      ["no part", [first, { ...second, part_sha256: null }, third]],
    ];
    for (const [name, documents] of lists) {
      const { documents: _all, ...rest } = facts;
      const changed = documents === undefined ? rest : { ...rest, documents };
      expect([name, rules2.firstContradiction(changed as Facts2, links)]).toEqual([
        name,
        expect.objectContaining({ what: expect.any(String) }),
      ]);
    }
  });
});

test("with auto-vault no document is sealed on its own: each is handed out as a marked copy", async () => {
  const one = await signedThree(service, { auto_vault_enabled: true }, { certification });
  const { org, envelope_id, key, at } = one;
  const [, second] = await listed(one);
  const before = await key.send("GET", `${at}/documents/${second?.document_id}/file`);
  expect([before.status, before.headers["x-document-rendition"]]).toEqual([200, "copy"]);
  await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
  const { status, headers, bytes } = await key.send("GET", `${at}/documents/${second?.document_id}/file`);
  expect([status, headers["x-document-rendition"]]).toEqual([200, "copy"]);
  const { pages, pages_with_text } = await service.features.pdf.inspect(Buffer.from(bytes), { text: "not the authoritative copy" });
  expect([pages, pages_with_text]).toEqual([2, 2]);
  const types = (await chainOf(service, org.org_id, envelope_id)).map(({ type }) => type);
  expect(types).not.toContain("document.part_sealed");
});

test("a changed row of a document stops its download, and the rows name it", async () => {
  const one = await signedThree(service);
  const { key, at, envelope_id } = one;
  const [first, second] = await listed(one);
  const other = "update documents set first_page = first_page + 1 where envelope_id = $1 and document_no = 2";
  await service.database.owner(other, [envelope_id]);
  const refused = await key.send("GET", `${at}/documents/${first?.document_id}/file`);
  expect([refused.status, refused.headers["x-error-code"]]).toEqual([409, "record_mismatch"]);
  await service.database.owner(other.replace("+ 1", "- 1"), [envelope_id]);
  expect((await key.send("GET", `${at}/documents/${second?.document_id}/file`)).status).toBe(200);
  const swapped = `update document_versions set sha256 = (select sha256 from document_versions where envelope_id = $1 and kind = 'part' and document_no = 3)
    where envelope_id = $1 and kind = 'part' and document_no = 2`;
  await service.database.owner(swapped, [envelope_id]);
  expect((await key.send("GET", `${at}/documents/${second?.document_id}/file`)).headers["x-error-code"]).toBe("record_mismatch");
});
