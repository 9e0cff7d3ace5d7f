// What is recorded about the authoritative copy itself, its copies and its amendments.

import { COPY_MARK } from "../../../copy-mark.ts";
import type { CopyFacts2, CopyState2, Facts2 } from "../../../facts-2.ts";
import { counted, entriesOf } from "../../1/checks/wording.ts";
import { hasKnownRevisions } from "../checks/06-audit-trail.ts";
import { attested } from "../checks/check.ts";
import { memberOf } from "../control.ts";
import type { Finding } from "./annex.ts";
import { byChecks, found, NOT_STORED, notShown, seqsOf, type Told, weakestFinding } from "./clause.ts";

const STORING = ["chain.imported", "vault.stored"];
const LEAVING = [
  "vault.exported",
  "vault.transferred",
  "vault.transfer_refused",
  "vault.recovered",
  "vault.papered",
  "vault.destruction_begun",
  "vault.destroyed",
];

/** One copy, told apart by its id and its hash. */
export function singleCopy(told: Told): Finding {
  const { facts } = told;
  const entries = seqsOf(facts, ...STORING, ...LEAVING, "duplicate.reviewed");
  return byChecks(told, ["single_authoritative_copy", "tamper_evident_record"], copyWords(facts), entries);
}

function copyWords({ copy }: Facts2): string {
  if (copy === null) return NOT_STORED;
  const which = `The authoritative copy on record is ${copy.copy_id} with SHA-256 ${copy.sha256}`;
  return `${which}; ${stateWords[copy.state]}. ${readWords(copy)}`;
}

const stateWords: Readonly<Record<CopyState2, string>> = {
  active: "it is in this vault",
  escrowed: "it is in this vault while an export is under way",
  exported: "it left this vault by an export",
  tampered: "it was found altered",
  destroying: "its files are being removed",
  destroyed: "it was destroyed",
  transferred: "it left this vault for another vault",
  papering: "it is in this vault while it is being replaced by paper",
  papered: "it was replaced by paper",
};

function readWords({ read_at, sha256, found_sha256 }: CopyFacts2): string {
  if (found_sha256 === sha256) return `Bytes with this hash were read from storage at ${read_at}.`;
  return found_sha256 === null
    ? `No such bytes were in storage at ${read_at}.`
    : `The bytes in storage at ${read_at} had the SHA-256 ${found_sha256}.`;
}

/** Whether those who get a copy can see that it is one. */
export function markedCopies({ facts }: Told): Finding {
  const { copy, copies, document, rendition, issued_before } = facts;
  if (copy === null) return notShown(NOT_STORED, NOT_STORED);
  const ids = copies.map(({ copy_id }) => copy_id);
  const entries = entriesOf(facts, "copy.issued").filter(({ said }) => ids.includes(memberOf(said, "copy_id") ?? ""));
  const seqs = entries.map(({ seq }) => seq);
  const unmarked = copies.filter(({ pages, marked_pages }) => marked_pages < Math.max(pages, document?.pages ?? 0));
  const sentences = [
    copies.length === 0
      ? "No copy is on record as issued."
      : `${counted(copies.length, "copy is", "copies are")} on record as issued; ${counted(copies.length - unmarked.length, "has", "have")} the mark “${COPY_MARK}” on every page.`,
    ...(rendition === null || rendition.fault !== null || rendition.pages < 1
      ? []
      : [
          `A copy that was made for this evaluation has the mark on ${rendition.marked_pages} of ${counted(rendition.pages, "page", "pages")}.`,
        ]),
    ...(issued_before === 0
      ? []
      : [`Before the record was vaulted, ${counted(issued_before, "signed PDF was", "signed PDFs were")} handed out without the mark.`]),
  ];
  const fact = sentences.join(" ");
  const isUnmarked = rendition !== null && rendition.fault === null && rendition.marked_pages < rendition.pages;
  if (unmarked.length > 0 || isUnmarked) return notShown(fact, "A copy without the mark was made.", seqs);
  return found(fact, attested("This service counted the marks when it made each copy."), seqs);
}

/** The seal names the authoritative copy; every other rendition has the mark. */
export function tellingCopiesApart(told: Told): Finding {
  const { facts } = told;
  const { copy, seal } = facts;
  if (copy === null) return notShown(NOT_STORED, NOT_STORED);
  const fact = seal?.valid === true ? `The seal of the authoritative copy says “${seal.reason}”.` : "The seal of the copy is not valid.";
  const sealed = byChecks(told, ["tamper_evident_record"], fact, seqsOf(facts, ...STORING));
  const copies = markedCopies(told);
  const { grade, reason } = weakestFinding(sealed, copies);
  return {
    fact: `${fact} ${copies.fact}`,
    grade,
    reason,
    entries: [...new Set([...sealed.entries, ...copies.entries])].sort((a, b) => a - b),
  };
}

/** Whether a change of the document would show. */
export function amendments(told: Told): Finding {
  const { facts } = told;
  const { copy, seal } = facts;
  if (copy === null) return notShown(NOT_STORED, NOT_STORED);
  const entries = seqsOf(facts, ...STORING, "document.record_mismatch");
  const fact = `No amendment of the document is recorded. ${readWords(copy)} The seal ${seal?.valid === true ? "is valid and covers the document" : "is not valid"}.`;
  const unknown = hasKnownRevisions(facts);
  return unknown === null ? byChecks(told, ["tamper_evident_record"], fact, entries) : notShown(fact, unknown.detail, entries);
}
