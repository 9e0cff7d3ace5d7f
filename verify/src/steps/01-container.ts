import { canonicalValue, MAX_UNPACKED_BYTES, type NamedFile, names2Fault, namesFault } from "@countersign/evidence";
import { BundleRejected, type Files, type StepResult, toFileMap } from "../step.ts";

/** Only known file names, each once. Metadata of the zip itself, such as times, is not signed and proves nothing. */
export function checkContainer(files: readonly NamedFile[]): StepResult<Files> {
  const names = files.map(({ name }) => name);
  const fault = isBundle2(files) ? names2Fault(names) : namesFault(names);
  if (fault !== null) throw new BundleRejected(fault.name, fault.reason);
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > MAX_UNPACKED_BYTES) throw new BundleRejected("the bundle", "holds more than 1 GiB");
  return { value: toFileMap(files), says: `${files.length} files, ${size} bytes` };
}

// Which files there may be depends on the version of the bundle, which its manifest says. Whether it is a manifest is the next step.
function isBundle2(files: readonly NamedFile[]): boolean {
  const manifest = files.find(({ name }) => name === "manifest.json");
  const value = manifest === undefined ? undefined : canonicalValue(manifest.bytes);
  return (Object(value) as { type?: unknown }).type === "countersign/manifest/2";
}
