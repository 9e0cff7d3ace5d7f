// Page 1: the result, what was evaluated, the eight checks, every warning, who holds the record, and how to check it. It is written for
// readers who have never seen this service.

import type { CopyFacts2, Facts2 as Facts } from "../facts-2.ts";
import type { GradedResult as CheckResult, GradedEvaluation as Evaluation, Standing } from "../rules/2/checks/check.ts";
import { externalTime } from "../rules/2/external-time.ts";
import type { Grade } from "../rules/2/grade.ts";
import { timeSource } from "../rules/2/warnings.ts";
import { assertedIdentities } from "./credentials.ts";
import type { CertificateDetails } from "./details.ts";
import type { Block, Cell, Pair, Tone, Words } from "./document.ts";
import {
  counted,
  grouped,
  hashOr,
  hashWords,
  NOT_RECORDED,
  pair,
  partyWords,
  personOf,
  quiet,
  small,
  sourceName,
  textOr,
  utc,
  withoutLabel,
} from "./wording.ts";

export const ABOUT =
  "This states what the service recorded about one document: how it was signed, and what became of its sealed authoritative copy.";

export const STATEMENT =
  "This document reports facts recorded by the system. It is not a legal opinion and does not state that control, perfection or enforceability exists. Paragraph numbers are those of UCC 9-105(b) in the 2010 and 2022 texts; state law varies. The 2022 text says purchaser for secured party and adds (c).";

// A certificate is issued for any score, and `compliant` is true in either case, so the title must show the result.
const TITLES: Readonly<Record<Standing, string>> = {
  proven: "Compliance certificate: 100 of 100, proven.",
  attested: "Compliance certificate: 100 of 100, attested.",
  not_passed: "Compliance evaluation: NOT PASSED,",
  left: "Compliance evaluation: COPY LEFT THIS VAULT,",
  destroyed: "Compliance evaluation: COPY DESTROYED,",
  not_assessed: "Compliance evaluation: NOT GRADED,",
};

/** Green is for records of which every check is proven. */
const TONES: Readonly<Record<Standing, Tone>> = {
  proven: "good",
  attested: "caution",
  not_passed: "bad",
  left: "bad",
  destroyed: "bad",
  not_assessed: "caution",
};

const standingOf = ({ standing }: Evaluation): Standing => standing ?? "not_assessed";

/** `Compliance certificate: 100 of 100, attested. Proven: 38 of 100.` */
export function titleOf(evaluation: Evaluation): string {
  const { passed, proven_score, score } = evaluation;
  const standing = standingOf(evaluation);
  if (standing === "proven") return TITLES.proven;
  return `${TITLES[standing]} ${passed ? "" : `${score} of 100. `}Proven: ${proven_score} of 100.`;
}

export function firstPage(facts: Facts, evaluation: Evaluation, details: CertificateDetails): Block[] {
  return [
    {
      kind: "title",
      text: titleOf(evaluation),
      tone: TONES[standingOf(evaluation)],
      below: facts.envelope.envelope_name,
    },
    { kind: "paragraph", words: { text: ABOUT, look: "small", tone: "quiet" } },
    result(evaluation),
    ...damage(evaluation),
    { kind: "pairs", rows: identity(facts, details), ...codeOf(details) },
    checksTable(evaluation.checks),
    ...warningsTable(facts, evaluation, details.people),
    { kind: "pairs", rows: [...holders(facts, details.people), ...verifying(details)] },
    { kind: "paragraph", words: { text: STATEMENT, look: "small", tone: "quiet" } },
  ];
}

const GRADES: Readonly<Record<Grade, { readonly name: string; readonly tone: Tone; readonly means: string }>> = {
  proven: {
    name: "Proven",
    tone: "good",
    means: "anyone who has the stored bytes, the signatures and the audit trail can recompute it.",
  },
  attested: {
    name: "Attested",
    tone: "caution",
    means: "it rests on a statement of the depositing organization, or only on this installation's clock, lock or key.",
  },
  not_shown: { name: "Not shown", tone: "bad", means: "the record does not show that it is met." },
};

