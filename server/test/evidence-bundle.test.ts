import { spawnSync } from "node:child_process";
import { createHash, X509Certificate } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { finishDocument } from "../src/envelopes/finish-document.ts";
import type { EnvelopeId } from "../src/shared/ids.ts";
import { storeEnvelope } from "../src/vault/store-envelope.ts";
import { signAll } from "./ceremony.ts";
import { landlord, newEnvelope, newTemplate, tenant } from "./lease.ts";
import { testFolder } from "./openssl.ts";
import { type TestKey, testService } from "./service.ts";

const service = testService();
const folder = testFolder();
const verifier = fileURLToPath(new URL("../../verify/bin/countersign-verify.js", import.meta.url));

async function vaultedLease(): Promise<{ key: TestKey; envelope_id: EnvelopeId }> {
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
  return { key, envelope_id };
}

const verify = (file: string, ...more: string[]) => spawnSync(process.execPath, [verifier, file, ...more], { encoding: "utf8" });

test("the evidence of a vaulted envelope verifies offline, after copies, another evaluation and another bundle; one changed byte does not", async () => {
  const { key, envelope_id } = await vaultedLease();
  const path = `/partner/envelopes/${envelope_id}`;
  await key.send("GET", `${path}/vault/copy`);
  await key.send("POST", `${path}/compliance`, { body: {} });
  await key.send("GET", `${path}/vault/evidence`);
  const { status, headers, bytes } = await key.send("GET", `${path}/vault/evidence`);
  expect([status, headers["content-type"]]).toEqual([200, "application/zip"]);
  const file = join(folder.path, "bundle.zip");
  writeFileSync(file, bytes);

  const trust = await fetch(`${service.url}/.well-known/countersign-trust.json`);
  const { root_certificate } = (await trust.json()) as { root_certificate: string };
  const root = createHash("sha256")
    .update(new X509Certificate(Buffer.from(root_certificate, "base64")).raw)
    .digest("hex");
  const pinned = verify(file, "--root", root);
  expect([pinned.status, pinned.stdout.trim().split("\n").at(-1)], pinned.stdout + pinned.stderr).toEqual([
    0,
    expect.stringContaining("VERIFIED"),
  ]);
  expect(verify(file).status, "whoever signed it is not pinned").toBe(3);

  const changed = Buffer.from(bytes);
  const at = Math.floor(changed.length / 2);
  changed[at] = (changed[at] ?? 0) ^ 1;
  writeFileSync(file, changed);
  expect(verify(file, "--root", root).status).toBe(1);
});
