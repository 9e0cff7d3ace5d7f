import {
  documentNames,
  isSigned,
  type Manifest,
  type Manifest2,
  manifestFault,
  readManifest,
  readManifest2,
  readTrustKeys,
  recordsKeyAt,
  sha512Fault,
  type TrustKeys,
} from "@countersign/evidence";
import { BundleRejected, type Files, fileOf, type StepResult } from "../step.ts";

export type AnyManifest = Manifest | Manifest2;
export const isManifest2 = (manifest: AnyManifest): manifest is Manifest2 => manifest.type === "countersign/manifest/2";

/** Every file has the hash that was signed, and there are no others. The next step checks who signed. */
export function checkManifest(files: Files): StepResult<{ manifest: AnyManifest; keys: TrustKeys }> {
  const bytes = fileOf(files, "manifest.json");
  const manifest = readManifest2(bytes) ?? readManifest(bytes);
  if (manifest === null) throw new BundleRejected("manifest.json", "is not a manifest in canonical form");
  const keys = readTrustKeys(fileOf(files, "trust/keys.json"));
  if (keys === null) throw new BundleRejected("trust/keys.json", "is not a list of keys in canonical form");
  const key = recordsKeyAt(keys, manifest.key_id, manifest.created_at);
  if (key === null) throw new BundleRejected("manifest.json", `key ${manifest.key_id} was not valid at ${manifest.created_at}`);
  if (!isSigned({ bytes, signature: fileOf(files, "manifest.sig") }, key))
    throw new BundleRejected("manifest.sig", "is not the signature of manifest.json");
  const listed = [...files].map(([name, content]) => ({ name, bytes: content }));
  const fault = manifestFault(manifest, listed) ?? (isManifest2(manifest) ? sha512Fault(manifest, listed) : null);
  if (fault !== null) throw new BundleRejected(fault.name, fault.reason);
  if (!files.has(documentNames[manifest.kind]))
    throw new BundleRejected("manifest.json", `a bundle of kind ${manifest.kind} must contain ${documentNames[manifest.kind]}`);
  return { value: { manifest, keys }, says: `${manifest.files.length} files as listed, signed ${manifest.created_at}` };
}