/** The grade as a word in its colour. */
export const gradeWords = ({ grade }: Pick<CheckResult, "grade">, more = ""): Words => ({
  text: `${GRADES[grade].name}${more}`,
  look: "strong",
  tone: GRADES[grade].tone,
});

export const pointsOf = ({ satisfied, weight }: CheckResult): number => (satisfied ? weight : 0);

function result(evaluation: Evaluation): Block {
  const { checks } = evaluation;
  const counts = (Object.keys(GRADES) as Grade[]).flatMap((grade) => {
    const count = checks.filter((check) => check.grade === grade).length;
    return count === 0 ? [] : [{ ...GRADES[grade], count }];
  });
  const satisfied = checks.filter((check) => check.satisfied).length;
  const failed = checks.filter((check) => !check.satisfied).map(({ number, detail }) => `Check ${number}: ${detail}`);
  return {
    kind: "callout",
    tone: TONES[standingOf(evaluation)],
    title: `${satisfied} of ${checks.length} checks are satisfied: ${counts.map(({ count, name }) => `${count} ${name.toLowerCase()}`).join(", ")}`,
    text: [...failed, ...counts.map(({ name, means }) => `${name}: ${means}`)].join("\n"),
  };
}

// Damage does not affect the score, but it must catch the eye.
function damage({ warnings }: Evaluation): Block[] {
  return warnings
    .filter(({ code }) => code === "tamper_detected")
    .map(({ message }) => ({ kind: "callout", tone: "bad", title: "Damage was detected", text: message }));
}

/** The address of the status page for cameras; it is printed among the pairs too. */
const codeOf = ({ status_url }: CertificateDetails) =>
  status_url === null ? {} : { code: { text: status_url, alt: `QR code of the status page: ${status_url}` } };

function identity(
  { org, envelope, source, evaluated_at, certificate, copy, document, chain, checkpoint, origin }: Facts,
  { status_url }: CertificateDetails,
): Pair[] {
  const from = origin === undefined ? sourceName(source) : "Received from another vault";
  const pages = document === null ? [] : [counted(document.pages, "page")];
  const size = copy === null ? NOT_RECORDED : quiet(`${[`${grouped(copy.size)} bytes`, ...pages].join(", ")}. ${from}.`);
  const entries = counted(chain.head?.seq ?? 0, "audit entry", "audit entries");
  const log = checkpoint === null ? "" : `; ${grouped(checkpoint.tree_size)} entries in the installation's log`;
  return [
    pair("As of", [utc(evaluated_at), quiet(`${entries}${log}. Nothing later is covered.`)]),
    pair("Certificate", `Revision ${certificate?.revision ?? 0} of envelope ${envelope.envelope_id}`),
    ...(envelope.external_id === null ? [] : [pair("External id", envelope.external_id)]),
    pair("Organization", `${org.name} (${org.org_id})`),
    pair("Document SHA-256", [hashOr(copy?.sha256 ?? null), size]),
    pair("Authoritative copy", copy === null ? quiet("none is stored") : stateOf(copy)),
    ...(status_url === null ? [] : [pair("Its state today", status_url)]),
  ];
}

/** Where the one copy is that counts as the original. */
function stateOf({ state, state_since, copy_id, stored_at, retention_until }: CopyFacts2): string {
  const since = state_since === null ? "" : ` on ${utc(state_since)}`;
  switch (state) {
    case "active":
      return `In this vault since ${utc(stored_at)}, retained until ${retention_until.slice(0, 10)}.`;
    case "escrowed":
      return `In this vault since ${utc(stored_at)}. Its release from this vault has begun.`;
    case "exported":
      return `The authoritative copy ${copy_id} left this vault${since}.`;
    case "transferred":
      return `The authoritative copy ${copy_id} was released to another vault${since}.`;
    case "papering":
      return `In this vault since ${utc(stored_at)}. Its conversion to paper has begun.`;
    case "papered":
      return `The authoritative copy ${copy_id} was replaced by paper${since}.`;
    case "destroying":
      return `The files of the authoritative copy ${copy_id} are being removed.`;
    case "tampered":
      return `The stored bytes of ${copy_id} were found altered or missing${since}.`;
    case "destroyed":
      return `The authoritative copy ${copy_id} was destroyed${since}.`;
  }
}

