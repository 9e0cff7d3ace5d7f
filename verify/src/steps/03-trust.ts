import type { X509Certificate } from "node:crypto";
import { fingerprintOf, isSignedByRoot, readPem, type TrustKeys } from "@countersign/evidence";
import { BundleRejected, type Files, fileOf, type Options, type StepResult } from "../step.ts";

export type Trust = { readonly keys: TrustKeys; readonly root: X509Certificate; readonly seal: readonly X509Certificate[] };

/** The root signed the list of keys; and if the reader pinned a root, this is that root. */
export function checkTrust(files: Files, keys: TrustKeys, options: Options): StepResult<Trust> {
  const [root, ...more] = readPem(fileOf(files, "trust/root.crt")) ?? [];
  if (root === undefined || more.length > 0) throw new BundleRejected("trust/root.crt", "is not a single certificate in PEM format");
  const seal = readPem(fileOf(files, "trust/seal.pem"));
  if (seal === null) throw new BundleRejected("trust/seal.pem", "does not contain certificates in PEM format");
  const found = fingerprintOf(root);
  if (!root.ca || !root.verify(root.publicKey))
    throw new BundleRejected("trust/root.crt", "is not a root certificate: it is not self-signed or is not a CA");
  const signed = { bytes: fileOf(files, "trust/keys.json"), signature: fileOf(files, "trust/keys.sig") };
  if (!isSignedByRoot(signed, root) || keys.root_sha256 !== found)
    throw new BundleRejected("trust/keys.sig", "is not the root's signature of trust/keys.json");
  if (options.root !== null && options.root !== found)
    throw new BundleRejected("trust/root.crt", `has the hash ${found}, but --root is ${options.root}`);
  const pinned = options.root === null ? "not pinned" : "as pinned with --root";
  return { value: { keys, root, seal }, says: `root ${found}, ${pinned}` };
}
