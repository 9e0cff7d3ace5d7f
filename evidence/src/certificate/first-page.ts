// Page 1: the result, what was evaluated, the eight checks, the custodian, the seal and the time source.

import type { Facts } from "../facts.ts";
import type { CheckResult, Evaluation } from "../rules/1/checks/check.ts";
import { timeSource } from "../rules/1/checks/warnings.ts";
import { assertedIdentities } from "./credentials.ts";
import type { CertificateDetails } from "./details.ts";
import type { Block, Cell, Pair, Words } from "./document.ts";
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
  sourceName,
  textOr,
  utc,
  withoutLabel,
} from "./wording.ts";

export const PASSED_TITLE = "Compliance certificate";
// A certificate is issued for any score, and `compliant` is true in either case, so the title must show the result.
export const NOT_PASSED_TITLE = "Compliance evaluation: NOT PASSED";

export const STATEMENT =
  "This document reports facts recorded by the system. It is not a legal opinion and does not state that control, perfection or enforceability exists. Paragraph numbers are those of UCC 9-105(b) in the 2010 and 2022 texts; state law varies. The 2022 text says purchaser for secured party and adds (c).";

export function firstPage(facts: Facts, evaluation: Evaluation, { certificate_id, people }: CertificateDetails): Block[] {
  return [
    {
      kind: "title",
      text: evaluation.passed ? PASSED_TITLE : NOT_PASSED_TITLE,
      tone: evaluation.passed ? "plain" : "bad",
      below: facts.envelope.envelope_name,
    },
    result(evaluation),
    ...damage(evaluation),
    ...assertedIdentities(facts, people),
    { kind: "pairs", rows: identity(facts, certificate_id) },
    checksTable(evaluation.checks),
    { kind: "pairs", rows: holders(facts, people) },
    { kind: "paragraph", words: { text: STATEMENT, look: "small", tone: "quiet" } },
  ];
}

function result({ checks, passed, score, warnings }: Evaluation): Block {
  const satisfied = checks.filter((check) => check.satisfied).length;
  const noted = warnings.length === 0 ? [] : [`${counted(warnings.length, "warning")}, not scored, on the next page.`];
  const failed = checks.filter((check) => !check.satisfied).map(({ number, detail }) => `Check ${number}: ${detail}`);
  return {
    kind: "callout",
    tone: passed ? "good" : "bad",
    title: passed ? "All eight checks are satisfied" : `${satisfied} of ${checks.length} checks are satisfied`,
    text: [...failed, ...noted].join("\n"),
    figure: `${score} of 100`,
  };
}

// Damage does not affect the score, but it must appear on page 1.
function damage({ warnings }: Evaluation): Block[] {
  return warnings
    .filter(({ code }) => code === "tamper_detected")
    .map(({ message }) => ({ kind: "callout", tone: "bad", title: "Damage was detected", text: message }));
}

function identity({ org, envelope, source, evaluated_at, copy, document }: Facts, certificate_id: string): Pair[] {
  const pages = document === null ? [] : [counted(document.pages, "page")];
  return [
    pair("Certificate", certificate_id),
    pair("Envelope", envelope.envelope_id),
    ...(envelope.external_id === null ? [] : [pair("External id", envelope.external_id)]),
    pair("Organization", `${org.name} (${org.org_id})`),
    pair("Source", sourceName(source)),
    pair("Evaluated", utc(evaluated_at)),
    pair("Document SHA-256", hashOr(copy?.sha256 ?? null)),
    pair("Size", copy === null ? NOT_RECORDED : [`${grouped(copy.size)} bytes`, ...pages].join(", ")),
  ];
}

function checksTable(checks: readonly CheckResult[]): Block {
  return {
    kind: "table",
    columns: [
      { head: "Check", share: 7, align: "end" },
      { head: "Requirement, and what was found", share: 95 },
      { head: "Result", share: 10 },
      { head: "Points", share: 13, align: "end" },
    ],
    rows: checks.map((check): Cell[] => [
      String(check.number),
      [check.requirement, { text: check.detail, look: "small", tone: check.satisfied ? "quiet" : "bad" }],
      verdict(check),
      `${pointsOf(check)} of ${check.weight}`,
    ]),
  };
}

export const verdict = ({ satisfied }: CheckResult, more = ""): Words =>
  satisfied ? { text: `PASS${more}`, look: "strong", tone: "good" } : { text: `FAIL${more}`, look: "strong", tone: "bad" };

export const pointsOf = ({ satisfied, weight }: CheckResult): number => (satisfied ? weight : 0);

function holders(facts: Facts, people: CertificateDetails["people"]): Pair[] {
  const { envelope, permissions, seal } = facts;
  const custodian = permissions.find(({ state }) => state === "active");
  return [
    pair("Secured party", envelope.secured_party === null ? quiet("none named") : firstLine(partyWords(envelope.secured_party))),
    pair("Custodian", custodian === undefined ? quiet("none") : [personOf(custodian.user_id, people), ...since(custodian.activated_at)]),
    pair("Seal", textOr(seal?.subject)),
    pair("Seal certificate", seal === null ? NOT_RECORDED : hashWords(seal.certificate_sha256)),
    pair("Time source", withoutLabel(timeSource(facts))),
  ];
}

// Page 1 shows only the party's name; the register has its address and identifier.
const firstLine = ([name]: readonly Words[]): Words => name ?? NOT_RECORDED;

const since = (time: string | null): Words[] => (time === null ? [] : [quiet(`since ${utc(time)}`)]);
