// Several documents in one envelope: what the facts say about them is what the chain says.

import { canonicalize, type Json } from "../../canonical.ts";
import type { Facts2, PartFacts } from "../../facts-2.ts";
import type { Milestone } from "../../milestones.ts";
import { preparedDocument } from "../../signed-content.ts";
import type { Contradiction } from "../1/facts-against-chain.ts";

/** The list of documents, their pages and their own sealed PDFs. What was erased agrees with anything. */
export function documentContradiction({ documents = [], document, chain }: Facts2): Contradiction | null {
  const prepared = chain.milestones.find(({ type }) => type === "document.prepared");
  if (prepared?.said === null) return null;
  const told = prepared?.said.documents ?? [];
  if (canonicalize(told) !== canonicalize(documents.map(preparedDocument))) {
    return { what: "the documents of the envelope", seq: prepared?.seq ?? null };
  }
  if (!areAdjacent(documents) || (documents.length > 0 && document !== null && pagesOf(documents) !== document.pages)) {
    return { what: "the pages of the documents", seq: prepared?.seq ?? null };
  }
  return partContradiction(documents, chain.milestones);
}

const pagesOf = (documents: readonly PartFacts[]): number => documents.reduce((sum, { pages }) => sum + pages, 0);

/** They are numbered from 1 and leave no page between them. */
const areAdjacent = (documents: readonly PartFacts[]): boolean =>
  documents.every(
    ({ document_no, first_page }, index) => document_no === index + 1 && first_page === pagesOf(documents.slice(0, index)) + 1,
  );

function partContradiction(documents: readonly PartFacts[], milestones: readonly Milestone[]): Contradiction | null {
  const sealed = milestones.filter(({ type, said }) => type === "document.part_sealed" && said !== null);
  for (const { document_no, part_sha256 } of documents) {
    const entries = sealed.filter(({ said }) => said?.document_no === document_no);
    const hash: Json = entries[0]?.said?.sha256 ?? null;
    if (hash !== part_sha256 || entries.length > 1)
      return { what: `the sealed PDF of document ${document_no}`, seq: entries[0]?.seq ?? null };
  }
  const unknown = sealed.find(({ said }) => !documents.some(({ document_no }) => document_no === said?.document_no));
  return unknown === undefined ? null : { what: "the sealed PDF of a document", seq: unknown.seq };
}

/**
 * The entries without those about files that are no longer in the envelope: rules 1 know one document that was received once. Of several
 * documents, none is the one that was signed, so they are left out; rules 2 compare them.
 */
export function withOneDocument(milestones: readonly Milestone[], hasSeveral: boolean): readonly Milestone[] {
  return milestones.filter(({ type, seq, said }) => {
    if (type !== "document.received") return true;
    if (hasSeveral) return false;
    const document_id = said?.document_id;
    const isGone = (later: Milestone): boolean =>
      later.seq > seq &&
      (later.type === "document.removed" || later.type === "document.received") &&
      later.said?.document_id === document_id;
    return document_id === undefined || !milestones.some(isGone);
  });
}
