import { MAX_UNPACKED_BYTES, type NamedFile, namesFault } from "@countersign/evidence";
import { asFiles, type Files, type Passed, Refused } from "../step.ts";

/** Known names, each once. What the container itself says, such as times, is signed by nobody and proves nothing. */
export function checkContainer(files: readonly NamedFile[]): Passed<Files> {
  const fault = namesFault(files.map(({ name }) => name));
  if (fault !== null) throw new Refused(fault.name, fault.reason);
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (size > MAX_UNPACKED_BYTES) throw new Refused("the bundle", "more than 1 GiB in all");
  return { value: asFiles(files), says: `${files.length} files, ${size} bytes` };
}
