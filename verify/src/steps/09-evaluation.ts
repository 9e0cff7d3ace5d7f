import { createHash } from "node:crypto";
import {
  canonicalize,
  canonicalValue,
  complianceOf,
  type Facts,
  firstContradiction,
  isSupplied,
  isText,
  type Link,
  type Manifest,
} from "@countersign/evidence";
import { BundleRejected, type Files, fileOf, type StepResult } from "../step.ts";
import type { Logged } from "./05-log.ts";

export type Evaluated = {
  readonly manifest: Manifest;
  readonly links: readonly Link[];
  readonly logged: Logged;
  readonly time: string | null;
  readonly revision: unknown;
};

/** Runs the eight checks again on facts that agree with the chain, the log and the files. They must give the same results. */
export function checkEvaluation(files: Files, known: Evaluated): StepResult<Facts> {
  const facts = readFacts(files);
  const compliance = complianceOf(facts);
  const found = Buffer.from(fileOf(files, "compliance.json")).toString("utf8");
  if (compliance === null || canonicalize(compliance) !== found)
    throw new BundleRejected("compliance.json", "is not the result of the eight checks on facts.json");
  const contradiction = firstContradiction(facts, known.links);
  if (contradiction !== null)
    throw new BundleRejected("facts.json", `contradicts the audit chain: ${contradiction.what}`, contradiction.seq);
  assertFactsMatchBundle(facts, known);
  assertFilesMatchFacts(facts, files);
  const failed = compliance.missing_requirements.length;
  const verdict = compliance.passed ? "passed" : `NOT PASSED, ${failed} of 8 requirements missing`;
  return {
    value: facts,
    says: `score ${compliance.score}, ${verdict}`,
    notes: compliance.missing_requirements.map((each) => `Missing: ${each}`),
  };
}

function readFacts(files: Files): Facts {
  const value = canonicalValue(fileOf(files, "facts.json")) as { type?: unknown; source?: unknown } | undefined;
  const isKnown = ["signed_here", "electronic_signed", "paper_upload"].includes(String(value?.source));
  if (value?.type !== "countersign/facts/1" || !isKnown)
    throw new BundleRejected("facts.json", "does not contain the facts of an evaluation in canonical form");
  return value as unknown as Facts;
}

// Compares what the facts say about things outside the chain with what the bundle contains.
function assertFactsMatchBundle(facts: Facts, { manifest, logged, time, revision }: Evaluated): void {
  const { vaulted, covered } = logged;
  const { checkpoint } = facts;
  const same: readonly [string, unknown, unknown][] = [
    ["the organization", facts.org.org_id, manifest.org_id],
    ["the envelope", facts.envelope.envelope_id, manifest.envelope_id],
    ["the revision", facts.certificate?.revision, revision],
    ["the size of the checkpoint", checkpoint?.tree_size, vaulted.tree_size],
    ["the root of the checkpoint", checkpoint?.root, vaulted.root],
    ["the time of the checkpoint", checkpoint?.at, vaulted.at],
    ["the key of the checkpoint", checkpoint?.key_id, vaulted.key_id],
    [
      "the number of entries that the checkpoint covers",
      Math.min(checkpoint?.covers_seq ?? 0, facts.chain.head?.seq ?? 0),
      Math.min(covered, facts.chain.head?.seq ?? 0),
    ],
    ["the time stamp", facts.time.token?.gen_time ?? null, time],
  ];
  const other = same.find(([, claimed, found]) => claimed !== found);
  if (other !== undefined)
    throw new BundleRejected("facts.json", `${other[0]} is ${String(other[1])} in the facts and ${String(other[2])} in the bundle`);
}

function assertFilesMatchFacts(facts: Facts, files: Files): void {
  const hashes = (isWanted: (name: string) => boolean) =>
    [...files]
      .filter(([name]) => isWanted(name))
      .map(([name, bytes]) => ({ name, sha256: createHash("sha256").update(bytes).digest("hex") }));
  const texts = hashes(isText);
  const unnamed = texts.find(({ sha256 }) => !facts.texts.some((text) => text.sha256 === sha256));
  if (unnamed !== undefined) throw new BundleRejected(unnamed.name, "is not one of the texts named in facts.json");
  const absent = facts.texts.find(({ sha256 }) => !texts.some((text) => text.sha256 === sha256));
  if (absent !== undefined) throw new BundleRejected("texts/", `the ${absent.kind} ${absent.version} is missing`);
  const [supplied] = hashes(isSupplied);
  if ((supplied?.sha256 ?? null) !== (facts.evidence_file?.sha256 ?? null))
    throw new BundleRejected(supplied?.name ?? "evidence/", "is not the evidence file named in facts.json");
}
