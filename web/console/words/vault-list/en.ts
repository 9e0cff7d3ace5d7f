/** The words of the list of the vault. Other languages have the type of this table, so a missing text does not compile. */
export const en = {
  list: {
    vaultedDocuments: "Vaulted documents",
    signedAndSealed: "Signed and sealed originals. Each has one custodian and a certificate with the results of eight checks.",
    vaultedDocumentsNewest: "Vaulted documents, newest first",
    name: "Name",
    state: "State",
    standing: "Standing",
    source: "Source",
    stored: "Stored",
    retainedUntil: "Retained until",
    lastVerified: "Last verified",
    notYet: "not yet",
    depositDocument: "Deposit document",
    any: "Any",
    checks: "Checks",
    passed: "Passed",
    notPassed: "Not passed",
    nameOrExternal: "Name or external ID",
    noVaultedDocument: "No vaulted document matches these filters.",
    noMatchingDocuments: "No matching documents",
    showAll: "Show all",
    documentsAppearHere:
      "Documents appear here when you are asked to become their custodian, and stay as long as you are. Requests are under Custody.",
    noDocumentsIn: "No documents in your custody",
    envelopesThatWere:
      "Envelopes with the option “Store in vault automatically” are stored here once everyone has signed. Documents that were signed on paper or with another service are deposited manually. In both cases the vault keeps one sealed original, and every download is marked as a copy.",
    theVaultIs: "The vault is empty",
  },
  policyBanner: {
    recommendation: "Recommendation",
    thenLetEach:
      " Then let each party confirm changes with a credential of its own. Currently a party that no one acts for is not asked, and checks 3 and 8 of such a record are attested at most. ",
    doYouLend: "Do you lend against these records?",
    changeItUnder: "Change it under Settings",
    anAdminCan: "An admin or a security admin can change it under Settings.",
    dismiss: "Dismiss",
  },
};
