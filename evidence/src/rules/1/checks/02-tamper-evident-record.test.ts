import {
  copyOf,
  documentOf,
  elsewhere,
  externalOf,
  here,
  other,
  paper,
  saying,
  sealOf,
  testCases,
  uploads,
  version,
} from "../../../../fixtures/changes.ts";
import { hashed } from "../../../../fixtures/record.ts";

testCases("tamper_evident_record", [
  {
    says: `Stored bytes do not match the recorded hash (recorded ${hashed("sealed").slice(0, 8)}…, found ${other.slice(0, 8)}…).`,
    change: (facts) => {
      copyOf(facts).found_sha256 = other;
    },
  },
  {
    says: `Stored bytes do not match the recorded hash (recorded ${hashed("sealed").slice(0, 8)}…, found nothing).`,
    change: (facts) => {
      copyOf(facts).found_sha256 = null;
    },
  },
  {
    says: "Stored bytes do not match the recorded hash (recorded 34000 bytes, found 33999 bytes).",
    change: (facts) => {
      copyOf(facts).found_size = 33_999;
    },
  },
  {
    says: `Stored bytes do not match the recorded hash (recorded ${other.slice(0, 8)}…, found ${hashed("sealed").slice(0, 8)}…).`,
    wish: { acts: saying("vault.stored", { hash: other }) },
  },
  {
    says: "The seal does not verify: digest_mismatch.",
    change: (facts) => Object.assign(sealOf(facts), { valid: false, fault: "digest_mismatch" }),
  },
  {
    says: "Version prepared is missing or does not match its hash.",
    sources: here,
    change: (facts) => {
      version(facts, "prepared").found_sha256 = other;
    },
  },
  {
    says: "Version stamped is missing or does not match its hash.",
    sources: here,
    change: (facts) => {
      version(facts, "stamped").found_sha256 = null;
    },
  },
  {
    says: "Version stored is missing or does not match its hash.",
    change: (facts) => {
      version(facts, "stored").parent_sha256 = other;
    },
  },
  {
    says: "Version received is missing or does not match its hash.",
    sources: uploads,
    wish: { acts: saying("document.received", { received_sha256: other }) },
  },
  {
    says: "Version authoritative is missing or does not match its hash.",
    change: (facts) => {
      version(facts, "authoritative").parent_sha256 = other;
    },
  },
  {
    says: "Signature 2 in the uploaded PDF is broken.",
    sources: elsewhere,
    change: (facts) => Object.assign(facts.upload_signatures[1] ?? {}, { intact: false, fault: "digest_mismatch" }),
  },
  {
    says: "Signature 1 in the uploaded PDF is broken.",
    sources: elsewhere,
    wish: { acts: saying("document.received", { signatures: [{ field: "Buyer", intact: false }] }) },
  },
  {
    says: "The uploaded PDF carries no signature and no hash from the issuing system.",
    sources: elsewhere,
    wish: { signed_pdf: false },
  },
  {
    says: `The hash from the issuing system is not that of the upload (attested ${other.slice(0, 8)}…, received ${hashed("received").slice(0, 8)}…).`,
    sources: elsewhere,
    wish: { signed_pdf: false },
    change: (facts) => {
      externalOf(facts).document_sha256 = other;
    },
  },
  {
    says: "Version stored is missing or does not match its hash.",
    sources: paper,
    change: (facts) => {
      documentOf(facts).hash = other;
      documentOf(facts).found_sha256 = other;
    },
  },
  {
    says: "The stored PDF does not open or has no page.",
    sources: paper,
    also: ["copies_and_retention"],
    change: (facts) => {
      documentOf(facts).found_pages = null;
    },
  },
]);
