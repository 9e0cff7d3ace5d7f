import { ann, copyOf, documentOf, elsewhere, here, paper, testCases } from "../../../../fixtures/changes.ts";
import { minute } from "../../../../fixtures/record.ts";

testCases("copies_and_retention", [
  {
    says: "Copy ci_a was issued without the mark.",
    change: (facts) => {
      facts.copies = [{ copy_id: "ci_a", kind: "copy", issued_at: minute(59), pages: 2, marked_pages: 1 }];
    },
  },
  {
    says: "The retention date 2032-12-31 is before the organization's minimum 2033-03-05.",
    change: (facts) => {
      copyOf(facts).retention_until = "2032-12-31T00:00:00.000Z";
    },
  },
  {
    says: "The storage lock ends on 2030-01-01, before the retention date.",
    change: (facts) => {
      copyOf(facts).lock = { kind: "object_lock", until: "2030-01-01T00:00:00.000Z" };
    },
  },
  {
    says: "The stored record is not locked.",
    change: (facts) => {
      copyOf(facts).lock = null;
    },
  },
  {
    says: "No copy could be produced: the pool is busy.",
    change: (facts) => {
      facts.rendition = { pages: 0, marked_pages: 0, fault: "the pool is busy" };
    },
  },
  {
    says: "No copy could be produced: 1 page does not hold the mark.",
    change: (facts) => {
      facts.rendition = { pages: 2, marked_pages: 1, fault: null };
    },
  },
  {
    says: "ann@example.com cannot retrieve a copy.",
    sources: here,
    change: (facts) => {
      ann(facts).link_opens = false;
    },
  },
  {
    says: "The evidence file is missing.",
    sources: elsewhere,
    change: (facts) => {
      facts.evidence_file = null;
    },
  },
  {
    says: "The stored file is missing.",
    sources: paper,
    also: ["tamper_evident_record"],
    change: (facts) => {
      documentOf(facts).found_sha256 = null;
    },
  },
  {
    says: "No copy could be produced: it has 3 pages, the stored file 2.",
    sources: paper,
    change: (facts) => {
      facts.rendition = { pages: 3, marked_pages: 3, fault: null };
    },
  },
]);
