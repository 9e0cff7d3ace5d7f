import { X509Certificate } from "node:crypto";
import {
  canonicalize,
  isSigned,
  isSignedByRoot,
  readManifest2,
  readSignedStatus,
  readTrustKeys,
  recordsKeyAt,
  type SignedStatus,
} from "@countersign/evidence";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { qrOn } from "../../../../pdf/fixtures/qr.ts";
import { runCli } from "../../../../verify/src/cli.ts";
import { unzipBundle } from "../../../../verify/src/unzip-bundle.ts";
import { testFolder } from "../../../test/openssl.ts";
import { type TestKey, type TestOrg, testService } from "../../../test/service.ts";
import { keyOfAnother, vaultedByPipeline } from "../../../test/vaulted.ts";
import { BOOT_SCRIPT, hashOf, shell } from "../../../test/web.ts";
import { rotateKey } from "../../seals/rotate-key.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { sha256 } from "../../shared/secrets.ts";
import { signTrust } from "../../transparency/trust.ts";
import { evaluateRecord } from "../evaluate-record.ts";

const pages = { "sign/index.html": shell(), "status/index.html": shell() };
const service = testService({ PUBLIC_URL: "https://sign.example.com" }, undefined, { pages });

const folder = testFolder();

const secured_party = { name: "First Example Bank, N.A.", address: "1 Example Square" };
let org: TestOrg;
let key: TestKey;
/** the record that no test changes */
let kept: { readonly envelope_id: EnvelopeId; readonly code: string };
beforeAll(async () => {
  org = await service.newOrg("Example Company");
  key = await org.newKey();
  kept = await vaulted();
});
beforeEach(() => service.database.owner("select clear_quotas(array['status:127.0.0.1'])"));

async function vaulted(): Promise<typeof kept> {
  const envelope_id = await vaultedByPipeline(service, org, { secured_party });
  const { status, json } = await key.send("GET", `/partner/envelopes/${envelope_id}/vault`);
  expect([status, json.data.status_url]).toEqual([200, expect.stringMatching(/^https:\/\/sign\.example\.com\/v\/[0-9a-f]{32}$/)]);
  return { envelope_id, code: json.data.status_url.slice(-32) };
}

async function verifier(...args: readonly string[]): Promise<{ code: number; text: string }> {
  let text = "";
  const code = await runCli(args, (more) => {
    text += more;
  });
  return { code, text };
}

const at = (path: string) => service.send("GET", `//v/${path}`);
const hexOf = (bytes: Uint8Array): string => sha256(bytes).toString("hex");

async function answerOf(code: string, file = ""): Promise<SignedStatus> {
  const { status, json } = await at(`${code}.json${file === "" ? "" : `?file=${file}`}`);
  expect([status, json.error]).toEqual([200, undefined]);
  return json;
}
const documentOf = async (code: string, file = "") => (await answerOf(code, file)).document;

/** The boot data of the page. */
async function shownBy(code: string) {
  const { status, text } = await at(code);
  return { status, boot: JSON.parse(/id="boot">(.*?)<\/script>/.exec(text)?.[1] ?? "") };
}

const recordOf = async (envelope_id: string) => (await key.send("GET", `/partner/envelopes/${envelope_id}/vault`)).json.data;
const certificateOf = async (envelope_id: string) => (await key.send("GET", `/partner/envelopes/${envelope_id}/vault/certificate`)).bytes;

/** As a reader does who knows nothing but the root. */
async function isGenuine(bytes: Uint8Array): Promise<boolean> {
  const { json: trust } = await service.send("GET", "//.well-known/countersign-trust.json");
  const root = new X509Certificate(Buffer.from(trust.root_certificate, "base64"));
  const list = Buffer.from(canonicalize(trust.keys));
  expect(isSignedByRoot({ bytes: list, signature: Buffer.from(trust.signature, "hex") }, root)).toBe(true);
  return isSignedUnder(list, bytes);
}

function isSignedUnder(list: Uint8Array, bytes: Uint8Array): boolean {
  const answer = readSignedStatus(bytes);
  const keys = readTrustKeys(list);
  if (answer === null || keys === null) return false;
  const found = recordsKeyAt(keys, answer.key_id, answer.document.as_of.at);
  return found !== null && isSigned({ bytes: answer.signed, signature: answer.signature }, found);
}

