import { PdfBusy } from "@countersign/pdf/pool";
import { DatabaseAway } from "../db/errors.ts";
import { expiryOf } from "./bought-seal.ts";
import { type SealDeps, SealUnavailable } from "./seal.ts";
import { testSeal } from "./self-test.ts";

// Strangers may ask as often as they like; what failed is tried this often, and what passed never again.
const FAILURE_REMEMBERED_MS = 30_000;

/**
 * The check of readiness: a test seal, made when first asked. Never throws: whatever is wrong is a reason, and goes to `onFailure`
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
        // A database that is away is another check's matter, and over as soon as it is back; so are threads with other work, or none any more.
        const elsewhere = error instanceof DatabaseAway || error instanceof PdfBusy;
        entry.until = elsewhere ? 0 : now() + FAILURE_REMEMBERED_MS;
        if (!elsewhere) onFailure(error);
        return sentenceFor(error);
      },
    );
    const entry = { until: Number.POSITIVE_INFINITY, reason };
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
