/** The words of the cards that the home screen loads last. A table of another language must have the same members. */
export const en = {
  vault: {
    title: "Vault",
    documents: (count: string) => (count === "1" ? "1 document" : `${count} documents`),
    none: "No documents yet. Signed envelopes and originals from elsewhere can be stored here.",
    deposit: "Deposit document",
    empty: "The vault holds no originals now.",
    damaged: (count: string) =>
      count === "1" ? "1 document has changed since it was sealed" : `${count} documents have changed since they were sealed`,
    standings: {
      proven: "Proven",
      attested: "Attested",
      not_passed: "Not passed",
      not_assessed: "Not graded",
      left: "Left the vault",
      destroyed: "Destroyed",
    },
  },
  completed: {
    title: "Just completed",
    all: "All envelopes",
    none: "No completed envelopes yet. Documents that everyone has signed appear here.",
    /** after the names of the first people */
    others: (count: string) => `${count} more`,
    download: (name: string) => `Download ${name}`,
  },
} as const;
export type Words = typeof en;
