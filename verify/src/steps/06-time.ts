import { createHash } from "node:crypto";
import { fingerprintOf, isInWindow, readPem, SELF_OPERATED } from "@countersign/evidence";
import { checkTimestamp } from "@countersign/pdf";
import { BundleRejected, type Files, fileOf, type Options, type StepResult } from "../step.ts";
import type { Trust } from "./03-trust.ts";
import type { Logged } from "./05-log.ts";

const TOKEN = "checkpoints/vaulted.tst";

/** The time at which an external authority saw the checkpoint; null if none was asked, which the output then says. */
export function checkTime(files: Files, { keys }: Trust, { stored }: Logged, options: Options): StepResult<string | null> {
  const token = files.get(TOKEN);
  if (token === undefined) return { value: null, says: "self-operated", notes: [SELF_OPERATED] };
  const bytes = fileOf(files, "checkpoints/vaulted.json");
  const roots = options.tsa_roots ?? listedRoots(files, keys.tsa_roots);
  const { at, intact, trusted, fault } = checkTimestamp(token, (hash) => createHash(hash).update(bytes).digest(), roots);
  if (!intact || !trusted || at === null)
    throw new BundleRejected(TOKEN, `is not a valid time stamp of checkpoints/vaulted.json: ${fault ?? "unreadable"}`);
  if (!isInWindow(at, stored.at))
    throw new BundleRejected(TOKEN, `its time, ${at}, is too far from the time of entry ${stored.seq}, ${stored.at}`, stored.seq);
  const notes =
    options.tsa_roots === null
      ? ["The time-stamp authority is the one that the installation lists. Use --tsa-ca to trust only authorities that you choose."]
      : [];
  return { value: at, says: `time stamp of ${at}`, notes };
}

function listedRoots(files: Files, listed: readonly string[]): Uint8Array[] {
  const roots = readPem(fileOf(files, "trust/tsa.pem"));
  if (roots === null) throw new BundleRejected("trust/tsa.pem", "does not contain certificates in PEM format");
  if (!roots.every((root) => listed.includes(fingerprintOf(root))))
    throw new BundleRejected("trust/tsa.pem", "contains a certificate that trust/keys.json does not list");
  return roots.map(({ raw }) => raw);
}
