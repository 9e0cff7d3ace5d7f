import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A real file system of this size, or null if this machine does not allow one. */
export function mountedDisk(size: string): string | null {
  const folder = mkdtempSync(join(tmpdir(), "countersign-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
    return folder;
  } catch {
    rmSync(folder, { recursive: true });
    process.stdout.write("tests with a full disk: not run, file systems cannot be mounted here\n");
    return null;
  }
}

export function unmountDisk(folder: string): void {
  execFileSync("umount", ["-l", folder]);
  rmSync(folder, { recursive: true });
}
