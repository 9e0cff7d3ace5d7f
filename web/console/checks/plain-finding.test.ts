import { expect, test } from "vitest";
import { local } from "../parts/when.tsx";
import { plainFinding } from "./plain-finding.ts";

test("a finding has names and local times instead of ids and ISO times", () => {
  const found = "Custodian usr_01m7ptxg5xebbamn35hsxerp3e (cp_01m7pv08ksfmks2j230athx8y2) since 2026-11-18T08:05:05.765Z.";
  expect(plainFinding(found, () => "Ann Example")).toBe(`Custodian Ann Example since ${local("2026-11-18T08:05:05.765Z")}.`);
});

test("a finding says how signers were identified in plain words", () => {
  const plain = (text: string) => plainFinding(text, () => "");
  expect(plain("1 of 1 signer consented (disclosure 2026-11) and is attributed: token.")).toBe(
    "1 of 1 signer consented (disclosure 2026-11) and is identified by an embedded signing page.",
  );
  expect(plain("2 of 2 signers consented (disclosure 2026-01) and are attributed: link and KBA; link.")).toBe(
    "2 of 2 signers consented (disclosure 2026-01) and are identified by a personal link and identity questions; a personal link.",
  );
  expect(plain("2 of 2 signers consented (disclosure 2026-11) and are attributed: token; token.")).toBe(
    "2 of 2 signers consented (disclosure 2026-11) and are identified by an embedded signing page.",
  );
  expect(plain("Authoritative copy ac_01m7qwa6t4ftarphmsskm4qqy8 stored; no other live copy.")).toBe(
    "Authoritative copy stored; no other live copy.",
  );
});

test("a finding names the seal without the ID of the organization, and ends with one mark", () => {
  const plain = (text: string) => plainFinding(text, () => "");
  expect(plain("the seal of CN=Example, Inc. document seal, serialNumber=org_01m7snmdqgf1h9xkzj5etwnx43 verifies (B-B).")).toBe(
    "the seal of Example, Inc. document seal verifies (B-B).",
  );
  expect(plain("SHA-256 24f10cf2… re-computed. 2 of 2 required signers signed version e704d952….")).toBe(
    "SHA-256 24f10cf2… re-computed. 2 of 2 required signers signed version e704d952…",
  );
});
