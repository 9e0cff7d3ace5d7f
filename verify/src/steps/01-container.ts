import { MAX_UNPACKED_BYTES, type NamedFile, namesFault } from "@countersign/evidence";
import { BundleRejected, type Files, type StepResult, toFileMap } from "../step.ts";

/** Only known file names, each once. Metadata of the zip itself, such as times, is not signed and proves nothing. */
export function checkContainer(files: readonly NamedFile[]): StepResult<Files> {
  const fault = namesFault(files.map(({ name }) => name));
  if (fault !== null) throw new BundleRejected(fault.name, fault.reason);
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > MAX_UNPACKED_BYTES) throw new BundleRejected("the bundle", "holds more than 1 GiB");
  return { value: toFileMap(files), says: `${files.length} files, ${size} bytes` };
}
