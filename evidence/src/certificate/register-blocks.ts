// The registers of custodians, assignees and issued copies, and the audit trail.

import type { Actor } from "../entry.ts";
import type { AssignmentFacts } from "../facts.ts";
import type { Facts2 as Facts } from "../facts-2.ts";
import type { Link } from "../verify-chain.ts";
import type { CertificateDetails } from "./details.ts";
import type { Block, Cell, Words } from "./document.ts";
import { clock, counted, NOT_RECORDED, partyWords, personOf, quiet, shortHash, small, toWords, utc } from "./wording.ts";

export function registerBlocks(facts: Facts, people: CertificateDetails["people"]): Block[] {
  return [
    { kind: "heading", level: 1, text: "Registers" },
    { kind: "heading", level: 2, text: "Custody" },
    custody(facts, people),
    { kind: "heading", level: 2, text: "Assignees" },
    assignees(facts),
    { kind: "heading", level: 2, text: "Copies issued" },
    { kind: "paragraph", words: `Issued before vaulting: ${facts.issued_before}.` },
    ...copies(facts),
  ];
}

const none = (text: string): Block => ({ kind: "paragraph", words: quiet(text) });

function custody({ permissions }: Facts, people: CertificateDetails["people"]): Block {
  if (permissions.length === 0) return none("No custodian is recorded.");
  return {
    kind: "table",
    columns: [
      { head: "Custodian", share: 170 },
      { head: "Permission", share: 140 },
      { head: "State", share: 50 },
      { head: "From, until (UTC)", share: 100 },
    ],
    rows: permissions.map(({ user_id, permission_id, from_user_id, state, activated_at, closed_at }): Cell[] => [
      [...personWords(user_id, people), ...(from_user_id === null ? [] : [quietSmall(`from ${personOf(from_user_id, people)}`)])],
      small(permission_id),
      state,
      [timeCell(activated_at), ...(closed_at === null ? [] : [timeCell(closed_at)])],
    ]),
  };
}

// A name and an ID do not fit on one line of a column.
const personWords = (user_id: string, people: CertificateDetails["people"]): Words[] =>
  Object.hasOwn(people, user_id) ? [people[user_id] ?? "", quietSmall(user_id)] : [user_id];

const quietSmall = (text: string): Words => ({ text, look: "small", tone: "quiet" });
const timeCell = (time: string | null): Words => (time === null ? NOT_RECORDED : small(clock(time)));

function assignees({ assignments }: Facts): Block {
  if (assignments.length === 0) return none("No assignee is recorded.");
  return {
    kind: "table",
    columns: [
      { head: "Row", share: 22, align: "end" },
      { head: "Party", share: 200 },
      { head: "Consent of the party before", share: 175 },
      { head: "State", share: 50 },
      { head: "Entry", share: 25, align: "end" },
    ],
    rows: assignments.map((row): Cell[] => [String(row.seq), partyWords(row.party), consentWords(row), row.state, String(row.entry_seq)]),
  };
}

/** The act that the party before confirmed, or that corrected a name. */
type ActConsent = { readonly method: "act" | "correction"; readonly act_id: string };

function consentWords({ seq, ...row }: Facts["assignments"][number]): Words[] {
  const consent = row.consent as AssignmentFacts["consent"] | ActConsent;
  if (consent === null) return [quiet(seq === 1 ? "first designation" : "none recorded")];
  if ("act_id" in consent)
    return [consent.method === "correction" ? "correction of the name" : "confirmed act", quietSmall(consent.act_id)];
  const { method, given_by, given_at, statement } = consent;
  const giver = given_by.email === null ? given_by.name : `${given_by.name}, ${given_by.email}`;
  return [`${toWords(method)} by ${giver}`, quietSmall(utc(given_at)), ...(statement === null ? [] : [quietSmall(`“${statement}”`)])];
}

function copies({ copies: issued }: Facts): Block[] {
  if (issued.length === 0) return [none("No copy was issued since.")];
  return [
    {
      kind: "table",
      dense: true,
      columns: [
        { head: "Copy", share: 150 },
        { head: "Kind", share: 120 },
        { head: "Issued (UTC)", share: 100 },
        { head: "Marked pages", share: 60, align: "end" },
      ],
      rows: issued.map(({ copy_id, kind, issued_at, pages, marked_pages }) => [
        small(copy_id),
        small(toWords(kind)),
        small(clock(issued_at)),
        { text: `${marked_pages} of ${pages}`, look: "small", tone: marked_pages >= pages ? "plain" : "bad" },
      ]),
    },
  ];
}

export function trailBlocks(links: readonly Link[], people: Pick<Facts, "signers" | "recipients">): Block[] {
  return [
    { kind: "heading", level: 1, text: "Audit trail" },
    {
      kind: "paragraph",
      words: quiet(`${counted(links.length, "entry", "entries")} up to this evaluation. Times are UTC; of each hash the first 16 digits.`),
    },
    {
      kind: "table",
      dense: true,
      columns: [
        { head: "No.", share: 22, align: "end" },
        { head: "Time (UTC)", share: 92 },
        { head: "Entry", share: 112 },
        { head: "Actor", share: 148 },
        { head: "Hash", share: 72 },
      ],
      rows: links.map(({ entry: { seq, at, type, actor, hash } }): Words[] => [
        small(String(seq)),
        small(clock(at)),
        small(type),
        small(actorName(actor, people)),
        { text: shortHash(hash), look: "fixed" },
      ]),
    },
  ];
}

/** Signers are shown by number and other recipients by name, because the ID in an entry is part of their link. */
function actorName({ kind, id }: Actor, { signers, recipients = [] }: Pick<Facts, "signers" | "recipients">): string {
  if (kind === "system") return "the service";
  if (kind === "recipient") return recipients.find(({ slug }) => slug === id)?.name ?? "Recipient, since changed";
  if (kind !== "signer") return `${kind} ${id}`;
  const signer = signers.find(({ slug }) => slug === id);
  return signer === undefined ? "Signer, since corrected" : `Signer ${signer.order}`;
}
