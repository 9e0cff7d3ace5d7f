import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onePage } from "../../../pdf/fixtures/pages.ts";
import { type Authority, makeAuthority } from "../../../pdf/fixtures/time-stamp-authority.ts";
import { writePdf } from "../../../pdf/fixtures/writer.ts";
import { installed, pem, sayInstalled, testFolder } from "../../test/openssl.ts";
import { freePort } from "../../test/process.ts";
import { testService } from "../../test/service.ts";
import { type AuthorityPeer, type AuthorityTreatment, startAuthority } from "../../test/time-stamp-authority.ts";
import { ConfigError, type Environment, readConfig } from "../config.ts";
import { buildFeatures } from "../features.ts";
import { TIME_STAMP_TIMEOUT_MS } from "./ask-time-stamp.ts";
import { sealReadiness } from "./readiness.ts";
import type { SealDeps } from "./seal.ts";
import { type SealFacts, sealDocument } from "./seal-document.ts";
import { verifyOwnSeal } from "./verify-own-seal.ts";

const service = testService();
const folder = testFolder();
const document = writePdf(onePage());
let authority: Authority;
let peer: AuthorityPeer;

beforeAll(async () => {
  sayInstalled("time-stamps (openssl ts is one of the authorities)");
  authority = await makeAuthority({ at: new Date() });
  peer = await startAuthority((request) => authority.answer(request));
});
afterAll(() => peer.close());

/** The settings as the service reads them on start. */
function dependingOn(env: Environment): SealDeps {
  const { seals, pdf } = buildFeatures(
    readConfig({ APP_SECRET: service.config.appSecrets[0].secret, DATA_DIR: folder.path, ...env }),
    service.db,
  );
  void pdf.close();
  return { ...seals, pdf: service.features.pdf };
}

const trusting = (url: string, root: Uint8Array = authority.root) =>
  dependingOn({ TSA_URL: url, TSA_CA_FILE: folder.put("tsa.pem", pem(root)) });

async function sealedWith(deps: SealDeps): Promise<{ bytes: Uint8Array; seal: SealFacts; timestamp: unknown }> {
  const { org_id } = await service.newOrg();
  const { bytes, seal } = await sealDocument(deps, org_id, document, { reason: "Copy" });
  const verdict = await verifyOwnSeal(deps, org_id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at });
  if (!verdict.valid) throw new Error(verdict.reason);
  return { bytes, seal, timestamp: verdict.report.timestamp };
}

describe("with an authority", () => {
  test("a seal has level B-T, its token is over the signature and verifies with TSA_CA_FILE", async () => {
    peer.requests.length = 0;
    const { seal, timestamp } = await sealedWith(trusting(peer.url));
    expect(seal.level).toBe("B-T");
    expect(seal).not.toHaveProperty("tsa_error");
    expect(timestamp).toMatchObject({ intact: true, trusted: true });
    expect(peer.requests.map(({ type }) => type)).toEqual(["application/timestamp-query"]);
  });

  test("the third attempt succeeds after two failures", async () => {
    peer.requests.length = 0;
    peer.next(503, "reset");
    expect((await sealedWith(trusting(peer.url))).seal.level).toBe("B-T");
    expect(peer.requests).toHaveLength(3);
  });

  test("a seal with an earlier time-stamp verifies when only TSA_URL is removed", async () => {
    const { org_id } = await service.newOrg();
    const before = trusting(peer.url);
    const { bytes, seal } = await sealDocument(before, org_id, document, { reason: "Copy" });
    const after = dependingOn({ TSA_CA_FILE: folder.put("tsa.pem", pem(authority.root)) });
    expect(await verifyOwnSeal(after, org_id, bytes, { seal_id: seal.seal_id, at: seal.sealed_at })).toMatchObject({
      valid: true,
      report: { timestamp: { intact: true, trusted: true } },
    });
  });

  test("the self-test does not ask it", async () => {
    peer.requests.length = 0;
    expect(await sealReadiness(trusting(peer.url), () => undefined)()).toBeNull();
    expect(peer.requests).toEqual([]);
  });
});

