import { createHash } from "node:crypto";
import {
  attestedNameOf,
  canonicalize,
  canonicalValue,
  complianceOf,
  type Facts2,
  firstContradiction,
  firstDifference,
  isOneInstallation,
  isSupplied,
  isText,
  type Link,
  lackSentences,
  lacksOf,
  namesIn,
  readSigned,
  rules2,
  sealOf,
  sealValidity,
} from "@countersign/evidence";
import { createBudget, NotAPdf, openPdf, pagesWithText, UnreadablePdf } from "@countersign/pdf/verify";
import type { CheckedOrigin } from "../checked.ts";
import { type AnyFacts, isFacts2 } from "../rules-of.ts";
import { BundleRejected, type Files, fileOf, type StepResult } from "../step.ts";
import { type AnyManifest, isManifest2 } from "./02-manifest.ts";
import type { Trust } from "./03-trust.ts";
import type { Logged } from "./05-log.ts";
import type { Times } from "./06-time.ts";
import { originProofs, storingTime } from "./07-document.ts";
import type { CertificateStep } from "./08-certificate.ts";

export type Evaluated = {
  readonly manifest: AnyManifest;
  readonly links: readonly Link[];
  readonly logged: Logged;
  readonly times: Times;
  readonly certificate: CertificateStep;
  readonly trust: Trust;
  readonly origin: CheckedOrigin | null;
};

/** Runs the eight checks again on facts that agree with the chain, the log and the files. They must give the same results. */
export async function checkEvaluation(files: Files, known: Evaluated): Promise<StepResult<AnyFacts>> {
  const names = { facts: known.certificate.fileOf("facts.json"), compliance: known.certificate.fileOf("compliance.json") };
  const facts = readFacts(files, names.facts);
  const compliance = isFacts2(facts) ? rules2.complianceOf(facts) : complianceOf(facts);
  const found = Buffer.from(fileOf(files, names.compliance)).toString("utf8");
  if (compliance === null || canonicalize(compliance) !== found)
    throw new BundleRejected(names.compliance, "is not the result of the eight checks on facts.json");
  const contradiction = isFacts2(facts) ? rules2.firstContradiction(facts, known.links) : firstContradiction(facts, known.links);
  if (contradiction !== null)
    throw new BundleRejected(names.facts, `contradicts the audit chain: ${contradiction.what}`, contradiction.seq);
  assertFactsMatchBundle(facts, known, names.facts);
  assertOrigin(facts, known.origin, names.facts);
  assertAsOf(known);
  assertFilesMatchFacts(facts, files);
  assertRecorded(facts, compliance, known, names.facts);
  if (isManifest2(known.manifest)) {
    assertSealed(facts, known, names.facts);
    assertSigned(facts, files, known.links, names.facts);
  }
  const decided = isFacts2(facts) ? decisionsElsewhere(facts, known, names.facts) : [];
  if (isFacts2(facts)) await assertEvidenceNames(facts, files, names.facts);
  const failed = compliance.missing_requirements.length;
  const verdict = compliance.passed ? "passed" : `NOT PASSED, ${failed} of 8 requirements missing`;
  return {
    value: facts,
    says: `score ${compliance.score}, ${verdict}${"standing" in compliance ? `, ${standingWords(compliance)}` : ""}`,
    notes: [...compliance.missing_requirements.map((each) => `Missing: ${each}`), ...lackNotes(facts, known), ...decided],
  };
}

const standingWords = ({ standing, proven_score }: rules2.GradedCompliance): string =>
  `standing ${standing ?? "none"}, proven ${proven_score} of 100`;

function readFacts(files: Files, name: string): AnyFacts {
  const value = canonicalValue(fileOf(files, name)) as { type?: unknown; source?: unknown } | undefined;
  const isKnown = ["signed_here", "electronic_signed", "paper_upload"].includes(String(value?.source));
  const isFacts = value?.type === "countersign/facts/1" || value?.type === "countersign/facts/2";
  if (!isFacts || !isKnown) throw new BundleRejected(name, "does not contain the facts of an evaluation in canonical form");
  return value as unknown as AnyFacts;
}

