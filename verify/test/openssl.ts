import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Runs openssl. Throws with its complaint if it fails. */
export function openssl(args: readonly string[], input?: string | Uint8Array, cwd?: string): Buffer {
  const { status, stdout, stderr, error } = spawnSync("openssl", args, { input, cwd, maxBuffer: 16_777_216 });
  if (status !== 0) throw new Error(`openssl ${args.join(" ")}: ${stderr ?? error}`);
  return stdout;
}

/** A self-signed certificate in PEM format; P-256 unless `args` say otherwise. */
export function makeCertificate(args: readonly string[], subject: string): string {
  const folder = mkdtempSync(join(tmpdir(), "countersign-certificate-"));
  const key = args.includes("-newkey") ? [] : ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
  try {
    const request = ["req", "-x509", "-nodes", "-utf8", "-days", "30", "-keyout", join(folder, "key.pem"), "-subj", subject];
    return openssl([...request, ...key, ...args]).toString();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
