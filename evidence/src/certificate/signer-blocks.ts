// Who signed, when and how: what each signer did in this service, or what was attested about signatures made elsewhere.

import type { Attestation, ConsentFacts, SignerFacts } from "../facts.ts";
import type { Facts2 as Facts, SignerFacts2 } from "../facts-2.ts";
import { HIGHEST_LEVEL, identityLevel, methodWords } from "../identity-methods.ts";
import { askedOf, passOf } from "../rules/2/identity-results.ts";
import { TEST_OPERATION } from "../test-record.ts";
import { credentialName } from "./credentials.ts";
import type { CertificateDetails } from "./details.ts";
import type { Block, Cell, Pair, Words } from "./document.ts";
import { invitationLines } from "./invitations.ts";
import { localTime, timezoneOf } from "./local-time.ts";
import { pictureOf } from "./mark-pictures.ts";
import { capitalized, clock, NOT_RECORDED, pair, passWords, quiet, shortHash, small, textOr, timeOr, toWords, utc } from "./wording.ts";

export const ATTRIBUTION =
  "Knowledge-based questions show knowledge of shared information. They are supporting evidence of attribution, not identity verification under NIST SP 800-63A-4. A link sent by e-mail shows control of a mailbox only.";

/** What is printed about signers. A record that is not vaulted has all of it, too. */
export type SignedRecord = Pick<Facts, "source" | "signers" | "attestation"> & {
  readonly org: Pick<Facts["org"], "name">;
  readonly envelope: Pick<Facts["envelope"], "kba_required">;
};
type Details = Pick<CertificateDetails, "people" | "links" | "marks">;

export function signerBlocks(facts: SignedRecord, details: Details): Block[] {
  const { signers, attestation } = facts;
  if (signers.length === 0 && attestation === null) {
    return [
      { kind: "heading", level: 1, text: "Signers", new_page: true },
      { kind: "paragraph", words: quiet("No signer is saved with the record, and none is attested.") },
    ];
  }
  return [
    { kind: "heading", level: 1, text: "Signers", new_page: true },
    ...(facts.source === "signed_here" ? [{ kind: "paragraph", words: { text: ATTRIBUTION, look: "small", tone: "quiet" } } as const] : []),
    ...eachSigner(facts, details),
    ...(attestation === null ? [] : attestationBlocks(attestation)),
  ];
}

/** Each signer in their order, without what introduces the list. */
export const eachSigner = (facts: SignedRecord, details: Details): Block[] =>
  [...facts.signers].sort((a, b) => a.order - b.order).flatMap((signer) => signerBlock(signer, facts, details));

function signerBlock(signer: SignerFacts2, facts: SignedRecord, { people, links, marks }: Details): Block[] {
  const { source, envelope } = facts;
  const { order, slug, email, role, required, status, signed_at } = signer;
  const heading = { kind: "heading", level: 2, text: [`Signer ${order}`, ...namesOf(signer)].join(": ") } as const;
  const need = required ? "required" : "optional";
  // For an upload, only the expected signers are known; nothing happened in this service.
  if (source !== "signed_here") {
    return [heading, { kind: "pairs", rows: [pair("E-mail", textOr(email)), pair("Role", `${role ?? "none"}, ${need}`)] }];
  }
  const consent = consentOf(signer);
  return [
    heading,
    {
      kind: "pairs",
      holds_next: true,
      rows: [
        pair("E-mail", textOr(email)),
        pair("Role", `${role ?? "none"}, ${need}, ${toWords(status)}`),
        pair("Invitation", invitationLines(signer, links)),
      ],
    },
    {
      kind: "pairs",
      columns: 2,
      holds_next: true,
      rows: [
        pair("Opened", timeOr(firstTime(signer.sessions.map(({ opened_at }) => opened_at)))),
        pair("Rendered", timeOr(consent?.rendered_at)),
        pair("Consented", timeOr(consent?.accepted_at)),
        pair("Authenticated", signer.sessions.length === 0 ? quiet("not recorded") : authenticated(signer, envelope.kba_required)),
      ],
    },
    { kind: "pairs", rows: [pair("Signed", signedCell(signed_at, timezoneOf(slug, links)))] },
    ...withdrawals(signer),
    ...sessionTable(signer, facts, people),
    ...markTable(signer, marks),
  ];
}

