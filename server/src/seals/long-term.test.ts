import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as asn1 from "asn1js";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Holder, issue } from "../../../pdf/fixtures/certificates.ts";
import { onePage } from "../../../pdf/fixtures/pages.ts";
import { addressesOf, makeCrl, makeOcsp } from "../../../pdf/fixtures/revocation.ts";
import { type Authority, makeAuthority } from "../../../pdf/fixtures/time-stamp-authority.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { oid } from "../../../pdf/src/cms/der.ts";
import { unzipBundle, verifyBundle } from "../../../verify/src/index.ts";
import { chainOf } from "../../test/envelopes.ts";
import { installed, pem, sayInstalled, testFolder } from "../../test/openssl.ts";
import { type RevocationPeer, startRevocationPeer } from "../../test/revocation-peer.ts";
import { testService } from "../../test/service.ts";
import { type AuthorityPeer, startAuthority } from "../../test/time-stamp-authority.ts";
import { vaultedByPipeline } from "../../test/vaulted.ts";
import { ConfigError, type Environment, readConfig } from "../config.ts";
import { buildFeatures } from "../features.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { SealDeps } from "./seal.ts";
import { type SealFacts, sealDocument } from "./seal-document.ts";
import { sealRoots, verifyOwnSeal } from "./verify-own-seal.ts";

const service = testService();
const folder = testFolder();
const document = writePdf(onePage());
const tomorrow = () => new Date(Date.now() + DAY_MS);

let revocations: RevocationPeer;
let authority: Authority;
let stamps: AuthorityPeer;

beforeAll(async () => {
  sayInstalled("seals that last");
  revocations = await startRevocationPeer();
  const extensions = addressesOf({ ocsp: `${revocations.origin}/tsa-ocsp`, crl: `${revocations.origin}/tsa.crl` });
  authority = await makeAuthority({ at: () => new Date(), extensions });
  stamps = await startAuthority((request) => authority.answer(request));
});
afterAll(async () => {
  await stamps.close();
  await revocations.close();
});
beforeEach(() => {
  revocations.answer("/tsa-ocsp", makeOcsp(authority.issuer, authority.certificate, { until: tomorrow() }));
  revocations.answer("/tsa.crl", makeCrl(authority.issuer, { until: tomorrow() }));
  revocations.requests.length = 0;
  stamps.requests.length = 0;
});

/** The settings as the service reads them on start. */
async function starting(env: Environment = {}): Promise<SealDeps> {
  const settings = {
    APP_SECRET: service.config.appSecrets[0].secret,
    DATA_DIR: folder.path,
    TSA_URL: stamps.url,
    TSA_CA_FILE: folder.put("tsa.pem", pem(authority.root)),
    ...env,
  };
  const { seals, pdf } = buildFeatures(readConfig(settings), service.db);
  void pdf.close();
  return { ...seals, pdf: service.features.pdf };
}

async function sealedWith(deps: SealDeps): Promise<{ bytes: Uint8Array; seal: SealFacts; level: unknown }> {
  const { org_id } = await service.newOrg();
  const { bytes, seal } = await sealDocument(deps, org_id, document, { reason: "Authoritative copy" });
  const verdict = await verifyOwnSeal(deps, org_id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at });
  if (!verdict.valid) throw new Error(verdict.reason);
  return { bytes, seal, level: verdict.report.level };
}

const paths = () => revocations.requests.map(({ method, path }) => `${method} ${path}`);

describe("SEAL_LEVEL", () => {
  test("auto makes B-LTA: the seal, validation data without VRI, a document time stamp", async () => {
    const { bytes, seal, level } = await sealedWith(await starting());
    expect([seal.level, level]).toEqual(["B-LTA", "B-LTA"]);
    expect(seal).not.toHaveProperty("level_error");
    const text = Buffer.from(bytes).toString("latin1");
    expect(text).toContain("/DSS");
    expect(text).not.toContain("/VRI");
    expect(text).toContain("/ETSI.RFC3161");
    expect(stamps.requests).toHaveLength(2);
    expect(await service.features.pdf.inspect(bytes, {})).toMatchObject({ revisions: 4, signatures: 2 });
  });

  test.each([
    ["b-lt", "B-LT", 1],
    ["b-t", "B-T", 1],
    ["b-b", "B-B", 0],
  ] as const)("%s makes %s and no more", async (SEAL_LEVEL, wanted, asked) => {
    const { seal, level } = await sealedWith(await starting({ SEAL_LEVEL }));
    expect([seal.level, level]).toEqual([wanted, wanted]);
    expect(seal).not.toHaveProperty("level_error");
    expect(stamps.requests).toHaveLength(asked);
  });

  test("another value stops the start", async () => {
    await expect(starting({ SEAL_LEVEL: "b-lta" })).rejects.toThrow(ConfigError);
    await expect(starting({ SEAL_LEVEL: "b-lta" })).rejects.toThrow("SEAL_LEVEL must be one of: auto, b-b, b-t, b-lt");
  });

  test("without TSA_URL a seal stays at B-B, and nothing is fetched", async () => {
    const deps = await starting();
    const { seal } = await sealedWith({ ...deps, timeStamps: { ...deps.timeStamps, url: null } });
    expect(seal).toMatchObject({ level: "B-B" });
    expect(paths()).toEqual([]);
  });
});

