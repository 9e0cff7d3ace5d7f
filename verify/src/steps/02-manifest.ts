import {
  documentNames,
  isSigned,
  type Manifest,
  manifestFault,
  readManifest,
  readTrustKeys,
  recordsKeyAt,
  type TrustKeys,
} from "@countersign/evidence";
import { BundleRejected, type Files, fileOf, type StepResult } from "../step.ts";

/** Every file has the hash that was signed, and there are no others. The next step checks who signed. */
export function checkManifest(files: Files): StepResult<{ manifest: Manifest; keys: TrustKeys }> {
  const bytes = fileOf(files, "manifest.json");
  const manifest = readManifest(bytes);
  if (manifest === null) throw new BundleRejected("manifest.json", "is not a manifest in canonical form");
  const keys = readTrustKeys(fileOf(files, "trust/keys.json"));
  if (keys === null) throw new BundleRejected("trust/keys.json", "is not a list of keys in canonical form");
  const key = recordsKeyAt(keys, manifest.key_id, manifest.created_at);
  if (key === null) throw new BundleRejected("manifest.json", `key ${manifest.key_id} was not valid at ${manifest.created_at}`);
  if (!isSigned({ bytes, signature: fileOf(files, "manifest.sig") }, key))
    throw new BundleRejected("manifest.sig", "is not the signature of manifest.json");
  const fault = manifestFault(
    manifest,
    [...files].map(([name, content]) => ({ name, bytes: content })),
  );
  if (fault !== null) throw new BundleRejected(fault.name, fault.reason);
  if (!files.has(documentNames[manifest.kind]))
    throw new BundleRejected("manifest.json", `a bundle of kind ${manifest.kind} must contain ${documentNames[manifest.kind]}`);
  return { value: { manifest, keys }, says: `${manifest.files.length} files as listed, signed ${manifest.created_at}` };
}
