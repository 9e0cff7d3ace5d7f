/** What a PDF of ours says about itself, on each page and in its seal. Writers, readers and verifiers use these words. */
export const COPY_MARK = "COPY, not the authoritative copy";
export const PARTIAL_MARK = "NOT ALL PARTIES HAVE SIGNED";
export const PAPER_MARK = "TO BE SIGNED ON PAPER";

export const copySealReason = (envelope_id: string): string => `Copy of ${envelope_id}, not the authoritative copy`;
export const signedSealReason = (envelope_id: string): string => `Signed document ${envelope_id}`;
export const authoritativeSealReason = (copy_id: string, envelope_id: string): string => `Authoritative copy ${copy_id} of ${envelope_id}`;

/**
 * On the own PDF of one of several documents. If there is a signature page, each of the others says so, because the signatures of people
 * without a field are there.
 */
export function partSealReason(
  envelope_id: string,
  document_no: number,
  documents: readonly { readonly document_no: number; readonly is_signature_page?: boolean }[],
): string {
  const isLast = (one: { readonly is_signature_page?: boolean }): boolean => one.is_signature_page === true;
  const own = documents.find((one) => one.document_no === document_no);
  if (own !== undefined && isLast(own)) return `Signature page, envelope ${envelope_id}`;
  const of = documents.filter((one) => !isLast(one)).length;
  const more = documents.some(isLast) ? "; signature page apart" : "";
  return `Document ${document_no} of ${of}, envelope ${envelope_id}${more}`;
}

export type SealedRendition = { readonly kind: "copy" | "signed" | "authoritative"; readonly envelope_id: string };

const ENVELOPE = "(env_[0-9a-z]{26})";

const reasons: readonly (readonly [SealedRendition["kind"], RegExp])[] = [
  ["copy", new RegExp(`^${copySealReason(ENVELOPE)}$`)],
  ["signed", new RegExp(`^${signedSealReason(ENVELOPE)}$`)],
  ["signed", new RegExp(`^(?:Document [0-9]+ of [0-9]+|Signature page), envelope ${ENVELOPE}(?:; signature page apart)?$`)],
  ["authoritative", new RegExp(`^${authoritativeSealReason("ac_[0-9a-z]{26}", ENVELOPE)}$`)],
];

/** What the reason of a seal says that it was put on; null if these are not words of ours. */
export function renditionOfSeal(reason: string): SealedRendition | null {
  for (const [kind, words] of reasons) {
    const envelope_id = words.exec(reason)?.[1];
    if (envelope_id !== undefined) return { kind, envelope_id };
  }
  return null;
}

/** The envelope that the mark on a page names, from the text of the page without spaces; null if there is none. */
export function envelopeOfMark(marked: string): string | null {
  return new RegExp(`·${ENVELOPE}`).exec(marked)?.[1] ?? null;
}