// The consent in force when the signer signed; otherwise the last one.
function consentOf({ consents, signed_at }: SignerFacts): ConsentFacts | undefined {
  const before = consents.filter(({ accepted_at }) => signed_at === null || accepted_at <= signed_at);
  return before.findLast(({ withdrawn_at }) => withdrawn_at === null) ?? before.at(-1) ?? consents.at(-1);
}

const namesOf = ({ name, email, role }: SignerFacts): string[] => {
  const known = name ?? email ?? role;
  return known === null ? [] : [known];
};

/** With the time on the signer's own clock, if the signer's browser stated its zone. */
function signedCell(signed_at: string | null, timezone: string | null): Cell {
  const local = signed_at === null || timezone === null ? null : localTime(signed_at, timezone);
  return local === null ? timeOr(signed_at) : [timeOr(signed_at), quiet(local)];
}

const firstTime = (times: readonly string[]): string | null => [...times].sort()[0] ?? null;

/** One line for each method, then the level. Without any, the link or token is all there is. */
function authenticated(signer: SignerFacts2, asksQuestions: boolean): Cell {
  const lines = [...codeLines(signer), ...questionLines(signer, asksQuestions)];
  if (lines.length === 0) return quiet("by the link or token alone");
  return [...lines, quiet(`Identity level ${levelOf(signer)} of ${HIGHEST_LEVEL} (levels of this service, not of eIDAS)`)];
}

/** Those that were required, and those that were passed without being required at the end. */
function codeLines(signer: SignerFacts2): Words[] {
  const { identity = [] } = signer;
  const asked = askedOf(signer);
  const methods = [...new Set([...asked, ...identity.filter(({ passed }) => passed).map(({ method }) => method)])];
  return methods.flatMap((method): Words[] => {
    const pass = lastPass(signer, method);
    if (pass === null) return asked.includes(method) ? [{ text: `required ${methodWords(method)} not passed`, tone: "bad" }] : [];
    return [utc(pass.at), quiet(passWords(pass))];
  });
}

/** The pass on which the signature rests; for a person who has not signed, their last one. */
function lastPass(signer: SignerFacts2, method: string) {
  if (signer.signatures.length > 0) return passOf(signer, method);
  return signer.identity?.findLast((one) => one.method === method && one.passed) ?? null;
}

function questionLines({ kba, sessions }: SignerFacts2, isRequired: boolean): Words[] {
  const passed = kba.findLast((attempt) => attempt.passed);
  const isTest = sessions.some(({ session, by }) => session === passed?.session && by === TEST_OPERATION);
  const by = isTest ? ", recorded by a test operation" : "";
  if (passed !== undefined) return [utc(passed.at), quiet(`knowledge-based questions, ${toWords(passed.provider)}${by}`)];
  return isRequired ? [{ text: "required questions not passed", tone: "bad" }] : [];
}

/** Of what was passed in the visit in which the person signed; for a person who has not signed, of what they passed last. */
export function levelOf(signer: SignerFacts2): number {
  const { identity = [], kba, signatures } = signer;
  const codes = new Set(identity.map(({ method }) => method));
  const session = signatures[0]?.session;
  const answered = kba.some((one) => one.passed && (session === undefined || one.session === session));
  return identityLevel([...[...codes].filter((method) => lastPass(signer, method) !== null), ...(answered ? ["kba"] : [])]);
}

function withdrawals({ consents }: SignerFacts): Block[] {
  const rows = consents.flatMap(({ withdrawn_at }): Pair[] => (withdrawn_at === null ? [] : [pair("Withdrawn", utc(withdrawn_at))]));
  return rows.length === 0 ? [] : [{ kind: "pairs", rows }];
}

function sessionTable({ sessions }: SignerFacts, facts: SignedRecord, people: CertificateDetails["people"]): Block[] {
  if (sessions.length === 0) return [];
  return [
    {
      kind: "table",
      dense: true,
      columns: [
        { head: "Opened (UTC)", share: 92 },
        { head: "By", share: 90 },
        { head: "IP address", share: 80 },
        { head: "User agent", share: 185 },
      ],
      rows: sessions.map((session) =>
        [clock(session.opened_at), credentialName(session, facts, people), session.ip, session.user_agent].map(small),
      ),
    },
  ];
}

