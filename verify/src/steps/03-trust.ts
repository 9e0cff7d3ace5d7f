import type { X509Certificate } from "node:crypto";
import { fingerprintOf, isSealFile, isSignedByRoot, readPem, readRoots, sealFile, type TrustKeys, walkRoots } from "@countersign/evidence";
import { BundleRejected, type Files, fileOf, type Options, type StepResult } from "../step.ts";

export type Trust = {
  readonly keys: TrustKeys;
  readonly root: X509Certificate;
  /** of each certificate that sealed a file: itself first, then its issuers */
  readonly seals: readonly (readonly X509Certificate[])[];
  /** The root is the one that the reader pinned, or follows it as both signed. */
  readonly pinned: boolean;
  /** DER; time-stamp authorities that the reader or the installation trusts, for the time stamps inside PDFs */
  readonly tsa_roots: readonly Uint8Array[];
};

/** The root signed the list of keys; and if the reader pinned a root, this is that root or one that follows it. */
export function checkTrust(files: Files, keys: TrustKeys, options: Options): StepResult<Trust> {
  const [root, ...more] = readPem(fileOf(files, "trust/root.crt")) ?? [];
  if (root === undefined || more.length > 0) throw new BundleRejected("trust/root.crt", "is not a single certificate in PEM format");
  const seals = readSeals(files);
  const found = fingerprintOf(root);
  if (!root.ca || !root.verify(root.publicKey))
    throw new BundleRejected("trust/root.crt", "is not a root certificate: it is not self-signed or is not a CA");
  const signed = { bytes: fileOf(files, "trust/keys.json"), signature: fileOf(files, "trust/keys.sig") };
  if (!isSignedByRoot(signed, root) || keys.root_sha256 !== found)
    throw new BundleRejected("trust/keys.sig", "is not the root's signature of trust/keys.json");
  const { pinned, says, notes = [] } = comparePinned(files, keys, found, options.root);
  const tsa_roots = options.tsa_roots ?? listedAuthorities(files, keys);
  return { value: { keys, root, seals, pinned, tsa_roots }, says: `root ${found}, ${says}`, notes };
}

type Compared = { readonly pinned: boolean; readonly says: string; readonly notes?: readonly string[] };

function comparePinned(files: Files, keys: TrustKeys, found: string, pinned: string | null): Compared {
  const walked = walkFrom(files, keys, found, pinned ?? found);
  if (pinned === null) return { pinned: false, says: "not pinned" };
  if (pinned === found) return { pinned: true, says: "as pinned with --root" };
  if (walked?.kind === "proven")
    return { pinned: true, says: `${walked.steps === 1 ? "which follows" : `${walked.steps} roots after`} the one pinned with --root` };
  if (walked?.kind === "unproven")
    return { pinned: false, says: "which does not provably follow the one pinned with --root", notes: [walked.reason] };
  throw new BundleRejected("trust/root.crt", `has the hash ${found}, but --root is ${pinned}`);
}

/** Null if the root was never replaced. The list is checked whole, whatever root the reader knows. */
function walkFrom(files: Files, keys: TrustKeys, found: string, from: string): ReturnType<typeof walkRoots> | null {
  const bytes = files.get("trust/roots.json");
  if (bytes === undefined) return null;
  const roots = readRoots(bytes);
  if (roots === null) throw new BundleRejected("trust/roots.json", "is not a list of roots in canonical form");
  if (keys.type === "countersign/keys/1" || keys.roots.length !== roots.certificates.length)
    throw new BundleRejected("trust/roots.json", "does not contain the roots that trust/keys.json lists");
  const walked = walkRoots(roots, from, found);
  if (walked.kind === "broken") throw new BundleRejected("trust/roots.json", walked.reason);
  return walked;
}

/** One chain in a bundle 1, and one file for each certificate, named by its hash, in a bundle 2. */
function readSeals(files: Files): X509Certificate[][] {
  const names = [...files.keys()].filter((name) => name === "trust/seal.pem" || isSealFile(name));
  return names.map((name) => {
    const chain = readPem(fileOf(files, name));
    if (chain === null) throw new BundleRejected(name, "does not contain certificates in PEM format");
    if (isSealFile(name) && name !== sealFile(fingerprintOf(chain[0] as X509Certificate))) {
      throw new BundleRejected(name, "is not named by the hash of its certificate");
    }
    return chain;
  });
}

/** Step 6 rejects a file that lists others. */
function listedAuthorities(files: Files, { tsa_roots }: TrustKeys): Uint8Array[] {
  const found = readPem(files.get("trust/tsa.pem") ?? new Uint8Array()) ?? [];
  return found.filter((each) => tsa_roots.includes(fingerprintOf(each))).map(({ raw }) => raw);
}