// Compares what the facts say about things outside the chain with what the bundle contains.
function assertFactsMatchBundle(facts: AnyFacts, { manifest, logged, times, certificate }: Evaluated, name: string): void {
  const { vaulted, covered } = logged;
  const { checkpoint } = facts;
  const token = facts.time.token;
  const same: readonly [string, unknown, unknown][] = [
    ["the organization", facts.org.org_id, manifest.org_id],
    ["the envelope", facts.envelope.envelope_id, manifest.envelope_id],
    ["the revision", facts.certificate?.revision, certificate.revision],
    ["the size of the checkpoint", checkpoint?.tree_size, vaulted.tree_size],
    ["the root of the checkpoint", checkpoint?.root, vaulted.root],
    ["the time of the checkpoint", checkpoint?.at, vaulted.at],
    ["the key of the checkpoint", checkpoint?.key_id, vaulted.key_id],
    [
      "the number of entries that the checkpoint covers",
      Math.min(checkpoint?.covers_seq ?? 0, facts.chain.head?.seq ?? 0),
      Math.min(covered, facts.chain.head?.seq ?? 0),
    ],
    ["the time stamp", isManifest2(manifest) && token?.valid === false ? null : (token?.gen_time ?? null), times.vaulted],
    ...(isManifest2(manifest)
      ? ([
          ["the copy", facts.copy?.copy_id, manifest.copy_id],
          ["the number of the rules", isFacts2(facts) ? 2 : 1, manifest.rules],
        ] satisfies [string, unknown, unknown][])
      : []),
  ];
  const other = same.find(([, claimed, found]) => claimed !== found);
  if (other !== undefined)
    throw new BundleRejected(name, `${other[0]} is ${String(other[1])} in the facts and ${String(other[2])} in the bundle`);
  const unproven = isFacts2(facts)
    ? facts.times.find(
        ({ valid, kind, at, by, tree_size }) =>
          valid && !times.marks.some((mark) => mark.kind === kind && mark.at === at && mark.by === by && mark.tree_size === tree_size),
      )
    : undefined;
  if (unproven !== undefined)
    throw new BundleRejected(name, `the bundle does not contain the ${unproven.kind} of ${unproven.at} that the facts name`);
}

/** What the facts say about the vault before is what its own bundle shows. */
function assertOrigin(facts: AnyFacts, origin: CheckedOrigin | null, name: string): void {
  const claimed = isFacts2(facts) ? (facts.origin ?? null) : null;
  if (canonicalize(claimed as never) !== canonicalize((origin?.facts ?? null) as never))
    throw new BundleRejected(name, "says something else about the vault before than the files of origin/");
}

/** The instant that the manifest names is the end of this chain in this log. */
function assertAsOf({ manifest, links, logged }: Evaluated): void {
  if (!isManifest2(manifest)) return;
  const { chain_seq, chain_hash, tree_size } = manifest.as_of;
  const last = links.at(-1)?.entry;
  if (last?.seq !== chain_seq || last.hash !== chain_hash || logged.latest.tree_size !== tree_size)
    throw new BundleRejected("manifest.json", `is as of entry ${chain_seq} in a log of ${tree_size}, and the bundle ends elsewhere`);
  if (isEarlier(manifest.as_of.at, last.at))
    throw new BundleRejected("manifest.json", `is as of ${manifest.as_of.at}, before its last entry, ${last.at}`, last.seq);
}

// Of clocks of several machines.
const TOLERANCE_MS = 5_000;
const isEarlier = (one: string, other: string): boolean => Date.parse(one) < Date.parse(other) - TOLERANCE_MS;

/** What the entries record about the evaluation and the copy, beside the milestones that the rules compare. */
function assertRecorded(
  facts: AnyFacts,
  { score, passed }: Judged,
  { manifest, links, logged, certificate }: Evaluated,
  name: string,
): void {
  if (!isManifest2(manifest)) return;
  const issued = links.find((link) => link.entry.type === "vault.certificate.issued" && dataOf(link).revision === certificate.revision);
  if (issued === undefined) throw new BundleRejected(name, `no entry records revision ${String(certificate.revision)}`);
  const { at, seq } = issued.entry;
  if (issued.data !== null && (dataOf(issued).score !== score || dataOf(issued).passed !== passed))
    throw new BundleRejected(name, `give the score ${score}, but ${String(dataOf(issued).score)} was recorded`, seq);
  if (isEarlier(at, facts.evaluated_at) || isEarlier(facts.evaluated_at, logged.stored.at))
    throw new BundleRejected(name, `was evaluated at ${facts.evaluated_at}, which is not between the storing and ${at}`, seq);
  const stored = links.find(({ entry }) => entry.type === "vault.stored");
  const level = stored === undefined ? undefined : dataOf(stored).seal_level;
  if (level !== undefined && facts.seal?.valid === true && facts.seal.level !== level)
    throw new BundleRejected(
      name,
      `the level of the seal is ${String(facts.seal.level)}, but ${String(level)} was recorded`,
      stored?.entry.seq ?? null,
    );
  const before = links.filter(
    (link) => link.entry.seq < logged.stored.seq && link.entry.type === "copy.issued" && dataOf(link).kind === "signed",
  );
  if (!facts.envelope.auto_vault_enabled && facts.issued_before < before.length)
    throw new BundleRejected(name, `names ${facts.issued_before} documents issued before vaulting, and there were ${before.length}`);
}

type Judged = { readonly score: number; readonly passed: boolean };

const dataOf = (link: Link): Record<string, unknown> => Object(link.data?.data) as Record<string, unknown>;

