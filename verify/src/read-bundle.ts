import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { BadZip, isFileName, MAX_UNPACKED_BYTES, type NamedFile, readZip } from "@countersign/evidence";
import { Refused } from "./step.ts";

// Headers and directory of a zip file beside its content.
const MAX_ZIP_BYTES = MAX_UNPACKED_BYTES + 16_777_216;

/** The files of a bundle: a zip file, or a folder that one was unpacked into. Throws Refused for what is neither, ENOENT as it comes. */
export function readBundle(path: string): NamedFile[] {
  const stat = lstatSync(path);
  if (stat.isDirectory()) return readFolder(path, "", { left: MAX_UNPACKED_BYTES });
  if (!stat.isFile() || stat.size > MAX_ZIP_BYTES) throw new Refused(path, "is neither a folder nor a zip file of at most 1 GiB");
  return unzipped(readFileSync(path));
}

/** Throws Refused where the zip file is not one of a bundle. */
export function unzipped(bytes: Uint8Array): NamedFile[] {
  try {
    return readZip(bytes);
  } catch (error) {
    if (error instanceof BadZip) throw new Refused("the zip file", error.message);
    throw error;
  }
}

// A link could lead anywhere, and a special file never ends: only folders and plain files are looked into.
function readFolder(root: string, under: string, budget: { left: number }): NamedFile[] {
  return readdirSync(join(root, under), { withFileTypes: true }).flatMap((item) => {
    const name = under === "" ? item.name : `${under}/${item.name}`;
    if (!isFileName(name)) throw new Refused(name, "is not a file of a bundle");
    if (item.isDirectory()) return readFolder(root, name, budget);
    if (!item.isFile()) throw new Refused(name, "is neither a file nor a folder");
    budget.left -= lstatSync(join(root, name)).size;
    if (budget.left < 0) throw new Refused(name, "more than 1 GiB in all");
    return [{ name, bytes: readFileSync(join(root, name)) }];
  });
}
