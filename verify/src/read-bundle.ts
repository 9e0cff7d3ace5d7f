import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isFileName, MAX_UNPACKED_BYTES, type NamedFile } from "@countersign/evidence";
import { BundleRejected } from "./step.ts";
import { unzipBundle } from "./unzip-bundle.ts";

export { unzipBundle };

// The unpacked files, plus 16 MiB for the headers and the directory of the zip file.
const MAX_ZIP_BYTES = MAX_UNPACKED_BYTES + 16_777_216;

/**
 * Reads the files of a bundle from a zip file, or from a folder with the unpacked zip. Throws BundleRejected if the path is neither;
 * file-system errors such as ENOENT are passed on.
 */
export function readBundle(path: string): NamedFile[] {
  const stat = lstatSync(path);
  if (stat.isDirectory()) return readFolder(path, "", { left: MAX_UNPACKED_BYTES });
  if (!stat.isFile() || stat.size > MAX_ZIP_BYTES) throw new BundleRejected(path, "is neither a folder nor a zip file of at most 1 GiB");
  return unzipBundle(readFileSync(path));
}

// Reads only folders and regular files. A symbolic link could point anywhere, and reading a special file might never end.
function readFolder(root: string, under: string, budget: { left: number }): NamedFile[] {
  return readdirSync(join(root, under), { withFileTypes: true }).flatMap((item) => {
    const name = under === "" ? item.name : `${under}/${item.name}`;
    if (!isFileName(name)) throw new BundleRejected(name, "is not a file of a bundle");
    if (item.isDirectory()) return readFolder(root, name, budget);
    if (!item.isFile()) throw new BundleRejected(name, "is neither a file nor a folder");
    budget.left -= lstatSync(join(root, name)).size;
    if (budget.left < 0) throw new BundleRejected(name, "brings the bundle to more than 1 GiB");
    return [{ name, bytes: readFileSync(join(root, name)) }];
  });
}
