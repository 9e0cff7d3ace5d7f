// Downloads the copy, the certificate and the evidence of a vaulted envelope, and verifies the evidence offline.
//   COUNTERSIGN_URL=https://sign.example.com COUNTERSIGN_API_KEY=lk_… ENVELOPE_ID=env_… node run.mjs
// The key has the scope vault:read. countersign-verify.mjs is a download of the service; its options can follow, such as --root.
import { spawnSync } from "node:child_process";
import { Countersign } from "@countersign/client";

// The client waits after 429 as Retry-After says.
const cs = new Countersign({
  baseUrl: process.env.COUNTERSIGN_URL ?? "http://localhost:3000",
  apiKey: process.env.COUNTERSIGN_API_KEY,
});
const envelope_id = process.env.ENVELOPE_ID ?? "";

const { hash } = await cs.vault.get(envelope_id);
console.log(hash);

// Each download is recorded before its first byte is sent.
await (await cs.vault.copy.get(envelope_id)).saveTo("copy.pdf");
await (await cs.compliance.certificate.get(envelope_id)).saveTo("certificate.pdf");
await (await cs.vault.evidence.get(envelope_id)).saveTo("evidence.zip");

// 0: verified. 3: nothing is wrong, but no --root was given. 5: a record of a sandbox. 1: do not rely on it.
const { status } = spawnSync(process.execPath, ["countersign-verify.mjs", "evidence.zip", ...process.argv.slice(2)], { stdio: "inherit" });
console.log(`exit code ${status}`);
process.exitCode = status ?? 1;
