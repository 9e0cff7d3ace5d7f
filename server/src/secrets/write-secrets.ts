import { chownSync, closeSync, fsyncSync, openSync, renameSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { AppSecrets } from "../shared/secrets.ts";

/** Replaces the file at once: after a crash it has the old or the new content, and is on the disk before anything is encrypted under it. */
export function writeSecrets(file: string, secrets: AppSecrets): void {
  const text = secrets.map(({ version, secret }) => `${version}:${secret}\n`).join("");
  const next = `${file}.next`;
  writeFileSync(next, text, { mode: 0o600, flush: true });
  // A command that root runs must leave the file to the login of the service.
  const { uid, gid } = statSync(file);
  const own = statSync(next);
  if (own.uid !== uid || own.gid !== gid) chownSync(next, uid, gid);
  renameSync(next, file);
  const folder = openSync(dirname(file), "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
