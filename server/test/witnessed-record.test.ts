// A record whose time is proven by a witness alone, without a time-stamp authority. `VERIFY_EVERY_BYTE=1` flips a bit in every byte of its
// bundle; without it, in a sample.

import { createHash, X509Certificate } from "node:crypto";
import { canonicalize, type NamedFile, noteKeyOf, noteKeyTypes, readVkey, writeVkey } from "@countersign/evidence";
import { beforeAll, expect, test } from "vitest";
import { ALL } from "../../testing/all.ts";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import { ensureInstanceKeys } from "../src/seals/instance-keys.ts";
import type { EnvelopeId } from "../src/shared/ids.ts";
import { advanceLog } from "../src/transparency/advance-log.ts";
import { askWitnesses } from "../src/transparency/ask-witnesses.ts";
import { exportBundle } from "../src/vault/evidence-bundle.ts";
import { storeEnvelope } from "../src/vault/store-envelope.ts";
import type { PipelineDeps } from "../src/vault/vault.ts";
import { type TestOrg, testService } from "./service.ts";
import { completedForVault } from "./vaulted.ts";
import { testWitnesses, type WitnessPeer } from "./witness.ts";

const service = testService();
const witnesses = testWitnesses();

let org: TestOrg;
let envelope_id: EnvelopeId;
let peer: WitnessPeer;
let deps: PipelineDeps;
let root: string;
beforeAll(async () => {
  org = await service.newOrg();
  envelope_id = await completedForVault(service, org, { secured_party: { name: "First Example Bank, N.A." } });
  await advanceLog(service.features.log);
  const { json } = await org.admin("GET", "/org/transparency");
  peer = await witnesses.start(readVkey(json.data.vkeys[0]) ?? expect.fail("the log has no key"));
  const { vault } = service.features;
  deps = { ...vault, log: { ...vault.log, notes: { ...vault.log.notes, witnesses: [peer.witness] } } };
  const trust = (await (await fetch(`${service.url}/.well-known/countersign-trust.json`)).json()) as { root_certificate: string };
  root = sha256(new X509Certificate(Buffer.from(trust.root_certificate, "base64")).raw);
});

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");
const complianceOf = async () => (await org.admin("GET", `/partner/envelopes/${envelope_id}/compliance`)).json.data;
const store = () => storeEnvelope(deps, { org_id: org.org_id, envelope_id });
const statusOf = async () => (await org.admin("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status;

test("the first evaluation waits until the witness has cosigned, and then the time of the record is proven", async () => {
  await store();
  expect(await statusOf(), "while the witness has not answered").toBe("completed");
  const queued = await service.database.owner<{ task: string }>("select task from outbox");
  expect(queued.map(({ task }) => task)).toEqual(expect.arrayContaining(["log.ask-witnesses", "vault.store"]));
  expect(await askWitnesses(deps.log)).toEqual([]);
  await store();
  expect(await statusOf()).toBe("vaulted");
  const { checks } = await complianceOf();
  expect(checks[5]).toMatchObject({
    satisfied: true,
    grade: "proven",
    grade_reason: expect.stringMatching(/^Seen from outside within 24 hours: 1 witness at 2/),
  });
});

const bundle = async (): Promise<NamedFile[]> => unzipBundle(await exportBundle(deps, org.org_id, envelope_id));
const verify = (files: readonly NamedFile[], more: object = {}) => verifyBundle(() => files, { root, tsa_roots: null, ...more });

test("its bundle carries the cosignature, says whose it is, and lacks no witness", async () => {
  const { outcome, steps, notes } = await verify(await bundle());
  expect(outcome, JSON.stringify(steps.at(-1))).toBe("VERIFIED");
  expect(steps[5]?.says).toMatch(/^cosigned by witness\.example\/w1 at 2/);
  expect(notes).toContain("The witnesses are those that the installation lists. Use --witness to require those that you choose.");
  expect(notes).toContain("Lacks: No external time stamp.");
  expect(notes).not.toContain("Lacks: No cosignature of a witness.");
});

test("a reader who names the witness needs nothing else, and one who names another witness refuses the bundle", async () => {
  const wanted = (key: typeof peer.witness.key) => ({ witnesses: { keys: [key], quorum: 1, notes: [], tiles: null } });
  const files = await bundle();
  expect((await verify(files, wanted(peer.witness.key))).outcome).toBe("VERIFIED");
  const stranger = noteKeyOf("witness.example/other", noteKeyTypes.cosignature, Buffer.alloc(32, 7));
  expect((await verify(files, wanted(stranger))).steps.at(-1)).toMatchObject({ name: "log", passed: false });
});

test("cosignatures are kept in the log, and do not cause the next request", async () => {
  const kept = () => service.database.owner("select from log_records where kind = 'note'");
  expect(await kept()).toHaveLength(1);
  await advanceLog(deps.log);
  // The certificate and the bundles are entries, so the witness is asked once more; after that only its own record is new.
  expect(await askWitnesses(deps.log)).toEqual([]);
  const count = (await kept()).length;
  await advanceLog(deps.log);
  expect(await askWitnesses(deps.log)).toEqual([]);
  expect(await kept()).toHaveLength(count);
});

test("a witness that refuses the log does not hold up the vaulting", async () => {
  const other = await completedForVault(service, org);
  const insert = "insert into witness_conflicts (witness, tree_size, says) select $1, max(tree_size), 'another history' from checkpoints";
  await service.database.owner(insert, [peer.witness.vkey]);
  await storeEnvelope(deps, { org_id: org.org_id, envelope_id: other });
  expect((await org.admin("GET", `/partner/envelopes/${other}/status`)).json.data.status).toBe("vaulted");
});

const isFull = process.env.VERIFY_EVERY_BYTE === "1";

test("one flipped bit of the bundle is noticed, wherever it is", { timeout: isFull ? 7_200_000 : 60_000 }, async () => {
  const zip = Buffer.from(await exportBundle(deps, org.org_id, envelope_id));
  // A prime, so that the places differ from one kind of file to the next.
  const step = isFull ? 1 : ALL ? 499 : 4_999;
  const unnoticed: number[] = [];
  for (let at = 0; at < zip.length; at += step) {
    const bit = 1 << (at % 8);
    zip[at] = (zip[at] ?? 0) ^ bit;
    if ((await verifyBundle(() => unzipBundle(zip), { root, tsa_roots: null })).outcome !== "FAILED") unnoticed.push(at);
    zip[at] = (zip[at] ?? 0) ^ bit;
  }
  expect(unnoticed).toEqual([]);
  expect((await verifyBundle(() => unzipBundle(zip), { root, tsa_roots: null })).outcome, "with every bit back").toBe("VERIFIED");
});

/** The bundle as its maker could have changed it: with a manifest that fits and is signed. */
async function forged(change: (file: NamedFile) => Uint8Array | string): Promise<string> {
  const files = (await bundle()).map((file) => ({ ...file, bytes: Buffer.from(change(file)) }));
  const bytesOf = (name: string) => files.find((file) => file.name === name)?.bytes ?? Buffer.alloc(0);
  const manifest = JSON.parse(bytesOf("manifest.json").toString());
  for (const listed of manifest.files) {
    const bytes = bytesOf(listed.name);
    const hashes = { sha256: sha256(bytes), sha512: createHash("sha512").update(bytes).digest("hex") };
    Object.assign(listed, { size: bytes.length, ...hashes });
  }
  const signed = Buffer.from(canonicalize(manifest));
  const { records } = await ensureInstanceKeys(deps.seals);
  const all = [
    ...files.filter(({ name }) => !name.startsWith("manifest.")),
    { name: "manifest.json", bytes: signed },
    { name: "manifest.sig", bytes: await records.sign(signed) },
  ];
  const { outcome, steps } = await verify(all);
  const last = steps.at(-1);
  return last?.passed === true ? outcome : `${last?.name}: ${last?.says}`;
}

const isNote = (name: string) => /^renewals\/\d{3}\/checkpoint\.note$/.test(name);
const isProof = (name: string) => /^renewals\/\d{3}\/proof\.json$/.test(name);
/** JSON with some members of `as_of` replaced. */
const changed = (bytes: Uint8Array, { as_of }: { as_of: object }): string => {
  const value = JSON.parse(Buffer.from(bytes).toString());
  return canonicalize({ ...value, as_of: { ...value.as_of, ...as_of } });
};
const linesOf = (bytes: Uint8Array) => Buffer.from(bytes).toString().split("\n");

test.each([
  ["unchanged", ({ bytes }: NamedFile) => bytes, "VERIFIED"],
  [
    "with a cosignature of another tree",
    ({ name, bytes }: NamedFile) => (isNote(name) ? linesOf(bytes).map(otherLast).join("\n") : bytes),
    "time: has no valid cosignature of a witness in trust/witnesses.json",
  ],
  [
    "with a note that the log did not sign",
    ({ name, bytes }: NamedFile) =>
      isNote(name)
        ? linesOf(bytes)
            .filter((line) => !line.startsWith("\u2014 localhost"))
            .join("\n")
        : bytes,
    "time: is not signed by a key of the log that trust/keys.json lists",
  ],
  [
    "with another witness in the list",
    ({ name, bytes }: NamedFile) =>
      name === "trust/witnesses.json"
        ? canonicalize([writeVkey(noteKeyOf("witness.example/other", noteKeyTypes.cosignature, Buffer.alloc(32, 7)))])
        : bytes,
    "time: has no valid cosignature of a witness in trust/witnesses.json",
  ],
  [
    "with a list that is not one",
    ({ name, bytes }: NamedFile) => (name === "trust/witnesses.json" ? '["witness.example/w1"]' : bytes),
    "time: is not a list of keys of witnesses in canonical form",
  ],
  ["with a note that is not one", ({ name, bytes }: NamedFile) => (isNote(name) ? "seen" : bytes), "time: is not the note of a checkpoint"],
  [
    "with a proof of something else",
    ({ name, bytes }: NamedFile) => (isProof(name) ? canonicalize(["0".repeat(64)]) : bytes),
    "time: does not contain proofs in canonical form",
  ],
  [
    "with a witness that saw another history since the storing",
    ({ name, bytes }: NamedFile) => (isProof(name) ? canonicalize({ ...JSON.parse(Buffer.from(bytes).toString()), latest: [] }) : bytes),
    expect.stringMatching(/^time: checkpoint \d+ is not shown to be of the log of this bundle$/),
  ],
  [
    "as of a time before its last entry",
    ({ name, bytes }: NamedFile) => (name === "manifest.json" ? changed(bytes, { as_of: { at: "2001-01-01T00:00:00.000Z" } }) : bytes),
    expect.stringMatching(/^evaluation: is as of 2001-01-01T00:00:00\.000Z, before its last entry, /),
  ],
])("a bundle signed by its maker %s", async (_what, change, says) => {
  expect(await forged(change)).toEqual(says);
});

/** Replaces the last characters of the witness's line. */
function otherLast(line: string): string {
  return line.startsWith("\u2014 witness.example") ? `${line.slice(0, -8)}AAAAAAA=` : line;
}