describe("the status of a record", () => {
  test("says state, time, log size, document and certificate, signed with a key of the trust document", async () => {
    const before = Date.now();
    const { status, headers, bytes, json } = await at(`${kept.code}.json`);
    expect([status, headers["content-type"], headers["cache-control"], headers["x-robots-tag"]]).toEqual([
      200,
      "application/json; charset=utf-8",
      "no-store",
      "noindex",
    ]);
    const record = await recordOf(kept.envelope_id);
    const [latest] = await service.database.owner<{ size: string }>("select max(tree_size) as size from checkpoints");
    expect(json.document).toEqual({
      type: "countersign/status/1",
      status_url: `https://sign.example.com/v/${kept.code}`,
      state: "active",
      stored_at: record.stored_at,
      state_since: null,
      as_of: { at: expect.any(String), tree_size: Number(latest?.size) },
      document_sha256: record.hash,
      certificate: { revision: 1, pdf_sha256: hexOf(await certificateOf(kept.envelope_id)), evaluated_at: expect.any(String) },
      parties: null,
      file: null,
    });
    expect(Math.abs(Date.parse(json.document.as_of.at) - before)).toBeLessThan(60_000);
    expect(await isGenuine(bytes)).toBe(true);
    const changed = { ...json, document: { ...json.document, state: "exported" } };
    expect(await isGenuine(Buffer.from(canonicalize(changed)))).toBe(false);
  });

  test("is the same on the page, which no search engine keeps and no other page frames", async () => {
    const { status, headers } = await at(kept.code);
    expect([status, headers["content-type"], headers["x-robots-tag"], headers["cache-control"]]).toEqual([
      200,
      "text/html; charset=utf-8",
      "noindex",
      "no-store",
    ]);
    expect(headers["content-security-policy"]).toBe(
      `default-src 'none'; script-src 'self' '${hashOf(BOOT_SCRIPT)}'; style-src 'self'; img-src 'self' blob:; font-src 'self'; ` +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    );
    const { boot } = await shownBy(kept.code);
    const document = await documentOf(kept.code);
    expect(boot.status).toEqual({ ...document, as_of: { ...document.as_of, at: expect.any(String) } });
  });

  test("names organization and secured party only if the organization wants it", async () => {
    expect((await org.admin("PATCH", "/org/settings", { body: { status_shows_parties: true } })).status).toBe(200);
    expect((await documentOf(kept.code)).parties).toEqual({ organization: "Example Company", secured_party: secured_party.name });
    expect((await shownBy(kept.code)).boot.status.parties).toEqual({ organization: "Example Company", secured_party: secured_party.name });
    expect((await org.admin("PATCH", "/org/settings", { body: { status_shows_parties: false } })).status).toBe(200);
    const [hidden, page] = [await at(`${kept.code}.json`), await at(kept.code)];
    expect(hidden.text + page.text).not.toMatch(/Example Company|First Example Bank|Contract|ann@example.com/);
  });

  test("has the address that the certificate prints, the code on it and the bundle name", async () => {
    const url = `https://sign.example.com/v/${kept.code}`;
    expect(await qrOn(await certificateOf(kept.envelope_id), 0)).toBe(url);
    const { bytes } = await key.send("GET", `/partner/envelopes/${kept.envelope_id}/vault/evidence`);
    const manifest = unzipBundle(bytes).find(({ name }) => name === "manifest.json");
    expect(readManifest2(manifest?.bytes ?? new Uint8Array())?.status_url).toBe(url);

    const { bytes: trust, json } = await service.send("GET", "//.well-known/countersign-trust.json");
    const pinned = ["--root", json.keys.root_sha256];
    const bundle = folder.put("bundle.zip", bytes);
    expect(await verifier(bundle, ...pinned)).toMatchObject({
      code: 0,
      text: expect.stringContaining(`can be asked at ${url}, which was not done here.`),
    });
    const answer = folder.put("answer.json", (await at(`${kept.code}.json`)).bytes);
    for (const keys of [bundle, folder.put("trust.json", trust)]) {
      expect(await verifier("status", answer, "--keys", keys, ...pinned)).toMatchObject({
        code: 0,
        text: expect.stringMatching(/\nVERIFIED\n$/),
      });
    }
    const other = folder.put("other.json", (await at(`${(await vaulted()).code}.json`)).bytes);
    expect(await verifier("status", other, "--keys", bundle, ...pinned)).toEqual({
      code: 1,
      text: `the answer: is about another record: the bundle names ${url}\n\nFAILED\n`,
    });
  });

  test("follows an export: escrowed, then left, with the certificate that says so", async () => {
    const one = await vaulted();
    const body = { recipient: { name: "Second Example Bank", email: "vault@example.com" }, reason: "Sold" };
    const { data } = (await key.send("POST", `/partner/envelopes/${one.envelope_id}/vault-out`, { body })).json;
    expect(await documentOf(one.code)).toMatchObject({ state: "escrowed", state_since: null });
    const acknowledged = await (await keyOfAnother(service, org)).send("POST", `/partner/vault-exports/${data.export_id}/acknowledge`, {
      body: { package_sha256: data.package_sha256 },
    });
    expect(acknowledged.status).toBe(200);
    const left = await documentOf(one.code);
    expect(left).toMatchObject({ state: "exported", state_since: acknowledged.json.data.receipt.document.acknowledged_at });
    const [cause] = await service.database.owner<{ hash: string }>(
      "select hash from audit_entries where subject = $1 and type = 'vault.exported'",
      [one.envelope_id],
    );
    await evaluateRecord(service.features.vault, {
      org_id: org.org_id,
      envelope_id: one.envelope_id,
      cause: { type: "vault.exported", hash: cause?.hash ?? "" },
    });
    expect((await documentOf(one.code)).certificate.revision).toBe(2);
    expect(await isGenuine((await at(`${one.code}.json`)).bytes)).toBe(true);
  });

  test.each(["tampered", "destroyed"])("says that a copy is %s, and since when", async (state) => {
    const one = await vaulted();
    const before = state === "tampered" ? "active" : null;
    await service.database.owner(
      "update authoritative_copies set state = $2, state_before_tamper = $3, state_since = '2026-03-01T10:00:00Z' where envelope_id = $1",
      [one.envelope_id, state, before],
    );
    expect(await documentOf(one.code)).toMatchObject({ state, state_since: "2026-03-01T10:00:00.000Z" });
  });
});

