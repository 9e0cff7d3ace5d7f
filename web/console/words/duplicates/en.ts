/** The words of the screens of possible duplicates. Other languages have the type of this table, so a missing text does not compile. */
export const en = {
  duplicates: {
    document: "Document",
    state: "State",
    alsoRecordedAs: "Also recorded as",
    inCommon: "In common",
    stored: "Stored",
    review: "Review",
    possibleDuplicates: "Possible duplicates",
    vaultedDocuments: "Vaulted documents",
    recordsThatHave:
      "Records that have their file, their words or their instrument in common. Check 1 is not shown until someone other than the depositor has compared them.",
    recordsToCompare: "Records to compare, newest first",
    whenADocument:
      "When a document comes into the vault a second time with the same words or the same instrument, both records appear here. Copies that were exported or destroyed count too. The same file is refused at once.",
    nothingToCompare: "Nothing to compare",
  },
  duplicateReview: {
    theSameFile: "the same file",
    theSameFileWith: "the same file with something added",
    madeFromThe: "made from the same record",
    theSameWords: "the same words",
    theSameInstrument: "the same instrument",
    theSamePdf: "the same PDF identifier",
    recordedIsEvaluated: (envelope_name: string) => `Recorded. “${envelope_name}” is evaluated again in a moment.`,
    recordAComparison: "Record a comparison",
    and: (envelope_name: string) => `“${envelope_name}” and `,
    haveInCommon: (lowerCase: string, inCommon: string) => ` (${lowerCase}) have in common: ${inCommon}. Open both and compare them.`,
    whatDidYou: "What did you compare, and what did you find?",
    yourNameAnd: "Your name and this statement go into the audit trail. Someone who deposited this record cannot review it.",
    cancel: "Cancel",
    recordComparison: "Record comparison",
  },
  matches: {
    recordAComparison: "Record a comparison",
    with: (envelope_name: string) => ` with ${envelope_name}`,
    onlyMembersAnd: "Only members and admins can record a comparison.",
  },
};
