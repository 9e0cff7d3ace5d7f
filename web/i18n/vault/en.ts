import { pluralRules } from "../plural-rules.ts";

const plural = pluralRules("en");

/** The text of the vault page that the signing page does not have. The other languages have the type of this table. */
export const en = {
  skip: "Skip to the record",
  keptFor: (org: string) => `Kept for ${org}`,
  loading: "Opening the record…",
  tabs: "Sections of the record",
  tab: { document: "Document", record: "Record", checks: "Checks", log: "Access" },
  tools: "View options",

  state: {
    active: "In the vault",
    escrowed: "In the vault, being exported",
    exported: "Exported",
    tampered: "Altered since it was stored",
    destroying: "Being destroyed",
    destroyed: "Destroyed",
    transferred: "Released to another vault",
    papering: "In the vault, being replaced by paper",
    papered: "Replaced by paper",
  },
  stateLead: {
    active: "The signed original that was deposited is kept here. Every page that you see or download is a copy of it.",
    escrowed: "The signed original that was deposited is kept here until its export to another vault is complete.",
    exported: "The signed original has been transferred to another vault. What you see here is a copy.",
    tampered: "The stored document does not match its record. Nothing can be downloaded until this is resolved.",
    destroying:
      "The retention period has ended, and the files of the document are being removed. Its certificate and audit trail are kept.",
    destroyed: "The retention period has ended and the document has been destroyed. Its certificate and audit trail are kept.",
    transferred: "The signed original was released to another vault. What you see here is a copy.",
    papering: "The signed original that was deposited is kept here until its replacement by paper is complete.",
    papered: "The signed original was replaced by paper. What you see here is a copy.",
  },
  tamperedWhere: "Contact the organization that keeps it. Its admins have been notified.",
  noPages: "There are no pages to show.",
  source: {
    signed_here: "Signed with this service",
    electronic_signed: "Signed electronically elsewhere",
    paper_upload: "Signed on paper, scanned",
  },

  score: {
    proven: (points: number) => `${points} of 100, proven.`,
    attested: (points: number) => `${points} of 100, attested.`,
    not_passed: (points: number) => `${points} of 100, not passed.`,
    left: (points: number) => `${points} of 100. The original has left this vault.`,
    destroyed: (points: number) => `${points} of 100. The document was destroyed.`,
    not_assessed: (points: number) => `${points} of 100, not graded.`,
  },
  provenScore: (points: number) => `Proven: ${points} of 100.`,
  certificateOf: (revision: number, date: string) => `Certificate ${revision}, ${date}`,
  downloadCopy: "Download copy",
  certificate: "Certificate",
  certificateJson: "Certificate as JSON",
  working: "One moment…",
  failed: (reference: string) => `That did not work. Reference: ${reference}`,
  failedLater: "That did not work. Please try again in a minute.",

  verifyTitle: "Is it unchanged?",
  verifyLead: "The service reads the stored file again, hashes it, checks the seal and recomputes the audit trail.",
  verifiedLast: (date: string) => `Last verified on ${date}.`,
  verifiedNever: "Not verified since it was stored.",
  verifyNow: "Verify now",
  verifying: "Verifying…",
  verifySound: "Unchanged. Everything matches the record.",
  verifyBroken: "Something does not match the record.",
  verifyTook: (date: string, seconds: string) => `${date}, in ${seconds} s`,
  lines: {
    bytes: {
      sound: "The stored file has the recorded hash",
      broken: "The stored file has a different hash",
      missing: "The stored file is missing",
    },
    seal: { sound: "The seal is intact", broken: "The seal is broken", unread: "The seal could not be checked" },
    chain: {
      sound: (entries: number) =>
        plural(entries, { one: "1 entry of the audit trail is intact", other: `${entries} entries of the audit trail are intact` }),
      broken: "The audit trail has been changed",
    },
    registers: {
      sound: "Custody, secured party and certificates match the audit trail",
      different: "Custody, secured party or certificates differ from the audit trail",
      unread: "Custody and secured party could not be compared with the audit trail",
    },
    timestamp: {
      external: "The time-stamp of an external authority is valid",
      self_operated: "The time comes from the clock of this installation",
      broken: "The time-stamp is not valid",
      unread: "The time-stamp could not be checked",
    },
  },
  recordedHash: "Recorded",
  foundHash: "Found",

  factsTitle: "Stored record",
  facts: {
    source: "Origin",
    stored: "Stored",
    copy: "Authoritative copy",
    hash: "SHA-256",
    size: "Size",
    until: "Kept at least until",
    hold: "Legal hold",
    time: "Time source",
  },
  holdYes: "Yes. The document stays here until the hold is released.",
  holdNo: "None",
  timeSource: { external: "External authority", self_operated: "Self-operated (clock of this installation)" },
  bytes: (kilobytes: string) => `${kilobytes} KB`,

  custodyTitle: "Custodian",
  custodySince: (date: string) => `since ${date}`,
  custodyNone: "No custodian. The original has left this vault.",
  history: "History",
  custodyFirst: (to: string) => `${to} became custodian when the document was stored`,
  custodyStep: {
    pending: (from: string, to: string) => `${from} offered custody to ${to}`,
    accepted: (from: string, to: string) => `${to} accepted custody from ${from}`,
    rejected: (from: string, to: string) => `${to} rejected custody from ${from}`,
    cancelled: (from: string, to: string) => `${from} withdrew the offer to ${to}`,
    expired: (from: string, to: string) => `The offer from ${from} to ${to} expired`,
  },

  partyTitle: "Secured party",
  partyNone: "No secured party is recorded.",
  partyStep: {
    effective: (name: string, consent: boolean) => (consent ? `Assigned to ${name} with consent` : `${name} was named as secured party`),
    pending: (name: string) => `Assignment to ${name} is pending`,
    refused: (name: string) => `Assignment to ${name} was rejected`,
  },

  evidenceTitle: "Evidence",
  evidenceLead: "One file with a marked copy, the certificate, the audit trail and all proofs.",
  evidenceDo: "Download evidence (ZIP)",
  evidenceCheck: "To verify it offline, without this service:",
  evidenceNot: "Only members of the organization and the signers can download the evidence.",

  fileTitle: "Check a file",
  fileLead: "Find out whether a file is a copy of this document. The file is hashed on your computer and not uploaded.",
  fileChoose: "Choose a file",
  file: {
    authoritative: "This file has the hash of the authoritative copy.",
    copy: (date: string) => `This is an unchanged copy, downloaded on ${date}.`,
    signed: (date: string) => `This is the unchanged signed document, downloaded on ${date} before it was stored in the vault.`,
    certificate: (revision: number) => `This is certificate ${revision} of this record, unchanged.`,
    unknown: "This file does not belong to this record, or it has been changed.",
  },

  checksTitle: "Eight checks",
  checksLead: (satisfied: number) => `${satisfied} of 8 satisfied`,
  gradesMean:
    "Anyone can recompute what is proven. What is attested rests on a statement of the organization, or only on the clock, lock or key of this installation.",
  grade: { proven: "proven", attested: "attested", not_shown: "not shown" },
  gradeCount: {
    proven: (n: number) => `${n} proven`,
    attested: (n: number) => `${n} attested`,
    not_shown: (n: number) => `${n} not shown`,
  },
  why: { proven: "Why it is proven", attested: "Why it is only attested", not_shown: "Why it is not shown" },
  satisfied: "satisfied",
  notSatisfied: "not satisfied",
  points: (n: number) => plural(n, { one: "1 point", other: `${n} points` }),
  found: "Found",
  remedy: "How to fix it",
  requirement: "Required",
  check: {
    single_authoritative_copy: "One authoritative copy",
    tamper_evident_record: "Tamper-evident record",
    custodian: "Custodian",
    signatures_complete: "Signatures complete",
    consent_and_attribution: "Consent and attribution",
    audit_trail: "Audit trail",
    copies_and_retention: "Copies and retention",
    secured_party: "Secured party",
  },
  remarks: "Notes",
  noOpinion: "The checks report facts recorded by the system. They are not a legal opinion.",

  logTitle: "Access log",
  logLead: "Every view of the record and every download is logged before it is delivered.",
  logEmpty: "No access yet.",
  logMore: "Show older",
  logCount: (shown: number, total: number) => `${shown} of ${total}`,
  what: {
    widget: "viewed the record",
    copy: "downloaded a copy",
    certificate: "downloaded the certificate",
    evidence: "downloaded the evidence",
    package: "downloaded the export package",
    other: "accessed the record",
  },
  who: { key: "The organization’s system", system: "The service", vault: "Another vault", erased: "Erased" },

  waitingTitle: "Not in the vault yet",
  waitingLead: "The signed document is being sealed and checked. This page updates automatically.",
  problemLead: "The record could not be opened.",
  offline: "No connection. Trying again.",
  endsIn: (seconds: number) => `Your session ends in ${plural(seconds, { one: "1 second", other: `${seconds} seconds` })}.`,
};

type Words<T> = {
  [K in keyof T]: T[K] extends string ? string : T[K] extends (...args: infer A) => string ? (...args: A) => string : Words<T[K]>;
};
export type VaultMessages = Words<typeof en>;