describe("a file, by its hash", () => {
  const known = async (bytes: Uint8Array) => (await documentOf(kept.code, hexOf(bytes))).file;

  test("is the original, a certificate, a copy, or unknown to this record", async () => {
    const { hash } = await recordOf(kept.envelope_id);
    expect((await documentOf(kept.code, hash)).file).toEqual({ sha256: hash, known_as: "authoritative", revision: null });
    expect(await known(await certificateOf(kept.envelope_id))).toMatchObject({ known_as: "certificate", revision: 1 });
    const copy = await key.send("GET", `/partner/envelopes/${kept.envelope_id}/vault/copy`);
    expect(await known(copy.bytes)).toMatchObject({ known_as: "copy", revision: null });
    expect(await known(copy.bytes.subarray(1))).toEqual({ sha256: hexOf(copy.bytes.subarray(1)), known_as: null, revision: null });
  });

  test("of another record is unknown, and the answer is signed all the same", async () => {
    const other = await vaulted();
    const { hash } = await recordOf(other.envelope_id);
    const { bytes, json } = await at(`${kept.code}.json?file=${hash}`);
    expect(json.document.file).toEqual({ sha256: hash, known_as: null, revision: null });
    expect(await isGenuine(bytes)).toBe(true);
  });

  test.each([
    ["file=abc", "file", "invalid_format"],
    [`file=${"A".repeat(64)}`, "file", "invalid_format"],
    ["sha256=00", "sha256", "unknown_field"],
  ])("?%s is refused", async (query, field, code) => {
    const { status, json } = await at(`${kept.code}.json?${query}`);
    expect([status, json.details.map((one: { field: string; code: string }) => [one.field, one.code])]).toEqual([422, [[field, code]]]);
  });
});

describe("a code that names nothing", () => {
  test("is 404 with the same bytes as any other, on the page and as JSON", async () => {
    const codes = ["0".repeat(32), kept.code.toUpperCase(), `${kept.code}0`, kept.code.slice(1), "x", kept.envelope_id, "%00", "..%2f"];
    const found = await Promise.all(codes.map(async (code) => ({ page: await at(code), json: await at(`${code}.json`) })));
    expect(new Set(found.map(({ page }) => page.status))).toEqual(new Set([404]));
    expect(new Set(found.map(({ json }) => json.status))).toEqual(new Set([404]));
    expect(new Set(found.map(({ page }) => page.text)).size).toBe(1);
    expect(new Set(found.map(({ json }) => json.text)).size).toBe(1);
    expect(JSON.parse(/id="boot">(.*?)<\/script>/.exec(found[0]?.page.text ?? "")?.[1] ?? "")).toEqual({ status: null });
    expect(found[0]?.page.headers).toMatchObject({ "content-type": "text/html; charset=utf-8", "x-robots-tag": "noindex" });
  });

  test("is every code of a copy without a certificate: it is not vaulted yet", async () => {
    const one = await vaulted();
    await service.database.owner("update authoritative_copies set score = null, vault_no = null where envelope_id = $1", [one.envelope_id]);
    expect([(await at(one.code)).status, (await at(`${one.code}.json`)).status]).toEqual([404, 404]);
  });
});

test("60 requests a minute of one address are answered, whether for the page or for JSON", async () => {
  await service.database.owner("select take_quota('status:127.0.0.1', 60, interval '1 minute') from generate_series(1, 58)");
  const statuses = [];
  for (const path of [kept.code, `${kept.code}.json`, kept.code, `${kept.code}.json`, `${"0".repeat(32)}.json`]) {
    const { status, headers } = await at(path);
    statuses.push([status, headers["x-ratelimit-limit"], headers["x-ratelimit-remaining"]]);
  }
  expect(statuses).toEqual([
    [200, "60", "1"],
    [200, "60", "0"],
    [429, "60", "0"],
    [429, "60", "0"],
    [429, "60", "0"],
  ]);
});

// The last one, because the published list of keys is renewed only once a minute.
test("a status is signed with the key in use, also after that was replaced, and earlier answers stay genuine", async () => {
  const earlier = await at(`${kept.code}.json`);
  await rotateKey(service.features.seals, { purpose: "records", record: async () => undefined });
  const later = await at(`${kept.code}.json`);
  expect(later.json.key_id).not.toBe(earlier.json.key_id);
  const { bytes: list } = await signTrust(service.features.log);
  expect([isSignedUnder(list, earlier.bytes), isSignedUnder(list, later.bytes)]).toEqual([true, true]);
});
