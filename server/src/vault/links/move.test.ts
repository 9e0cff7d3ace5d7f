import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { canonicalValue, type Facts2, readZip, rules2, writeZip } from "@countersign/evidence";
import { afterAll, beforeAll, expect, test } from "vitest";
import { onePage, text } from "../../../../pdf/fixtures/pages.ts";
import { writePdf } from "../../../../pdf/fixtures/writer.ts";
import { memoryFolder } from "../../../../testing/memory-folder.ts";
import { runCompare } from "../../../../verify/src/compare/compare-command.ts";
import { unzipBundle } from "../../../../verify/src/unzip-bundle.ts";
import { verifyBundle } from "../../../../verify/src/verify-bundle.ts";
import { chainOf } from "../../../test/envelopes.ts";
import { form } from "../../../test/form.ts";
import { copyState, move, type Side, twoVaults } from "../../../test/two-vaults.ts";
import { newMember, vaultedByPipeline } from "../../../test/vaulted.ts";
import { readChain } from "../../audit/read-chain.ts";
import type { EnvelopeId } from "../../shared/ids.ts";
import { evaluateRecord } from "../evaluate-record.ts";
import { storeEnvelope } from "../store-envelope.ts";

/** A note goes to another installation and comes back. */

const pair = twoVaults();
const secured_party = { name: "First Example Bank", address: "1 Main Street" };
const journey = {} as { first: EnvelopeId; there: EnvelopeId; back: EnvelopeId; bundles: { first: Buffer; there: Buffer; back: Buffer } };
let folder: string;

async function bundleAt({ org }: Side, envelope_id: string): Promise<Buffer> {
  const { status, bytes, json } = await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
  expect([status, json?.error]).toEqual([200, undefined]);
  return bytes;
}

