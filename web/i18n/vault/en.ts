import { plural } from "../plural.ts";

const one = plural("en");

/** Every word of the vault page that the signing page has not. The other languages have this table's type. */
export const en = {
  skip: "Skip to the record",
  keptFor: (org: string) => `Kept for ${org}`,
  loading: "Opening the record…",
  tabs: "Parts of the record",
  tab: { document: "Document", record: "Record", checks: "Checks", log: "Access" },
  tools: "How the document is shown",

  state: {
    active: "In the vault",
    escrowed: "In the vault, being exported",
    exported: "Left the vault",
    tampered: "Not as it was stored",
    destroyed: "Destroyed",
  },
  stateLead: {
    active: "The signed original that was deposited is kept here. Every page that you see or download is a copy of it.",
    escrowed: "The signed original that was deposited is kept here while its export to another vault is under way.",
    exported: "The signed original was handed over and is kept elsewhere. What you see here is a copy.",
    tampered: "The stored record differs from what was recorded. Nothing of it is handed out until this is cleared up.",
    destroyed: "The retention has ended and the document was destroyed. Its certificate and its audit trail are kept.",
  },
  tamperedWhere: "Ask the organization that keeps it. Its admins were told.",
  noPages: "There are no pages to show.",
  source: {
    signed_here: "Signed with this service",
    electronic_signed: "Signed electronically elsewhere",
    paper_upload: "Signed on paper, scanned",
  },

  score: (points: number, passed: boolean) => `${points} of 100, ${passed ? "passed" : "not passed"}`,
  certificateOf: (revision: number, date: string) => `Certificate ${revision}, of ${date}`,
  downloadCopy: "Download copy",
  certificate: "Certificate",
  certificateJson: "Certificate as JSON, for programs",
  working: "One moment…",
  failed: (reference: string) => `That did not work. Reference: ${reference}`,
  failedLater: "That did not work just now. Please try again in a minute.",

  verifyTitle: "Is it unchanged?",
  verifyLead: "The service reads the stored bytes anew, hashes them, opens the seal and recomputes the audit trail.",
  verifiedLast: (date: string) => `Last looked at on ${date}.`,
  verifiedNever: "Not looked at since it was stored.",
  verifyNow: "Verify now",
  verifying: "Looking…",
  verifySound: "Everything is as it was recorded.",
  verifyBroken: "Something is not as it was recorded.",
  verifyTook: (date: string, seconds: string) => `${date}, in ${seconds} s`,
  lines: {
    bytes: {
      sound: "The stored bytes have the recorded hash",
      broken: "The stored bytes have another hash",
      missing: "The stored bytes are gone",
    },
    seal: { sound: "The seal is intact", broken: "The seal is broken", unread: "The seal could not be looked at" },
    chain: {
      sound: (entries: number) =>
        one(entries, { one: "1 entry of the audit trail verifies", other: `${entries} entries of the audit trail verify` }),
      broken: "The audit trail was changed",
    },
    registers: {
      sound: "Custody, secured party and certificates agree with the audit trail",
      different: "Custody, secured party or certificates differ from the audit trail",
      unread: "Custody and secured party could not be held against the audit trail",
    },
    timestamp: {
      external: "An external authority's time-stamp is valid",
      self_operated: "The time is that of this installation's own clock",
      broken: "The time-stamp is not valid",
      unread: "The time-stamp could not be looked at",
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
  holdYes: "Yes: it stays here until the hold is released",
  holdNo: "None",
  timeSource: { external: "External authority", self_operated: "Self-operated (this installation's clock)" },
  bytes: (kilobytes: string) => `${kilobytes} KB`,

  custodyTitle: "Custodian",
  custodySince: (date: string) => `since ${date}`,
  custodyNone: "None: the original has left.",
  history: "History",
  custodyFirst: (to: string) => `${to} took custody when it was stored`,
  custodyStep: {
    pending: (from: string, to: string) => `${from} offers custody to ${to}`,
    accepted: (from: string, to: string) => `${to} took custody from ${from}`,
    rejected: (from: string, to: string) => `${to} refused custody from ${from}`,
    cancelled: (from: string, to: string) => `The offer from ${from} to ${to} was withdrawn`,
    expired: (from: string, to: string) => `The offer from ${from} to ${to} was not answered in time`,
  },

  partyTitle: "Secured party",
  partyNone: "No secured party is on record.",
  partyStep: {
    effective: (name: string, consent: boolean) => (consent ? `Assigned to ${name} with consent` : `${name} was designated`),
    pending: (name: string) => `Assignment to ${name} is pending`,
    refused: (name: string) => `Assignment to ${name} was refused`,
  },

  evidenceTitle: "Evidence",
  evidenceLead: "A marked copy, the certificate, the audit trail and all proofs, in one file.",
  evidenceDo: "Download evidence (ZIP)",
  evidenceCheck: "Check it offline, without this service:",
  evidenceNot: "The evidence is for members of the organization and for those who signed.",

  fileTitle: "Check a file",
  fileLead: "Is a file that you have a copy from this record? It is hashed on your computer and not uploaded.",
  fileChoose: "Choose a file",
  file: {
    authoritative: "This file has the hash of the authoritative copy itself.",
    copy: (date: string) => `This is a copy that was handed out on ${date}, unchanged.`,
    signed: (date: string) => `This is the signed document as it was handed out on ${date}, before it was vaulted.`,
    certificate: (revision: number) => `This is certificate ${revision} of this record, unchanged.`,
    unknown: "This file is none of this record's, or it was changed.",
  },

  checksTitle: "Eight checks",
  checksLead: (satisfied: number) => `${satisfied} of 8 satisfied`,
  satisfied: "satisfied",
  notSatisfied: "not satisfied",
  points: (n: number) => one(n, { one: "1 point", other: `${n} points` }),
  found: "Found",
  remedy: "What would help",
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
  remarks: "Remarks",
  noOpinion: "The checks report facts recorded by the system. They are not a legal opinion.",

  logTitle: "Who had what",
  logLead: "Every look at the record and every download is written down before it happens.",
  logEmpty: "Nobody yet.",
  logMore: "Show older ones",
  logCount: (shown: number, total: number) => `${shown} of ${total}`,
  what: {
    widget: "looked at the record",
    copy: "downloaded a copy",
    certificate: "downloaded the certificate",
    evidence: "downloaded the evidence",
    package: "fetched the export package",
    other: "had access",
  },
  who: { key: "The organization's system", system: "The service", erased: "Erased" },

  waitingTitle: "Not in the vault yet",
  waitingLead: "The signed document is being sealed and checked. This page goes on by itself.",
  problemLead: "The record could not be opened.",
  offline: "No connection. Trying again.",
  endsIn: (seconds: number) => `This page closes in ${one(seconds, { one: "1 second", other: `${seconds} seconds` })}.`,
};

type Words<T> = {
  [K in keyof T]: T[K] extends string ? string : T[K] extends (...given: infer G) => string ? (...given: G) => string : Words<T[K]>;
};
export type VaultMessages = Words<typeof en>;