describe("without a valid token after three attempts, the seal has level B-B and states the reason", () => {
  const badResponses: [string, AuthorityTreatment, RegExp][] = [
    ["another nonce", (request) => authority.answer(request, { nonce: randomBytes(7) }), /nonce/],
    ["another imprint", (request) => authority.answer(request, { imprint: randomBytes(32) }), /imprint_mismatch/],
    ["a refusal", (request) => authority.answer(request, { status: 2 }), /refused \(status 2\)/],
    ["a token too large for the room", (request) => authority.answer(request, { padding: 20_000 }), /larger than the room/],
    ["an invalid response", () => Buffer.from("<html>"), /cannot be read/],
    ["an empty response", () => Buffer.alloc(0), /cannot be read/],
    ["an endless response", "endless", /longer than 65536 bytes/],
    ["an error status", 500, /answered with status 500/],
    ["a redirect, which is not followed", 302, /answered with status 302/],
    ["a broken connection", "reset", /cannot be reached/],
  ];

  test.each(badResponses)("%s", async (_, treatment, says) => {
    const badAuthority = await startAuthority(treatment);
    const { seal, timestamp } = await sealedWith(trusting(badAuthority.url));
    expect([seal.level, timestamp]).toEqual(["B-B", undefined]);
    expect(seal.tsa_error).toMatch(says);
    expect(seal.tsa_error).not.toContain("127.0.0.1");
    await badAuthority.close();
  });

  test("an authority that is not trusted or not for time-stamps", async () => {
    const { seal } = await sealedWith(trusting(peer.url, (await makeAuthority()).root));
    expect(seal).toMatchObject({ level: "B-B", tsa_error: "the token is not valid: untrusted" });
    const notCritical = await makeAuthority({ at: new Date(), critical: false });
    const other = await startAuthority((request) => notCritical.answer(request));
    const { seal: second } = await sealedWith(trusting(other.url, notCritical.root));
    expect(second).toMatchObject({ level: "B-B", tsa_error: "the token is not valid: not_for_time_stamping" });
    expect(other.requests).toHaveLength(3);
    await other.close();
  });

  test("connection refused", async () => {
    const { seal } = await sealedWith(trusting(`http://127.0.0.1:${await freePort()}/stamp`));
    expect(seal).toMatchObject({ level: "B-B", tsa_error: "the time-stamp authority cannot be reached (ECONNREFUSED)" });
  });

  test("no response: ten seconds per attempt, shorter here", async () => {
    const silent = await startAuthority("hang");
    const deps = trusting(silent.url);
    expect(deps.timeStamps.timeout_ms).toBe(10_000);
    expect(TIME_STAMP_TIMEOUT_MS).toBe(10_000);
    const { seal } = await sealedWith({ ...deps, timeStamps: { ...deps.timeStamps, timeout_ms: 500 } });
    expect(seal).toMatchObject({ level: "B-B", tsa_error: "the time-stamp authority did not answer within 500 ms" });
    expect(silent.requests).toHaveLength(3);
    await silent.close();
  });
});

test.skipIf(!installed.openssl)("openssl's own authority answers our requests, and its tokens are valid", async () => {
  folder.put("ca.cnf", "basicConstraints=critical,CA:TRUE\nkeyUsage=critical,keyCertSign\n");
  folder.put("tsa.cnf", "extendedKeyUsage=critical,timeStamping\nkeyUsage=critical,digitalSignature\n");
  const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  folder.openssl("req", ...ec, "-keyout", "ca.key", "-out", "ca.csr", "-subj", "/CN=TSA root");
  folder.openssl("x509", "-req", "-in", "ca.csr", "-signkey", "ca.key", "-days", "30", "-out", "ca.pem", "-extfile", "ca.cnf");
  folder.openssl("req", ...ec, "-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=TSA");
  const issued = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30", "-extfile", "tsa.cnf"];
  folder.openssl("x509", "-req", "-in", "tsa.csr", "-out", "tsa.crt", ...issued);
  folder.put("serial", "01\n");
  folder.put(
    "ts.cnf",
    ["[tsa]", "default_tsa=t", "[t]", "serial=serial", "signer_cert=tsa.crt", "certs=ca.pem", "signer_key=tsa.key"]
      .concat(["signer_digest=sha256", "default_policy=1.2.3.4", "digests=sha256", "ess_cert_id_alg=sha256"])
      .join("\n"),
  );
  const real = await startAuthority((request) => {
    writeFileSync(join(folder.path, "query.tsq"), request);
    folder.openssl("ts", "-reply", "-config", "ts.cnf", "-queryfile", "query.tsq", "-out", "answer.tsr");
    return folder.get("answer.tsr");
  });
  const { seal, timestamp } = await sealedWith(dependingOn({ TSA_URL: real.url, TSA_CA_FILE: join(folder.path, "ca.pem") }));
  expect(seal).toMatchObject({ level: "B-T" });
  expect(timestamp).toMatchObject({ intact: true, trusted: true });
  expect(folder.openssl("ts", "-query", "-in", "query.tsq", "-text")).toContain("Hash Algorithm: sha256");
  await real.close();
});

describe("the settings", () => {
  test.each(["tsa.example.com", "ftp://tsa.example.com", "https://user:secret@tsa.example.com", "https://tsa.example.com/#x"])(
    "TSA_URL is refused when it is %s, without its value",
    (url) => {
      expect(() => dependingOn({ TSA_URL: url })).toThrow(ConfigError);
      expect(() => dependingOn({ TSA_URL: url })).toThrow(/^TSA_URL must be an address such as/);
    },
  );

  test("TSA_CA_FILE is refused if it is missing, empty or contains something else", () => {
    const started = (path: string) => () => dependingOn({ TSA_CA_FILE: path });
    expect(started(join(folder.path, "nowhere.pem"))).toThrow(/^TSA_CA_FILE names a file that cannot be read$/);
    expect(started(folder.put("empty.pem", ""))).toThrow(/^TSA_CA_FILE must contain certificates in PEM format$/);
    expect(started(folder.put("bad.pem", pem(Buffer.from("no certificate"))))).toThrow(
      /^TSA_CA_FILE contains something that is not a certificate$/,
    );
    expect(started(folder.put("bad.pem", ""))).toThrow(ConfigError);
  });

  test("without TSA_CA_FILE the authorities are those included in Node", () => {
    expect(dependingOn({ TSA_URL: "https://tsa.example.com/stamp" }).timeStamps.roots.length).toBeGreaterThan(50);
  });
});