function assertFilesMatchFacts(facts: AnyFacts, files: Files): void {
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

/** Whether the authoritative copy was sealed while its certificate was valid, by what is known about the certificate now. */
function assertSealed({ seal }: AnyFacts, { trust, links, times, origin }: Evaluated, name: string): void {
  const keys = (origin?.first.trust ?? trust).keys;
  const listed = seal === null ? null : sealOf(keys, seal.certificate_sha256);
  if (seal?.valid !== true) return;
  if (listed === null) throw new BundleRejected(name, "names a seal certificate that trust/keys.json does not list");
  const proofs = origin === null ? times.marks.map(({ at }) => at) : originProofs(origin);
  const { valid, says } = sealValidity(listed, { entry: storingTime(origin?.first.links ?? links), proofs });
  if (!valid) throw new BundleRejected(name, `the seal of the authoritative copy is not valid. ${says}`);
}

/** What was signed is hashed again. A record that differs cannot pass as one that does not. Facts of rules 1 claim no comparison. */
function assertSigned(facts: AnyFacts, files: Files, links: readonly Link[], name: string): void {
  const isSignedHere = facts.source === "signed_here" && facts.provider === "builtin";
  if (isFacts2(facts) ? facts.signed === null : !isSignedHere) return;
  const claimed = isFacts2(facts) ? facts.signed : null;
  const last = links.at(-1)?.entry;
  const rows = last === undefined ? null : readSigned(files, { seq: last.seq, hash: last.hash, at: last.at });
  if (rows === null) throw new BundleRejected("signed/", "does not contain what was signed, in canonical form");
  const difference = firstDifference(rows, links);
  if ((claimed?.difference ?? null) === null && difference !== null)
    throw new BundleRejected(
      "signed/",
      `differs from the audit chain: ${difference.what}${difference.signer === null ? "" : ` of ${difference.signer}`}`,
    );
  if (claimed === null) return;
  const sent = rules2.milestonesOf(links).find(({ type }) => type === "envelope.sent");
  if (claimed.fields_recorded !== (typeof sent?.said?.fields_sha256 === "string"))
    throw new BundleRejected(name, "says that fields were recorded, and the audit chain does not", sent?.seq ?? null);
}

/**
 * What other installations signed was asked by the installation of this bundle. One that has a root in common with it is the same one, and
 * must be graded so. The reader learns the other roots, because no one here can know to whom they belong.
 */
function decisionsElsewhere(facts: Facts2, { trust: { keys } }: Evaluated, name: string): string[] {
  const roots = keys.type === "countersign/keys/1" ? [keys.root_sha256] : keys.roots.map(({ certificate_sha256 }) => certificate_sha256);
  const decided = facts.acts.flatMap((act) =>
    act.approvals.filter(({ method }) => method === "vault_key").map((approval) => rules2.vaultDecisionOf(approval, act)),
  );
  const notes = decided.map((decision) => {
    if (decision.fault !== null) throw new BundleRejected(name, "contains a decision of another installation that is not valid");
    const { asker, decider, decided_by, act_id } = decision.message;
    if (!roots.includes(asker.root)) throw new BundleRejected(name, `${act_id} was asked by another installation than that of this bundle`);
    if (decision.trust.roots.some((root) => roots.includes(root)) && !isOneInstallation(decision))
      throw new BundleRejected(name, `${act_id} was decided at the installation of this bundle, which hides that`);
    return `Decided at another installation: ${act_id} by ${decided_by.email}, root ${decider.root}`;
  });
  return notes.length === 0 ? [] : [...notes, "Compare the roots of other installations with those that the parties publish."];
}

/** Whom the evidence file names is read again. */
async function assertEvidenceNames({ evidence_file, attestation }: Facts2, files: Files, name: string): Promise<void> {
  const supplied = [...files].find(([each]) => isSupplied(each));
  if (evidence_file === null || supplied === undefined) return;
  const signers = attestation?.signers ?? [];
  const [file, bytes] = supplied;
  const named = file.endsWith(".pdf") ? await namesInPdf(bytes, signers) : namesIn(bytes, signers);
  const claimed = evidence_file.names.find((each) => !named.includes(each));
  if (claimed !== undefined) throw new BundleRejected(name, `says that the evidence file names ${claimed}, and it does not`);
}

async function namesInPdf(bytes: Uint8Array, signers: Parameters<typeof namesIn>[1]): Promise<string[]> {
  try {
    const doc = await openPdf(Uint8Array.from(bytes), createBudget());
    const isThere = (text: string | null) => text !== null && text.trim() !== "" && pagesWithText(doc, text.trim()).length > 0;
    return signers.filter(({ name, email }) => isThere(name) || isThere(email)).map(attestedNameOf);
  } catch (error) {
    if (error instanceof UnreadablePdf || error instanceof NotAPdf) return [];
    throw error;
  }
}

/** The reader is told what is missing, in words. A bundle 2 must say the same. */
function lackNotes(facts: AnyFacts, { manifest, links, times }: Evaluated): string[] {
  const lacks = lacksOf({ facts, links, times: times.marks.map(({ kind }) => ({ kind, valid: true })) });
  if (isManifest2(manifest) && canonicalize(manifest.lacks) !== canonicalize(lacks))
    throw new BundleRejected(
      "manifest.json",
      `says that it lacks ${manifest.lacks.join(", ") || "nothing"}; it lacks ${lacks.join(", ") || "nothing"}`,
    );
  return lacks.map((code) => `Lacks: ${lackSentences[code]}`);
}
