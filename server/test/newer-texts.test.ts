import { createHash, X509Certificate } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import { makeLogger } from "../src/logger.ts";
import { buildHttp } from "../src/main.ts";
import type { EnvelopeId } from "../src/shared/ids.ts";
import { publishTexts } from "../src/texts/publish-texts.ts";
import type { Texts } from "../src/texts/text.ts";
import { client, type Send } from "./client.ts";
import { laterFeatures, laterTexts } from "./later-texts.ts";
import { type TestOrg, type TestService, testService } from "./service.ts";
import { vaultedByPipeline } from "./vaulted.ts";

const service = testService();
const ends: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

/** Starts the service of a later release on the same database and store, next to the earlier one. */
async function upgrade(texts: Texts): Promise<TestService> {
  const { config, db } = service;
  const features = await laterFeatures(service, texts);
  const app = await buildHttp({ config, db, features, logger: makeLogger("silent"), checkAnswers: true });
  ends.push(() => app.close());
  const { port } = new URL(await app.listen({ port: 0, host: "127.0.0.1" }));
  const url = new URL(service.url);
  url.port = port;
  return { ...service, features, app, url: url.origin, send: client(url.origin) };
}

const adminAt = ({ url }: TestService): Send => client(url, { authorization: `Bearer ${org.token}` });

let org: TestOrg;
let envelope_id: EnvelopeId;
let path: string;
beforeAll(async () => {
  org = await service.newOrg();
  envelope_id = await vaultedByPipeline(service, org);
  path = `/partner/envelopes/${envelope_id}`;
});

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function outcomeOf(bundle: Uint8Array): Promise<string> {
  const trust = await fetch(`${service.url}/.well-known/countersign-trust.json`);
  const { root_certificate } = (await trust.json()) as { root_certificate: string };
  const root = hashOf(new X509Certificate(Buffer.from(root_certificate, "base64")).raw);
  return (await verifyBundle(() => unzipBundle(bundle), { root, tsa_roots: null })).outcome;
}

/** The texts in a bundle by name, as hashes. */
const textsIn = (bundle: Uint8Array): Record<string, string> =>
  Object.fromEntries(
    unzipBundle(bundle)
      .filter(({ name }) => name.startsWith("texts/"))
      .map(({ name, bytes }) => [name, hashOf(bytes)]),
  );

const ACCEPTED = {
  "texts/disclosure-2026-11.en.md": "f1231944793c4ff985c12c2550c04158e5da0bcdf20be9be0692fd662c5ecb54",
  "texts/intent-2026-01.en.md": "a83ecc23d1fe5cbad2e2ac967901a407e12248d3d6eb173a3c14e709b4633985",
  "texts/terms-2026-01.en.md": "e3f75a4de32b0eaf018482128c34c61b15ca4a684a2f379bfac5ada11d18b699",
};

test.each([
  ["newer texts are published", true],
  ["newer texts are published and the earlier files are gone", false],
])("after %s, an older bundle still contains the texts that were accepted, and verifies", async (_when, withEarlier) => {
  const now = adminAt(await upgrade(laterTexts({ withEarlier })));
  expect((await now("GET", "/partner/certification-terms")).json.data).toMatchObject({
    terms_version: "2027-01",
    text: "The newer terms in en\n",
  });
  const { status, bytes } = await now("GET", `${path}/vault/evidence`);
  expect([status, textsIn(bytes)]).toEqual([200, ACCEPTED]);
  expect(await outcomeOf(bytes)).toBe("VERIFIED");
});

test("after newer texts are published, another evaluation finds the same, and its bundle verifies", async () => {
  const before = (await org.admin("GET", `${path}/compliance`)).json.data;
  const now = adminAt(await upgrade(laterTexts({ withEarlier: true })));
  const { status, json } = await now("POST", `${path}/compliance`, { body: {} });
  const satisfied = (data: { checks: { satisfied: boolean }[] }) => data.checks.map((check) => check.satisfied);
  expect([status, json.data.score, satisfied(json.data)]).toEqual([200, before.score, satisfied(before)]);
  const { bytes } = await now("GET", `${path}/vault/evidence`);
  expect(await outcomeOf(bytes)).toBe("VERIFIED");
});

test("sent before an upgrade and signed after it, a bundle contains the texts that each person accepted, by the version that they saw", async () => {
  const upgraded = await upgrade(laterTexts({ withEarlier: true }));
  const signedLater = await vaultedByPipeline(upgraded, org);
  const { bytes } = await adminAt(upgraded)("GET", `/partner/envelopes/${signedLater}/vault/evidence`);
  expect(textsIn(bytes)).toEqual({
    "texts/disclosure-2027-01.en.md": hashOf(Buffer.from("The newer disclosure in en\n")),
    "texts/intent-2027-01.en.md": ACCEPTED["texts/intent-2026-01.en.md"],
    "texts/terms-2026-01.en.md": ACCEPTED["texts/terms-2026-01.en.md"],
  });
  expect(await outcomeOf(bytes)).toBe("VERIFIED");
  const { score } = (await org.admin("GET", `${path}/compliance`)).json.data;
  expect((await adminAt(upgraded)("GET", `/partner/envelopes/${signedLater}/compliance`)).json.data.score).toBe(score);
});

test("a text that was accepted and never stored is missing in the bundle, which then does not verify", async () => {
  await service.database.owner("delete from published_texts where kind = 'terms'");
  const { status, bytes } = await org.admin("GET", `${path}/vault/evidence`);
  expect([status, Object.keys(textsIn(bytes))]).toEqual([200, Object.keys(ACCEPTED).filter((name) => !name.includes("terms"))]);
  expect(await outcomeOf(bytes)).toBe("FAILED");
  await publishTexts(service.db, service.features.texts);
  expect(await outcomeOf((await org.admin("GET", `${path}/vault/evidence`)).bytes), "the next start stores it").toBe("VERIFIED");
});