describe("revocation data", () => {
  test("OCSP is asked before the list, and both are cached until the next one is due", async () => {
    const deps = await starting();
    await sealedWith(deps);
    await sealedWith(deps);
    expect(revocations.requests).toEqual([{ method: "POST", path: "/tsa-ocsp", type: "application/ocsp-request" }]);
    const later = { ...deps.longTerm, revocations: { ...deps.longTerm.revocations, now: () => Date.now() + 2 * DAY_MS } };
    await sealedWith({ ...deps, longTerm: later });
    expect(paths()).toEqual(["POST /tsa-ocsp", "POST /tsa-ocsp"]);
  });

  test("if OCSP fails three times, the list is used", async () => {
    revocations.answer("/tsa-ocsp", 503);
    const { seal } = await sealedWith(await starting());
    expect(seal.level).toBe("B-LTA");
    expect(paths()).toEqual(["POST /tsa-ocsp", "POST /tsa-ocsp", "POST /tsa-ocsp", "GET /tsa.crl"]);
  });

  test("if everything fails three times, the seal has level B-T and the reason; for a minute nothing is asked again", async () => {
    revocations.answer("/tsa-ocsp", 503);
    revocations.answer("/tsa.crl", 500);
    const deps = await starting();
    const wanted = { level: "B-T", level_error: "time-stamp chain: the revocation list was not available (status 500)" };
    expect((await sealedWith(deps)).seal).toMatchObject(wanted);
    expect(paths()).toHaveLength(6);
    expect((await sealedWith(deps)).seal).toMatchObject(wanted);
    expect(paths()).toHaveLength(6);
    const later = { ...deps.longTerm, revocations: { ...deps.longTerm.revocations, now: () => Date.now() + 61_000 } };
    await sealedWith({ ...deps, longTerm: later });
    expect(paths()).toHaveLength(12);
  });

  test.each<[string, () => Uint8Array, RegExp]>([
    [
      "revoked",
      () => makeCrl(authority.issuer, { until: tomorrow(), revoked: [{ certificate: authority.certificate, at: new Date(0) }] }),
      /does not show/,
    ],
    ["out of date", () => makeCrl(authority.issuer, { until: new Date(Date.now() - DAY_MS) }), /does not show/],
    ["not a list", () => Buffer.from("<html>"), /does not show/],
    ["longer than 5 MB", () => Buffer.alloc(5 * 1024 * 1024 + 1), /more than 5242880 bytes/],
  ])("a list that is %s gives the lower level", async (_, list, says) => {
    revocations.answer("/tsa-ocsp", 404);
    revocations.answer("/tsa.crl", list());
    const { seal } = await sealedWith(await starting());
    expect(seal.level).toBe("B-T");
    expect(seal.level_error).toMatch(says);
    expect(seal.level_error).not.toContain("127.0.0.1");
  });

  test("private addresses are refused outside local mode, without a request", async () => {
    const { seal } = await sealedWith(await starting({ PUBLIC_URL: "https://sign.example.com" }));
    expect(seal).toMatchObject({ level: "B-T", level_error: "time-stamp chain: the revocation list was not available (blocked_address)" });
    expect(paths()).toEqual([]);
  });

  test("an authority that names no address, or an installation without a list, gives B-T and the reason", async () => {
    const silent = await makeAuthority({ at: () => new Date() });
    const peer = await startAuthority((request) => silent.answer(request));
    const other = await starting({ TSA_URL: peer.url, TSA_CA_FILE: folder.put("silent.pem", pem(silent.root)) });
    expect((await sealedWith(other)).seal).toMatchObject({
      level: "B-T",
      level_error: "time-stamp chain: the certificate names no address of revocation data",
    });
    await peer.close();
    const deps = await starting();
    const { seal } = await sealedWith({ ...deps, longTerm: { ...deps.longTerm, ownCrl: null } });
    expect(seal).toMatchObject({ level: "B-T", level_error: "seal chain: this installation has no revocation list yet" });
  });

  test("if only the document time stamp fails, the level is B-LT", async () => {
    stamps.next((request) => authority.answer(request), 503, 503, 503);
    const { seal, level } = await sealedWith(await starting());
    expect(seal).toMatchObject({ level: "B-LT", level_error: "the time-stamp authority answered with status 503" });
    expect(level).toBe("B-LT");
  });
});

