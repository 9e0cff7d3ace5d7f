import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { readVkey } from "@countersign/evidence";
import { afterAll, expect, test } from "vitest";
import { unzipBundle } from "../../../../verify/src/unzip-bundle.ts";
import { verifyBundle } from "../../../../verify/src/verify-bundle.ts";
import { accept, certify, go, offer, type Side, transferAt, twoVaults } from "../../../test/two-vaults.ts";
import { vaultedByPipeline } from "../../../test/vaulted.ts";
import { advanceLog } from "../../transparency/advance-log.ts";
import type { Witness } from "../../transparency/build-log.ts";

/** A release that an independent witness saw: `countersign-verify witness`, as others run it. */

const pair = twoVaults();
const folder = mkdtempSync(join(tmpdir(), "countersign-release-witness-"));
const program = fileURLToPath(new URL("../../../../verify/bin/countersign-verify.js", import.meta.url));

type Running = ChildProcessByStdio<null, Readable, null>;
let running: Running | null = null;

async function stop(): Promise<void> {
  if (running === null || running.exitCode !== null) return;
  running.kill("SIGTERM");
  await once(running, "exit");
}
afterAll(async () => {
  await stop();
  rmSync(folder, { recursive: true });
});

/** Starts the program with its own key and state, which a second start finds again. */
async function startWitness(log: string): Promise<Witness> {
  const files = ["--key", join(folder, "key"), "--state", join(folder, "state"), "--name", "witness.example/w1"];
  const args = [program, "witness", "--log", log, ...files, "--listen", "127.0.0.1:0"];
  const started: Running = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  running = started;
  const lines = createInterface({ input: started.stdout })[Symbol.asyncIterator]();
  const vkey = String((await lines.next()).value);
  const url = /^listening at (.*)$/.exec(String((await lines.next()).value))?.[1] ?? expect.fail("the witness does not listen");
  return { key: readVkey(vkey) ?? expect.fail(`${vkey} is no key`), vkey, url };
}

const watchedBy = ({ service }: Side, witness: Witness) =>
  Object.assign(service.features.vault.log, { notes: { ...service.features.vault.log.notes, witnesses: [witness] } });

test("a release waits for the witness, carries its cosignature, and the receiver's certificate does not warn", {
  timeout: 120_000,
}, async () => {
  const { here, there } = pair;
  await advanceLog(here.service.features.log);
  const log = (await here.org.admin("GET", "/org/transparency")).json.data.vkeys[0];
  const envelope_id = await vaultedByPipeline(here.service, here.org, { secured_party: { name: "First Example Bank" } });
  watchedBy(here, await startWitness(log));
  const transfer_id = await offer(here, envelope_id);
  await go(here, transfer_id, "out");
  await accept(there, transfer_id);
  await go(there, transfer_id, "in");
  await go(here, transfer_id, "out");
  await stop();
  await go(there, transfer_id, "in");
  await go(here, transfer_id, "out");
  const waiting = await transferAt(here, transfer_id);
  expect([waiting.state, waiting.last_error]).toEqual(["released", "waiting_for_witnesses"]);
  expect((await transferAt(there, transfer_id)).state).toBe("ready");

  const witness = await startWitness(log);
  watchedBy(here, witness);
  await go(here, transfer_id, "out");
  await go(there, transfer_id, "in");
  const received = await transferAt(there, transfer_id);
  expect([received.state, (await transferAt(here, transfer_id)).state]).toEqual(["done", "confirmed"]);
  const messages = (await here.org.admin("GET", `/partner/vault-transfers/${transfer_id}/messages`)).json.data;
  const { bytes } = messages.find(({ kind }: { kind: string }) => kind === "release");
  const release = JSON.parse(Buffer.from(bytes, "base64").toString("utf8"));
  expect(release.witnesses).toEqual([witness.vkey]);
  expect(release.note).toContain("— witness.example/w1 ");

  const moved = received.envelope_id ?? expect.fail("nothing was stored");
  await certify(there, moved);
  const { warnings } = (await there.org.admin("GET", `/partner/envelopes/${moved}/compliance`)).json.data;
  expect(warnings.map(({ code }: { code: string }) => code)).not.toContain("release_not_witnessed");
  const zip = await there.org.admin("GET", `/partner/envelopes/${moved}/vault/evidence`);
  const { outcome, notes } = await verifyBundle(() => unzipBundle(zip.bytes), { root: there.root, tsa_roots: null });
  expect([outcome, notes.some((note) => note.includes("is in its log, which a witness cosigned."))]).toEqual(["VERIFIED", true]);
});
