import { PdfBusy } from "@countersign/pdf/pool";
import { DatabaseAway } from "../db/errors.ts";
import { expiryOf } from "./p12-seal.ts";
import { type SealDeps, SealUnavailable } from "./seal.ts";
import { testSeal } from "./self-test.ts";

// Anyone can request readiness as often as they like. A failed test is repeated after this time, a passed one never, unless a signer on
// another machine took part, which may be unavailable later.
const FAILURE_REMEMBERED_MS = 30_000;
const SIGNER_REMEMBERED_MS = 60_000;

/**
 * The readiness check of seals: a test seal, made on the first request. Never throws: every failure is a reason, and goes to `onFailure`
 * with its cause.
 */
export function sealReadiness(
  deps: SealDeps,
  onFailure: (error: unknown) => void,
  now: () => number = Date.now,
): () => Promise<string | null> {
  let latest: { until: number; readonly reason: Promise<string | null> } | null = null;
  const test = (): NonNullable<typeof latest> => {
    const reason = testSeal(deps).then(
      () => null,
      (error: unknown) => {
        // An unavailable database has its own check and may recover at any time; the same goes for busy or stopped PDF threads.
        const isTemporary = error instanceof DatabaseAway || error instanceof PdfBusy;
        entry.until = isTemporary ? 0 : now() + FAILURE_REMEMBERED_MS;
        if (!isTemporary) onFailure(error);
        return sentenceFor(error);
      },
    );
    const entry = { until: deps.signer === null ? Number.POSITIVE_INFINITY : now() + SIGNER_REMEMBERED_MS, reason };
    return entry;
  };
  return async () => {
    if (latest === null || latest.until <= now()) latest = test();
    return (await latest.reason) ?? (deps.bought === null ? null : expiryOf(deps.bought, new Date(now())));
  };
}

function sentenceFor(error: unknown): string {
  if (error instanceof SealUnavailable) return error.message;
  if (error instanceof DatabaseAway) return "unknown while the database is away";
  return error instanceof PdfBusy ? "unknown while the PDF threads are busy" : "the test seal failed; see the log";
}
