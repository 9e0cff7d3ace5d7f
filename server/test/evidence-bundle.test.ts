import { spawnSync } from "node:child_process";
import { createDecipheriv, createHash, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canonicalize, type NamedFile } from "@countersign/evidence";
import { beforeAll, expect, test } from "vitest";
import { unzipBundle, verifyBundle } from "../../verify/src/index.ts";
import { finishDocument } from "../src/envelopes/finish-document.ts";
import { systemCaller } from "../src/shared/caller.ts";
import type { EnvelopeId } from "../src/shared/ids.ts";
import { storeEnvelope } from "../src/vault/store-envelope.ts";
import { vaultInUpload } from "../src/vault/vault-in.ts";
import { signAll } from "./ceremony.ts";
import { form } from "./form.ts";
import { landlord, newEnvelope, newTemplate, plainPdf, tenant } from "./lease.ts";
import { testFolder } from "./openssl.ts";
import { type TestKey, type TestOrg, testService } from "./service.ts";
import { keyOfAnother } from "./vaulted.ts";

const service = testService();
const folder = testFolder();
const verifier = fileURLToPath(new URL("../../verify/bin/countersign-verify.js", import.meta.url));

interface Lease {
  readonly org: TestOrg;
  readonly key: TestKey;
  readonly envelope_id: EnvelopeId;
}

async function vaultedLease(): Promise<Lease> {
  const org = await service.newOrg("Example Company");
  const key = await org.newKey();
  const more = { auto_vault_enabled: true, secured_party: { name: "First Example Bank, N.A.", address: "1 Example Square" } };
  const envelope_id = (await newEnvelope(key, await newTemplate(key), more)) as EnvelopeId;
  const certification = { accepted: true, terms_version: "2026-01" };
  await key.send("POST", `/partner/envelopes/${envelope_id}/send`, { body: { signers: [tenant, landlord], certification } });
  const values = { "Tenant name": "Ann", Rent: "1200", Start: "2026-03-01", Pet: true, Floor: "second" };
  await signAll(service, org, envelope_id, [[tenant.email, values], [landlord.email]]);
  const job = { org_id: org.org_id, envelope_id };
  await finishDocument(service.features.envelopes, job);
  await storeEnvelope(service.features.vault, job);
  return { org, key, envelope_id };
}

