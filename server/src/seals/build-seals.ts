import type { Db } from "../db/connect.ts";
import type { MayLeave } from "../shared/departures.ts";
import { trackOutcomes } from "../shared/outcomes.ts";
import type { KeyRing } from "../shared/secrets.ts";
import { TIME_STAMP_TIMEOUT_MS, timeStampRoots } from "./ask-time-stamp.ts";
import { httpSigner, type SignerSettings } from "./http-signer.ts";
import type { HighestLevel } from "./level.ts";
import { buildLongTerm } from "./long-term.ts";
import { openP12Seal } from "./p12-seal.ts";
import { publishRevocationList } from "./publish-revocation-list.ts";
import type { SealDeps } from "./seal.ts";

interface SealSettings {
  readonly signer: SignerSettings | null;
  readonly p12: Parameters<typeof openP12Seal>[0] | null;
  readonly tsaUrl: string | null;
  readonly tsaRoots: string | null;
  readonly highestLevel: HighestLevel;
}

/** Throws SealSettingRefused if a setting is invalid. */
export function buildSeals(
  { p12, signer, tsaUrl, tsaRoots, highestLevel }: SealSettings,
  sealKey: KeyRing,
  db: Db,
  pdf: SealDeps["pdf"],
  localMode: boolean,
  mayLeave: MayLeave,
): SealDeps {
  const bought = p12 === null ? null : openP12Seal(p12, new Date());
  const timeStamps = {
    mayLeave,
    url: tsaUrl,
    roots: timeStampRoots(tsaRoots),
    timeout_ms: TIME_STAMP_TIMEOUT_MS,
    outcomes: trackOutcomes(),
  };
  const keys = { db, sealKey, signer: signer === null ? null : httpSigner(signer) };
  const longTerm = buildLongTerm(highestLevel, localMode, publishRevocationList(keys), mayLeave);
  return { ...keys, pdf, bought, timeStamps, longTerm };
}
