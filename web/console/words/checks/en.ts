import type { ComplianceCheck } from "@countersign/client/types";

/** The words of the eight checks. A table of another language must have the same members. */
export const en = {
  /** The console's words for parts of what was found. The certificate has others. */
  found: {
    identifiedBy: (ways: string) => `identified by ${ways}.`,
    ways: { link: "a personal link", token: "an embedded signing page", KBA: "identity questions" },
  },
  names: {
    single_authoritative_copy: "One authoritative copy",
    tamper_evident_record: "Tamper-evident record",
    custodian: "Custodian",
    signatures_complete: "Signatures complete",
    consent_and_attribution: "Consent and attribution",
    audit_trail: "Audit trail",
    copies_and_retention: "Copies and retention",
    secured_party: "Secured party",
  } satisfies Record<ComplianceCheck, string>,
  states: {
    proven: "Proven",
    attested: "Attested",
    not_shown: "Not shown",
    satisfied: "Satisfied",
    answered: "Answered",
    open: "Open",
    later: "Checked later",
  },
  title: "Eight checks",
  counts: {
    proven: (count: number) => `${count} proven by the system`,
    attested: (count: number) => `${count} attested by a person or by this installation`,
    not_shown: (count: number) => `${count} not shown`,
    satisfied: (count: number) => `${count} satisfied`,
    answered: (count: number) => `${count} answered`,
    open: (count: number) => `${count} open`,
    later: (count: number) => `${count} checked later`,
  },
  proven: "Why it is proven",
  attested: "Why it is only attested",
  required: "Requirement",
  points: (weight: number) => `${weight} points`,
  facts: "The checks report facts recorded by the system. They are not a legal opinion.",
  nameParty: "Name the secured party",
  partyLead:
    "The lender or buyer who holds rights in this document. From then on the party changes only with its consent. Leave it out if no one holds the document as security.",
  partyNamed: (name: string) => `${name} is now the secured party.`,
  partyChecking: (name: string) => `${name} is now the secured party. Running the checks again…`,
  partyUnchecked: (name: string) => `${name} is now the secured party. The checks were not run again.`,
  checkAgain: "Run checks again",
  close: "Close",
  cancel: "Cancel",
  checkedAgain: (result: string) => `Checks run again: ${result}`,
  /** on an envelope that is not signed by everyone */
  later: "Compliance is checked when everyone has signed.",
  certified: <T>(when: T) => ["Certified ", when, "."],
  notes: "Notes",
  ended: "This envelope ended before everyone had signed, so there is nothing to check.",
  discarded: "This draft was never sent, so there is nothing to check.",
  toVault: "The checks are made when the document is stored in the vault.",
  storing: "The document is being stored in the vault. The checks follow.",
  partyIs: (name: string) => `${name} is named as the secured party.`,
  noParty: "No secured party is named. The vault needs one only if this document is pledged or sold.",
} as const;

export type CheckWords = typeof en;