let lease: Lease;
/** the trust root, which a verifier gets from elsewhere */
let root: string;
beforeAll(async () => {
  lease = await vaultedLease();
  const trust = await fetch(`${service.url}/.well-known/countersign-trust.json`);
  const { root_certificate } = (await trust.json()) as { root_certificate: string };
  root = sha256(new X509Certificate(Buffer.from(root_certificate, "base64")).raw);
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const verify = (file: string, ...more: string[]) => spawnSync(process.execPath, [verifier, file, ...more], { encoding: "utf8" });

test("the evidence of a vaulted envelope verifies offline, also after copies, another evaluation and another bundle; with one changed byte it does not", async () => {
  const { key, envelope_id } = lease;
  const path = `/partner/envelopes/${envelope_id}`;
  await key.send("GET", `${path}/vault/copy`);
  await key.send("POST", `${path}/compliance`, { body: {} });
  await key.send("GET", `${path}/vault/evidence`);
  const { status, headers, bytes } = await key.send("GET", `${path}/vault/evidence`);
  expect([status, headers["content-type"]]).toEqual([200, "application/zip"]);
  const file = join(folder.path, "bundle.zip");
  writeFileSync(file, bytes);

  const pinned = verify(file, "--root", root);
  expect([pinned.status, pinned.stdout.trim().split("\n").at(-1)], pinned.stdout + pinned.stderr).toEqual([
    0,
    expect.stringContaining("VERIFIED"),
  ]);
  expect(verify(file).status, "its signer is not pinned").toBe(3);

  const changed = Buffer.from(bytes);
  const at = Math.floor(changed.length / 2);
  changed[at] = (changed[at] ?? 0) ^ 1;
  writeFileSync(file, changed);
  expect(verify(file, "--root", root).status).toBe(1);
});

test("one changed bit in any file of a bundle is refused, wherever it is", async () => {
  const { bytes } = await lease.key.send("GET", `/partner/envelopes/${lease.envelope_id}/vault/evidence`);
  const files = unzipBundle(bytes);
  expect(files.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["certificates/r1/facts.json", "signed/values.json", "checkpoints/vaulted.note", "manifest.sig"]),
  );
  const passed: string[] = [];
  for (const { name, bytes: whole } of files) {
    for (const at of new Set([0, whole.length >> 1, whole.length - 1])) {
      const changed = Uint8Array.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const { outcome } = await verifyBundle(() => files.map((file) => (file.name === name ? { name, bytes: changed } : file)), {
        root,
        tsa_roots: null,
      });
      if (outcome !== "FAILED") passed.push(`${name} at ${at}`);
    }
  }
  expect(passed).toEqual([]);
});

test("a vault export opens with the key from the acknowledgement, and verifies offline as an export", async () => {
  const { key, envelope_id } = lease;
  const post = async (path: string, body: object) => (await key.send("POST", `/partner/${path}`, { body })).json.data;
  const started = await post(`envelopes/${envelope_id}/vault-out`, {
    recipient: { name: "Second Example Bank", email: "vault@example.com" },
    reason: "Sold",
  });
  const { export_id, package_sha256 } = started;
  const packed = Buffer.from((await key.send("GET", `/partner/vault-exports/${export_id}/package`)).bytes);
  expect(sha256(packed)).toBe(package_sha256);
  const { send } = await keyOfAnother(service, lease.org);
  const acknowledged = await send("POST", `/partner/vault-exports/${export_id}/acknowledge`, { body: { package_sha256 } });
  const { key: opens, receipt } = acknowledged.json.data;
  const { copy_id, sha256: hash } = receipt.document;
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(opens, "hex"), packed.subarray(6, 18));
  decipher.setAAD(Buffer.from(canonicalize({ export_id, copy_id, sha256: hash }))).setAuthTag(packed.subarray(-16));
  const zip = Buffer.concat([decipher.update(packed.subarray(18, -16)), decipher.final()]);
  const file = join(folder.path, "export.zip");
  writeFileSync(file, zip);
  const { status, stdout } = verify(file, "--root", root);
  expect([status, stdout], stdout).toEqual([
    0,
    expect.stringMatching(/the authoritative copy, [0-9a-f]{64}, sealed by (.|\n)*\nVERIFIED\n$/),
  ]);
  expect(sha256(unzipBundle(zip).find(({ name }) => name === "authoritative.pdf")?.bytes ?? new Uint8Array())).toBe(hash);
});

test("a bundle of an upload contains the unchanged evidence file of the issuing system, and is refused without it or with another", async () => {
  const org = await service.newOrg();
  const customer = await org.admin("POST", "/partner/customers", { body: { name: "Ann" } });
  const uploaded = await org.admin("POST", `/partner/customers/${customer.json.data.customer_id}/documents`, form({}, { bytes: plainPdf }));
  const { envelope_id } = uploaded.json.data as { envelope_id: EnvelopeId };
  const evidence = Buffer.from('{"events":["signed"]}');
  const received = { name: null, path: folder.put("evidence", evidence), size: evidence.length, sha256: sha256(evidence) };
  const depositing = vaultInUpload(
    service.features.vault,
    systemCaller(org.org_id),
    envelope_id,
    { source: "electronic_signed", certification: { accepted: true, terms_version: "2026-01" } },
    received,
  );
  const status = async () => (await org.admin("GET", `/partner/envelopes/${envelope_id}/status`)).json.data.status;
  await expect.poll(status, { timeout: 20_000 }).toBe("completed");
  await storeEnvelope(service.features.vault, { org_id: org.org_id, envelope_id });
  expect((await depositing).envelope.status).toBe("vaulted");

  const { bytes } = await org.admin("GET", `/partner/envelopes/${envelope_id}/vault/evidence`);
  const files = unzipBundle(bytes);
  const outcome = async (all: readonly NamedFile[]) => (await verifyBundle(() => all, { root, tsa_roots: null })).outcome;
  const isSupplied = ({ name }: NamedFile) => name === "evidence/supplied.json";
  expect(Buffer.from(files.find(isSupplied)?.bytes ?? [])).toEqual(evidence);
  expect(await outcome(files)).toBe("VERIFIED");
  expect(await outcome(files.filter((file) => !isSupplied(file)))).toBe("FAILED");
  expect(await outcome(files.map((file) => (isSupplied(file) ? { ...file, bytes: Buffer.from('{"events":[]}') } : file)))).toBe("FAILED");
});
