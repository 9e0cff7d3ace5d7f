import type { Db } from "../db/connect.ts";
import { TIME_STAMP_TIMEOUT_MS, timeStampRoots } from "./ask-time-stamp.ts";
import { openBoughtSeal } from "./bought-seal.ts";
import type { SealDeps } from "./seal.ts";

interface SealSettings {
  readonly p12: Parameters<typeof openBoughtSeal>[0] | null;
  readonly tsaUrl: string | null;
  readonly tsaRoots: string | null;
}

/** Throws SealSettingRefused if a setting is invalid. */
export function buildSeals({ p12, tsaUrl, tsaRoots }: SealSettings, sealKey: Uint8Array, db: Db, pdf: SealDeps["pdf"]): SealDeps {
  const bought = p12 === null ? null : openBoughtSeal(p12, new Date());
  return { db, pdf, sealKey, bought, timeStamps: { url: tsaUrl, roots: timeStampRoots(tsaRoots), timeout_ms: TIME_STAMP_TIMEOUT_MS } };
}
