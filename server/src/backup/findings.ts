import { StoreUnavailable } from "../storage/blob-store.ts";
import { BackupRefused } from "./backup.ts";

export interface Finding {
  readonly check: string;
  /** `not checked`: nothing is known, and `says` tells why */
  readonly result: "ok" | "failed" | "not checked";
  readonly says: string;
}

/** A check that found something wrong. */
export class Wrong extends Error {}
/** A check that could not be made. */
export class Unknown extends Error {}

export async function finding(check: string, run: () => Promise<string>): Promise<Finding> {
  try {
    return { check, result: "ok", says: await run() };
  } catch (error) {
    if (error instanceof Unknown) return { check, result: "not checked", says: error.message };
    if (error instanceof StoreUnavailable)
      return { check, result: "failed", says: `the document store is not available: ${error.message}` };
    if (error instanceof Wrong || error instanceof BackupRefused) return { check, result: "failed", says: error.message };
    throw error;
  }
}
