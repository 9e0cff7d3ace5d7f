import type { Facts } from "../../../facts.ts";
import type { Check } from "./check.ts";
import { AGAIN, type Condition, counted, dateOf, failed, judgeBy, nameOf, requiredSigners } from "./wording.ts";

export const copiesAndRetention: Check = {
  number: 7,
  id: "copies_and_retention",
  weight: 12,
  legal_reference: "UCC 9-105(b)(5); UETA 12",
  requirement: "Every copy is marked as a copy, and the record is retained, locked and retrievable.",
  judge: (facts) =>
    judgeBy(facts, [isEveryCopyMarked, isRetained, isLocked, isCopyable, bySource[facts.source]], ({ copies, copy }) => {
      const until = dateOf(copy?.retention_until ?? "");
      const lock = copy?.lock?.kind === "object_lock" ? "object lock" : "application lock";
      return `${counted(copies.length, "copy", "copies")} issued, all marked; retained and locked until ${until} (${lock}).`;
    }),
};

const DAY_MS = 86_400_000;
const EXTEND = `Extend retention or lock, ${AGAIN}.`;
const RESTORE = `Restore the file, ${AGAIN}.`;

const noCopy = (reason: string) => failed(`No copy could be produced: ${reason}.`, RESTORE);

const isEveryCopyMarked: Condition = ({ copies, document }) => {
  const unmarked = copies.find(({ pages, marked_pages }) => marked_pages < Math.max(pages, document?.pages ?? 0));
  if (unmarked === undefined) return null;
  return failed(`Copy ${unmarked.copy_id} was issued without the mark.`, "An unmarked copy cannot be recalled, only reported.");
};

const isRetained: Condition = ({ copy, org }) => {
  if (copy === null) return failed("No copy could be produced: no authoritative copy is stored.", "Vault the envelope.");
  const least_ms = Date.parse(copy.stored_at) + org.min_retention_days * DAY_MS;
  if (Date.parse(copy.retention_until) >= least_ms) return null;
  return failed(`The retention date ${dateOf(copy.retention_until)} is before the organization's minimum ${dateText(least_ms)}.`, EXTEND);
};

// Beyond the calendar there is no date to name; such a minimum is never met.
const dateText = (ms: number): string => (Math.abs(ms) <= 8.64e15 ? dateOf(new Date(ms).toISOString()) : "date");

const isLocked: Condition = ({ copy }) => {
  const lock = copy?.lock ?? null;
  if (lock === null) return failed("The stored record is not locked.", EXTEND);
  if (lock.until >= (copy?.retention_until ?? "")) return null;
  return failed(`The storage lock ends on ${dateOf(lock.until)}, before the retention date.`, EXTEND);
};

const isCopyable: Condition = ({ rendition }) => {
  if (rendition === null) return noCopy("none was made");
  if (rendition.fault !== null) return noCopy(rendition.fault);
  if (rendition.pages < 1) return noCopy("it has no page");
  const unmarked = rendition.pages - rendition.marked_pages;
  return unmarked <= 0 ? null : noCopy(`${counted(unmarked, "page does", "pages do")} not hold the mark`);
};

const isOpenToSigners: Condition = (facts) => {
  const shut = requiredSigners(facts).find(({ link_opens }) => link_opens !== true);
  return shut === undefined ? null : failed(`${nameOf(shut)} cannot retrieve a copy.`, `Renew the link, ${AGAIN}.`);
};

const isEvidenceThere: Condition = ({ attestation, evidence_file }) => {
  const named = attestation?.external?.evidence_sha256 ?? evidence_file?.sha256 ?? null;
  if (named === null || evidence_file?.found_sha256 === named) return null;
  return failed("The evidence file is missing.", RESTORE);
};

const isScanThere: Condition = ({ document, rendition }) => {
  if (document === null || document.found_sha256 !== document.hash) return failed("The stored file is missing.", RESTORE);
  if (rendition?.pages === document.found_pages) return null;
  return noCopy(`it has ${counted(rendition?.pages ?? 0, "page", "pages")}, the stored file ${document.found_pages ?? 0}`);
};

const bySource: Record<Facts["source"], Condition> = {
  signed_here: isOpenToSigners,
  electronic_signed: isEvidenceThere,
  paper_upload: isScanThere,
};
