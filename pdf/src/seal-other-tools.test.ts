// Verifies our seals with other tools: the signature with openssl, the file with pdfsig. Skipped if a tool is not installed.

import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeOrg, NOW } from "../fixtures/certificates.ts";
import { onePage } from "../fixtures/pages.ts";
import { makeCrl } from "../fixtures/revocation.ts";
import { placed } from "../fixtures/sealed.ts";
import { makeAuthority } from "../fixtures/time-stamp-authority.ts";
import { writePdf } from "../fixtures/writer.ts";
import { readBlock } from "./cms/der.ts";
import { readTimestampAnswer, timestampRequest } from "./cms/timestamp.ts";
import { placeTimeStamp } from "./place-time-stamp.ts";
import { placeValidation } from "./place-validation.ts";
import { type PlacedSeal, seal } from "./seal.ts";
import { fillTimeStamp, TOKEN_ROOM_BYTES } from "./time-stamp.ts";

const isInstalled = (command: string, flag: string): boolean => spawnSync(command, [flag]).error === undefined;
const judges = { openssl: isInstalled("openssl", "version"), pdfsig: isInstalled("pdfsig", "-v"), qpdf: isInstalled("qpdf", "--version") };

const folder = mkdtempSync(join(tmpdir(), "countersign-seal-"));
const put = (name: string, bytes: Uint8Array | string): string => {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
};
const pem = (der: Uint8Array): string =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString("base64").replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`;

beforeAll(() => {
  const named = (installed: boolean): string =>
    Object.entries(judges)
      .filter(([, present]) => present === installed)
      .map(([name]) => name)
      .join(", ") || "none";
  process.stdout.write(`judges of the seal: ${named(true)}; absent: ${named(false)}\n`);
});
afterAll(() => rmSync(folder, { recursive: true }));

const org = await makeOrg();
const root = put("root.pem", pem(org.root.certificate));
const keys = { certificates: [org.seal.certificate], sign: org.sign };
const place = (layout: "table" | "streams" = "table"): Promise<PlacedSeal> => placed(writePdf(onePage(), { layout }));

function parts({ gap }: PlacedSeal, bytes: Uint8Array): { cms: string; content: string } {
  const inGap = new Uint8Array(Buffer.from(Buffer.from(bytes.subarray(gap.start + 1, gap.end - 1)).toString("latin1"), "hex"));
  const content = Buffer.concat([bytes.subarray(0, gap.start), bytes.subarray(gap.end)]);
  return { cms: put("seal.der", inGap.subarray(0, readBlock(inGap).length)), content: put("content.bin", content) };
}

const at = String(Math.floor(NOW.getTime() / 1000));
const verifyByOpenssl = ({ cms, content }: { cms: string; content: string }) => {
  const flags = ["-cades", "-binary", "-purpose", "any", "-attime", at, "-CAfile", root, "-out", "/dev/null"];
  return spawnSync("openssl", ["cms", "-verify", "-inform", "DER", "-in", cms, "-content", content, ...flags], { encoding: "utf8" });
};

test.skipIf(!judges.openssl).each(["table", "streams"] as const)("openssl accepts the seal of a file with a %s", async (layout) => {
  const where = await place(layout);
  const { bytes } = await seal(where, keys);
  const files = parts(where, bytes);
  expect(verifyByOpenssl(files)).toMatchObject({ status: 0, stderr: expect.stringContaining("successful") });
  const other = put("other.bin", Buffer.from("another document"));
  expect(verifyByOpenssl({ ...files, content: other }).status).not.toBe(0);
});

test.skipIf(!judges.openssl)("openssl sees no signing-time attribute, and the signing certificate", async () => {
  const where = await place();
  const { cms } = parts(where, (await seal(where, keys)).bytes);
  const printed = execFileSync("openssl", ["cms", "-cmsout", "-print", "-inform", "DER", "-in", cms], { encoding: "utf8" });
  expect(printed).toContain("id-smime-aa-signingCertificateV2");
  expect(printed).not.toContain("signingTime");
});

test.skipIf(!judges.openssl)("openssl accepts a time-stamped seal, and we accept its responses to our time-stamp requests", async () => {
  const authority = await makeAuthority();
  const where = await place();
  const { bytes, level } = await seal(where, {
    ...keys,
    timestamp: async (imprint) => {
      const nonce = randomBytes(8);
      return readTimestampAnswer(authority.answer(timestampRequest({ imprint, nonce })), { imprint, nonce, roots: [authority.root] }).token;
    },
  });
  expect(level).toBe("B-T");
  expect(verifyByOpenssl(parts(where, bytes)).status).toBe(0);
});

test.skipIf(!judges.pdfsig)("pdfsig calls the seal valid and the whole document signed", async () => {
  const { bytes } = await seal(await place(), keys);
  const printed = execFileSync("pdfsig", ["-nocert", put("sealed.pdf", bytes)], { encoding: "utf8" });
  expect(printed).toContain("Signature is Valid");
  expect(printed).toContain("Total document signed");
});

test.skipIf(!judges.qpdf)("qpdf finds nothing to complain of in the sealed file", async () => {
  const { bytes } = await seal(await place(), keys);
  execFileSync("qpdf", ["--check", put("checked.pdf", bytes)]);
});

async function lasting() {
  const authority = await makeAuthority();
  const timestamp = async (imprint: Uint8Array): Promise<Uint8Array> => {
    const nonce = randomBytes(8);
    return readTimestampAnswer(authority.answer(timestampRequest({ imprint, nonce })), { imprint, nonce, roots: [authority.root] }).token;
  };
  const { bytes: sealed } = await seal(await place(), { ...keys, timestamp });
  const data = { certificates: [org.root.certificate, authority.root], crls: [makeCrl(org.root), makeCrl(authority.issuer)], ocsps: [] };
  const { bytes: validated } = await placeValidation(sealed, data);
  const where = await placeTimeStamp(validated, { room: TOKEN_ROOM_BYTES, marker: randomBytes(32) });
  const result = await fillTimeStamp(where, timestamp);
  if ("tsa_error" in result) throw new Error(result.tsa_error);
  return { where, bytes: result.bytes, validated, authority };
}

test.skipIf(!judges.openssl)("openssl verifies the token of a document time stamp over the rest of the file", async () => {
  const { where, bytes, authority } = await lasting();
  const { cms, content } = parts(where, bytes);
  const ca = put("authority.pem", pem(authority.root));
  const verify = (data: string) =>
    spawnSync("openssl", ["ts", "-verify", "-data", data, "-in", cms, "-token_in", "-CAfile", ca, "-attime", at], { encoding: "utf8" });
  expect(verify(content)).toMatchObject({ status: 0 });
  expect(verify(put("other.bin", Buffer.from("another document"))).status).not.toBe(0);
});

// Older versions of pdfsig cannot verify document time stamps, and say so.
test.skipIf(!judges.pdfsig)("pdfsig calls the seal valid below validation data and a document time stamp", async () => {
  const { bytes, validated } = await lasting();
  for (const file of [validated, bytes]) {
    const printed = execFileSync("pdfsig", ["-nocert", put("lasting.pdf", file)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(printed).toContain("Signature is Valid");
  }
});

test.skipIf(!judges.qpdf)("qpdf finds nothing to complain of in a file with validation data and a document time stamp", async () => {
  execFileSync("qpdf", ["--check", put("lasting.pdf", (await lasting()).bytes)]);
});
