import { hkdfSync } from "node:crypto";
import type { Kms } from "../kms.ts";
import { kmsOfRing } from "./local.ts";

/**
 * Wraps keys under a secret in a file of its own, for example on a volume that is mounted only for the service. Its id is derived from the
 * secret, so that the file can be moved, and another secret in the same place is noticed.
 */
export function fileKms(secret: string): Kms {
  const derive = (purpose: string, bytes: number): Buffer => Buffer.from(hkdfSync("sha256", secret, "", `countersign/${purpose}/1`, bytes));
  return kmsOfRing(`file:${derive("kms-file-id", 8).toString("hex")}`, [{ version: 1, key: derive("kms-file", 32) }]);
}
