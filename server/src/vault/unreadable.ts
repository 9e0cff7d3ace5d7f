import { NotAPdf, PdfBusy, UnreadablePdf } from "@countersign/pdf/pool";
import type { OrgId } from "../shared/ids.ts";

/** The turn of work that no one waits for at a screen. */
export const background = (org: OrgId) => ({ key: org, priority: "background" }) as const;

/**
 * A file that cannot be opened is a finding. A time-out is not: the file was opened when it was received, so the machine is busy, and a
 * certificate would permanently record a failure.
 */
export function unreadable(error: unknown): null {
  if (error instanceof UnreadablePdf && error.fault === "too_complex") throw new PdfBusy(error.message, { cause: error });
  if (error instanceof NotAPdf || error instanceof UnreadablePdf) return null;
  throw error;
}