beforeAll(async () => {
  const { here, there } = pair;
  folder = mkdtempSync(join(memoryFolder(), "countersign-move-"));
  journey.first = await vaultedByPipeline(here.service, here.org, { secured_party });
  journey.there = await move(here, there, journey.first);
  const bundles = { first: await bundleAt(here, journey.first), there: await bundleAt(there, journey.there) };
  journey.back = await move(there, here, journey.there);
  journey.bundles = { ...bundles, back: await bundleAt(here, journey.back) };
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = async ({ org }: Side, envelope_id: string, what = "") =>
  (await org.admin("GET", `/partner/envelopes/${envelope_id}${what}`)).json.data;

const verify = (bytes: Uint8Array, root: string) => verifyBundle(() => unzipBundle(bytes), { root, tsa_roots: null });

test("one copy is live at every end: the tombstones stay, and the bytes are the same everywhere", async () => {
  const { here, there } = pair;
  expect([await copyState(here, journey.first), await copyState(there, journey.there), await copyState(here, journey.back)]).toEqual([
    "transferred",
    "transferred",
    "active",
  ]);
  const hashes = await Promise.all(
    (
      [
        [here, journey.first],
        [there, journey.there],
        [here, journey.back],
      ] as const
    ).map(async ([side, id]) => (await read(side, id, "/vault")).hash),
  );
  expect(new Set(hashes).size).toBe(1);
});

test("the envelope at the receiver is vaulted, its chain begins with the import, and its events come in order", async () => {
  const { there } = pair;
  const { status, customer_id } = await read(there, journey.there);
  expect([status, customer_id]).toEqual(["vaulted", there.customer_id]);
  const chain = await chainOf(there.service, there.org.org_id, journey.there);
  expect(chain.slice(0, 6).map(({ type }) => type)).toEqual([
    "chain.imported",
    "envelope.created",
    "vault.stored",
    "custody.assigned",
    "assignment.recorded",
    "vault.certificate.issued",
  ]);
  const events = await there.service.database.owner<{ event_type: string }>(
    "select event_type from events where envelope_id = $1 order by ctid",
    [journey.there],
  );
  expect(events.map(({ event_type }) => event_type).slice(0, 2)).toEqual(["envelope.created", "vault.stored"]);
  expect(events.map(({ event_type }) => event_type)[2]).toMatch(/^vault\.compliance\./);
});

test("the checks are judged on what the first vault recorded, and the seal of the first vault counts", async () => {
  const { here, there } = pair;
  const before = await read(here, journey.first, "/compliance");
  for (const [side, id] of [
    [there, journey.there],
    [here, journey.back],
  ] as const) {
    const { score, checks, warnings, standing } = await read(side, id, "/compliance");
    expect([score, standing]).toEqual([100, "attested"]);
    expect(checks[0].detail).toContain("by release vt_");
    expect(checks[0].grade).toBe("proven");
    expect(checks[0].grade_reason).toMatch(
      /^The release of 2.* is verified: the vault before keeps no live copy\. At the vault that sealed it: Signed there, with no match/,
    );
    expect(checks.slice(3, 5)).toEqual(before.checks.slice(3, 5));
    expect(warnings.map(({ code }: { code: string }) => code)).toContain("release_not_witnessed");
  }
});

test("after the receipt the sender's record is evaluated again: it has left", async () => {
  const { here } = pair;
  const links = await here.service.db.tx(here.org.org_id, (tx) => readChain(tx, here.org.org_id, journey.first));
  const confirmed = links.find(({ entry }) => entry.type === "vault.transfer_confirmed")?.entry ?? expect.fail("no receipt is recorded");
  const cause = { type: confirmed.type, hash: confirmed.hash };
  await evaluateRecord(here.service.features.vault, { org_id: here.org.org_id, envelope_id: journey.first, cause });
  const { score, standing, checks } = await read(here, journey.first, "/compliance");
  expect([standing, checks[0].satisfied, checks[2].satisfied]).toEqual(["left", false, false]);
  expect(score).toBeLessThanOrEqual(75);
  const { outcome, left } = await verify(await bundleAt(here, journey.first), here.root);
  expect([outcome, left?.for]).toEqual(["VERIFIED", "Second Example Bank"]);
});

test("bundles of both sides verify offline, each against its own root, with the vaults before inside", async () => {
  const { here, there } = pair;
  for (const [bytes, root, vaults] of [
    [journey.bundles.first, here.root, 0],
    [journey.bundles.there, there.root, 1],
    [journey.bundles.back, here.root, 2],
  ] as const) {
    const report = await verify(bytes, root);
    expect([report.outcome, report.steps.filter(({ passed }) => !passed)]).toEqual(["VERIFIED", []]);
    const names = readZip(bytes).map(({ name }) => name);
    expect(names.filter((name) => name.endsWith("/release.json")).length).toBe(vaults);
  }
});

test("a bundle does not verify without its origin, with another release, or with another vault's facts", async () => {
  const { there } = pair;
  const files = readZip(journey.bundles.there);
  const without = files.filter(({ name }) => !name.startsWith("origin/"));
  expect((await verify(writeZip(without), there.root)).outcome).toBe("FAILED");
  for (const name of ["origin/1/release.json", "origin/1/release.sig", "origin/1/chain.jsonl", "origin/1/trust/keys.json"]) {
    const changed = files.map((file) => {
      if (file.name !== name) return file;
      const bytes = Buffer.from(file.bytes);
      bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
      return { ...file, bytes };
    });
    expect((await verify(writeZip(changed), there.root)).outcome, name).toBe("FAILED");
  }
});

test("compare finds no contradiction between the sender's bundle and what the receiver's bundle carries of the sender's log", async () => {
  const path = (name: keyof typeof journey.bundles): string => {
    const file = join(folder, `${name}.zip`);
    writeFileSync(file, journey.bundles[name]);
    return file;
  };
  let said = "";
  const code = await runCompare([path("first"), path("there")], (text) => {
    said += text;
  });
  expect([code, said]).toEqual([0, expect.stringContaining("NO CONTRADICTION FOUND")]);
  expect(said).toContain("Compared is the log of the vault that the record came from.");
});

test("copies are made from the moved original, and never its bytes", async () => {
  const { there } = pair;
  const { hash } = await read(there, journey.there, "/vault");
  const { status, bytes } = await there.org.admin("GET", `/partner/envelopes/${journey.there}/document`);
  expect([status, createHash("sha256").update(bytes).digest("hex") === hash]).toEqual([200, false]);
});

const today = new Date().toISOString().slice(0, 10);
const paper = {
  source: "paper_upload",
  certification: { accepted: true, terms_version: "2026-01" },
  attestation: {
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
  },
  instrument: { type: "promissory note", number: "2026-114", date: today },
};

/** A paper original that the depositor attests. The job that vaults it runs here. */
async function depositPaper({ service, org, customer_id }: Side, words: string, more: object = {}): Promise<EnvelopeId> {
  const bytes = writePdf(onePage({ content: text(words, 40, 700) }));
  const uploaded = await org.admin("POST", `/partner/customers/${customer_id}/documents`, form({}, { bytes, name: "Note.pdf" }));
  const { envelope_id } = uploaded.json.data as { envelope_id: EnvelopeId };
  const depositing = org.admin("POST", `/partner/envelopes/${envelope_id}/vault-in-upload`, { body: { ...paper, ...more } });
  for (let isVaulted = false; !isVaulted; ) {
    await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
    isVaulted = (await org.admin("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status === "vaulted";
  }
  expect((await depositing).status).toBe(200);
  return envelope_id;
}

test("moving does not prove what the first depositor only stated, and each vault compares the record with its own", async () => {
  const { here, there } = pair;
  const first = await depositPaper(here, "Paper original of the first bank", { record_type: "chattel_paper" });
  const moved = await move(here, there, first);
  const { record_type, instrument } = await read(there, moved, "/vault");
  expect([record_type, instrument]).toEqual(["chattel_paper", paper.instrument]);
  const stated = (await read(there, moved, "/compliance")).checks[0];
  expect([stated.satisfied, stated.grade]).toEqual([true, "attested"]);
  expect(stated.grade_reason).toMatch(/At the vault that sealed it: The depositor states what became of the paper original\.$/);
  const bundle = await bundleAt(there, moved);
  expect((await verify(bundle, there.root)).outcome).toBe("VERIFIED");
  // Facts that call it signed at the first vault give another result, and contradict the bundle of that vault.
  const facts = canonicalValue(readZip(bundle).find(({ name }) => name === "certificates/r1/facts.json")?.bytes ?? Buffer.alloc(0));
  const { origin } = facts as unknown as Facts2;
  if (origin === undefined) expect.fail("the facts name no origin");
  const laundered = { ...(facts as unknown as Facts2), origin: { ...origin, facts: { ...origin.facts, source: "signed_here" as const } } };
  expect(rules2.complianceJson(laundered)).not.toBe(rules2.complianceJson(facts as unknown as Facts2));

  const other = await depositPaper(there, "The same instrument once more");
  const judged = async () => (await there.org.admin("POST", `/partner/envelopes/${moved}/compliance`)).json.data.checks[0];
  const same = await judged();
  expect([same.grade, same.detail]).toEqual([
    "not_shown",
    `The same instrument is declared for ${other}, which is in this vault, and no one has compared the two.`,
  ]);
  expect((await verify(await bundleAt(there, moved), there.root)).outcome).toBe("VERIFIED");
  const { send } = await newMember(there.service, there.org, "admin");
  const review = { other_envelope_id: other, statement: "Two counterparts of one note" };
  expect((await send("POST", `/partner/envelopes/${moved}/duplicate-review`, { body: review })).status).toBe(201);
  expect([(await judged()).grade, (await judged()).grade_reason]).toEqual([
    "attested",
    `Someone other than the depositor compared it with ${other}; what they state is in the audit trail.`,
  ]);
}, 120_000);