describe.skipIf(!installed.openssl)("a bought certificate", () => {
  const mayIssue = { id: oid.basicConstraints, critical: true, value: new asn1.Sequence({ value: [new asn1.Boolean({ value: true })] }) };
  const maySign = { id: oid.keyUsage, critical: true, value: new asn1.BitString({ valueHex: Uint8Array.of(0b1100_0000), unusedBits: 6 }) };
  let root: Holder;
  let middle: Holder;
  let own: Holder;
  beforeAll(() => {
    const at = (path: string) => `${revocations.origin}/${path}`;
    root = issue({ issuer: null, name: "Bought root", extensions: [mayIssue] });
    middle = issue({ issuer: root, name: "Bought intermediate", extensions: [mayIssue, ...addressesOf({ crl: at("root.crl") })] });
    own = issue({ issuer: middle, name: "Acme Ltd", extensions: [maySign, ...addressesOf({ ocsp: at("ocsp") })] });
  });
  const bought = () => ({ SEAL_P12_FILE: folder.p12(own, [middle, root], "secret"), SEAL_P12_PASSWORD: "secret" });

  test("gets the data of its whole chain from the addresses in it", async () => {
    revocations.answer("/root.crl", makeCrl(root, { until: tomorrow() }));
    revocations.answer("/ocsp", makeOcsp(middle, own.certificate, { until: tomorrow() }));
    const { seal, level } = await sealedWith(await starting(bought()));
    expect([seal.level, level]).toEqual(["B-LTA", "B-LTA"]);
    expect(paths().sort()).toEqual(["GET /root.crl", "POST /ocsp", "POST /tsa-ocsp"]);
  });

  test("whose issuer's list is missing has level B-T", async () => {
    revocations.answer("/root.crl", 404);
    revocations.answer("/ocsp", makeOcsp(middle, own.certificate, { until: tomorrow() }));
    const { seal } = await sealedWith(await starting(bought()));
    expect(seal).toMatchObject({ level: "B-T", level_error: "seal chain: the revocation list was not available (status 404)" });
  });
});

describe("a vaulted document", () => {
  test("is stored with its level, which the entry of the storing names with both hashes; a copy of it is B-B", async () => {
    const org = await service.newOrg();
    Object.assign(service.features.seals, await starting());
    Object.assign(service.features.log, { tsaRoots: [authority.root] });
    const envelope_id = await vaultedByPipeline(service, org);
    const entries = await chainOf(service, org.org_id, envelope_id);
    const stored = entries.find(({ type }) => type === "vault.stored")?.data as Record<string, string>;
    expect(stored).toMatchObject({ seal_level: "B-LTA", level_error: null });
    const bytes = await service.features.storage.blobs.read(org.org_id, stored.hash ?? "");
    expect(stored.sha512).toBe(createHash("sha512").update(bytes).digest("hex"));
    const { roots, timestamp_roots } = await sealRoots(service.features.seals, org.org_id);
    const levelsOf = async (pdf: Uint8Array) =>
      (await service.features.pdf.verify(pdf, { roots, timestamp_roots, at: new Date() })).map(({ level }) => level);
    expect(await levelsOf(bytes)).toEqual(["B-LTA", undefined]);

    stamps.requests.length = 0;
    const copy = await org.admin("GET", `/partner/envelopes/${envelope_id}/document`);
    expect([copy.status, copy.headers["x-document-rendition"]]).toEqual([200, "copy"]);
    expect(await levelsOf(copy.bytes)).toEqual(["B-B"]);
    expect(stamps.requests).toEqual([]);
    const issued = (await chainOf(service, org.org_id, envelope_id)).at(-1);
    expect(issued).toMatchObject({ type: "copy.issued", data: { sha512: createHash("sha512").update(copy.bytes).digest("hex") } });
    const certified = entries.find(({ type }) => type === "vault.certificate.issued")?.data as Record<string, string>;
    for (const name of ["pdf", "json", "facts"]) {
      const blob = await service.features.storage.blobs.read(org.org_id, certified[`${name}_sha256`] ?? "");
      expect(certified[`${name}_sha512`], name).toBe(createHash("sha512").update(blob).digest("hex"));
    }
    const certificate = await service.features.storage.blobs.read(org.org_id, certified.pdf_sha256 ?? "");
    expect(await levelsOf(certificate)).toEqual(["B-LTA", undefined]);
    const bundle = await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
    const { outcome, steps } = await verifyBundle(() => unzipBundle(bundle.bytes), { root: null, tsa_roots: null });
    expect([outcome, steps.filter(({ passed }) => !passed)]).toEqual(["CONSISTENT, SIGNER NOT PINNED", []]);
  });
});

describe("other programs", () => {
  const hasQpdf = spawnSync("qpdf", ["--version"]).error === undefined;

  // Older versions of pdfsig cannot verify document time stamps, and say so.
  test.skipIf(!installed.pdfsig)("pdfsig reads the seal of B-LTA as valid", async () => {
    const { bytes } = await sealedWith(await starting());
    const said = spawnSync("pdfsig", ["-nocert", folder.put("b-lta.pdf", bytes)], { encoding: "utf8" }).stdout;
    expect(said).toContain("Signature is Valid");
    expect(said).toContain("ETSI.CAdES.detached");
  });

  test.skipIf(!hasQpdf)("qpdf finds no fault in its structure", async () => {
    const { bytes } = await sealedWith(await starting());
    expect(execFileSync("qpdf", ["--check", folder.put("b-lta.pdf", bytes)], { encoding: "utf8" })).toContain(
      "No syntax or stream encoding errors",
    );
  });
});
