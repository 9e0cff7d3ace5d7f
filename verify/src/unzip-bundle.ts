import { BadZip, type NamedFile, readZip } from "@countersign/evidence";
import { BundleRejected } from "./step.ts";

/** Throws BundleRejected if this is not the zip file of a bundle. */
export function unzipBundle(bytes: Uint8Array): NamedFile[] {
  try {
    return readZip(bytes);
  } catch (error) {
    if (error instanceof BadZip) throw new BundleRejected("the zip file", error.message);
    throw error;
  }
}