function markTable(signer: SignerFacts, marks: CertificateDetails["marks"]): Block[] {
  const { signatures } = signer;
  if (signatures.length === 0) return [];
  return [
    ...pictureTable(signer, marks),
    {
      kind: "table",
      dense: true,
      columns: [
        { head: "Applied (UTC)", share: 92 },
        { head: "Field", share: 66 },
        { head: "Method", share: 46 },
        { head: "Mark (SHA-256)", share: 76 },
        { head: "Version seen", share: 76 },
        { head: "Intent", share: 76 },
      ],
      rows: signatures.map((one): Words[] => [
        small(clock(one.applied_at)),
        small(`${one.kind} ${one.position}`),
        one.method === null ? NOT_RECORDED : small(one.method),
        { text: shortHash(one.mark_sha256), look: "fixed" },
        { text: shortHash(one.state_sha256), look: "fixed" },
        one.intent_sha256 === null ? NOT_RECORDED : { text: shortHash(one.intent_sha256), look: "fixed" },
      ]),
    },
  ];
}

/** Each mark once; initials may be on every page of a document. */
function pictureTable(signer: SignerFacts, marks: CertificateDetails["marks"]): Block[] {
  const different = new Map(signer.signatures.map((one) => [one.mark_sha256, one]));
  const who = namesOf(signer)[0] ?? `Signer ${signer.order}`;
  return [
    {
      kind: "table",
      columns: [
        { head: "Mark", share: 60 },
        { head: "As the signer made it", share: 200 },
        { head: "SHA-256", share: 170 },
      ],
      rows: [...different.values()].map(({ kind, method, mark_sha256 }): Cell[] => {
        const picture = pictureOf(mark_sha256, marks);
        return [
          [capitalized(kind), ...(method === null ? [] : [quiet(method)])],
          picture === null ? quiet("its bytes are not available") : { picture, alt: `${capitalized(kind)} of ${who}` },
          { text: mark_sha256, look: "fixed" },
        ];
      }),
    },
  ];
}

function attestationBlocks({ attested_by, signers, paper, external }: Attestation): Block[] {
  const by = attested_by.title === null ? attested_by.name : `${attested_by.name}, ${attested_by.title}`;
  return [
    { kind: "heading", level: 2, text: "Attestation" },
    { kind: "paragraph", words: quiet("What follows was declared to the system by the person named; the system did not observe it.") },
    { kind: "pairs", rows: [pair("Attested by", by), ...paperPairs(paper), ...externalPairs(external)] },
    ...attestedTable(signers),
  ];
}

const yesNo = (value: boolean | null): Words => (value === null ? NOT_RECORDED : value ? "yes" : "no");

function paperPairs(paper: Attestation["paper"]): Pair[] {
  if (paper === null) return [];
  return [
    pair("Signed in ink", yesNo(paper.ink_signed)),
    pair("All signatures", yesNo(paper.all_signatures_present)),
    pair("Pages", paper.page_count === null ? NOT_RECORDED : String(paper.page_count)),
    pair("Original", textOr(paper.original_disposition?.replaceAll("_", " "))),
    pair("Disposed of by", textOr(paper.disposition_by)),
    pair("Disposed of on", textOr(paper.disposition_on)),
  ];
}

function externalPairs(external: Attestation["external"]): Pair[] {
  if (external === null) return [];
  return [
    pair("Provider", textOr(external.provider)),
    pair("Transaction", textOr(external.transaction_id)),
    pair("Consent confirmed", yesNo(external.consent_confirmed)),
    pair("Prior copy", textOr(external.prior_copy_status?.replaceAll("_", " "))),
    ...(external.document_sha256 === null ? [] : [pair("Document there", { text: external.document_sha256, look: "fixed" })]),
    ...(external.evidence_sha256 === null ? [] : [pair("Evidence file", { text: external.evidence_sha256, look: "fixed" })]),
  ];
}

function attestedTable(signers: Attestation["signers"]): Block[] {
  if (signers.length === 0) return [];
  return [
    {
      kind: "table",
      columns: [
        { head: "Name", share: 100 },
        { head: "E-mail", share: 120 },
        { head: "Role", share: 60 },
        { head: "Signed on", share: 52 },
        { head: "Identified by, authenticated by", share: 110 },
      ],
      rows: signers.map((one) => [
        textOr(one.name),
        textOr(one.email),
        textOr(one.role),
        textOr(one.signed_on),
        textOr([one.identified_by, ...one.auth_methods].flatMap((method) => (method === null ? [] : [toWords(method)])).join(", ")),
      ]),
    },
  ];
}
