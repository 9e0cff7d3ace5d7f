import { TEST_MARK } from "@countersign/evidence";
import type { PdfPool } from "@countersign/pdf/pool";
import { isId, isSandbox } from "../shared/ids.ts";

/**
 * The same pool, which prints on every page that it makes for a sandbox that it is a test. Pages come from uploads, signature pages and our own
 * documents alone; all that is made from these keeps their pages. Each job is queued under its organization, so none can forget it.
 */
export const labelSandboxes = (pool: PdfPool): PdfPool => ({
  ...pool,
  ingest: (source, request, turn) => pool.ingest(source, { ...request, ...labelFor(turn) }, turn),
  ingestToFile: (source, request, turn) => pool.ingestToFile(source, { ...request, ...labelFor(turn) }, turn),
  prepare: (source, request, turn) => pool.prepare(source, { ...request, ...labelFor(turn) }, turn),
  typeset: (model, turn) => pool.typeset(model, turn, labelFor(turn).label),
});

const labelFor = ({ key = "" }: { readonly key?: string } = {}): { readonly label?: string } =>
  isId("org", key) && isSandbox(key) ? { label: TEST_MARK } : {};