function checksTable(checks: readonly CheckResult[]): Block {
  return {
    kind: "table",
    dense: true,
    columns: [
      { head: "Check", share: 22, align: "end" },
      { head: "Requirement, and what was found", share: 397 },
      { head: "Grade, points", share: 48 },
    ],
    rows: checks.map((check): Cell[] => [
      String(check.number),
      [check.requirement, { text: check.detail, look: "small", tone: check.satisfied ? "quiet" : "bad" }],
      [gradeWords(check), small(`${pointsOf(check)} of ${check.weight}`)],
    ]),
  };
}

const WARNINGS: Readonly<Record<Evaluation["warnings"][number]["code"], string>> = {
  transferable_record_not_agreed: "No agreement",
  secured_party_incomplete: "Secured party",
  time_self_operated: "Own clock",
  seal_self_issued: "Own seal certificate",
  lock_application_only: "Own lock",
  identity_asserted_by_partner: "Identity asserted",
  kba_weak_provider: "Identity questions",
  low_resolution: "Low resolution",
  signatures_removed_by_cleaning: "Signatures removed",
  tamper_detected: "Damage",
  custodian_not_designated_by_secured_party: "Custodian",
  time_late: "Late time stamp",
  witness_conflict: "Witness conflict",
  log_not_public: "Log not public",
  controller_is_depositor: "One person on both sides",
  possible_duplicate: "Possible duplicate",
  instrument_not_identified: "Not identified",
  release_not_witnessed: "Release not witnessed",
  recovered_after_release: "Recovered after a release",
};

function warningsTable(facts: Facts, { warnings }: Evaluation, people: CertificateDetails["people"]): Block[] {
  const rows = [
    ...assertedIdentities(facts, people),
    ...warnings
      .filter(({ code }) => code !== "tamper_detected")
      .map(({ code, message }) => ({ title: WARNINGS[code], sentences: [message] })),
  ];
  if (rows.length === 0) return [];
  return [
    {
      kind: "table",
      dense: true,
      columns: [
        { head: "Warning", share: 90 },
        { head: "What a reader should know. Warnings take no points", share: 387 },
      ],
      rows: rows.map(({ title, sentences }): Cell[] => [{ text: title, look: "small", tone: "caution" }, sentences.map(small)]),
    },
  ];
}

function holders(facts: Facts, people: CertificateDetails["people"]): Pair[] {
  const { envelope, permissions, seal } = facts;
  const custodian = permissions.find(({ state }) => state === "active");
  return [
    pair("Secured party", envelope.secured_party === null ? quiet("none named") : firstLine(partyWords(envelope.secured_party))),
    pair("Custodian", custodian === undefined ? quiet("none") : `${personOf(custodian.user_id, people)}${since(custodian.activated_at)}`),
    pair("Seal certificate", seal === null ? NOT_RECORDED : [textOr(seal.subject), hashWords(seal.certificate_sha256)]),
    // A self-operated clock is among the warnings.
    ...(externalTime(facts) === null ? [] : [pair("Time source", withoutLabel(timeSource(facts)))]),
  ];
}

// Page 1 shows only the party's name; the register has its address and identifier.
const firstLine = ([name]: readonly Words[]): Words => name ?? NOT_RECORDED;

const since = (time: string | null): string => (time === null ? "" : `, since ${utc(time)}`);

// The steps are on the last page. A reader needs two things that did not come with this file: the verifier and the root's fingerprint.
function verifying({ verifier, root_sha256 }: CertificateDetails): Pair[] {
  const program = verifier === null ? "countersign-verify" : `countersign-verify, at ${verifier.address}`;
  return [
    pair("Check it yourself", [`With ${program} (see the last page)`]),
    ...(verifier?.sha256 == null ? [] : [pair("SHA-256 of that page", hashWords(verifier.sha256))]),
    pair("Root SHA-256", hashWords(root_sha256)),
  ];
}
