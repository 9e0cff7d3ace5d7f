// The content of a completion certificate: what the audit trail says about one finished envelope, vaulted or not. It reports what was
// recorded and draws no conclusions. The first page is for readers who have never seen this service.

import type { SessionFacts, SignerFacts } from "../facts.ts";
import type { RecipientFacts, SignerFacts2 } from "../facts-2.ts";
import { isOfForm } from "../form-token.ts";
import { HIGHEST_LEVEL, methodWords } from "../identity-methods.ts";
import { TEST_OPERATION } from "../test-record.ts";
import type { Link } from "../verify-chain.ts";
import { chainRecipients, chainSigners, type NamedRecipient, type NamedSigner, ofType, saidIn, textIn } from "./chain-signers.ts";
import { textBlocks } from "./closing-blocks.ts";
import { credentialName } from "./credentials.ts";
import type { PrintedMark, PrintedText } from "./details.ts";
import type { Block, Cell, CertificateModel, Pair, Tone, Words } from "./document.ts";
import { eventWords } from "./event-words.ts";
import { localTime, timezoneOf } from "./local-time.ts";
import { pictureOf } from "./mark-pictures.ts";
import { documentsIn, partBlocks } from "./part-blocks.ts";
import { recipientBlocks } from "./recipient-blocks.ts";
import { ATTRIBUTION, eachSigner, levelOf } from "./signer-blocks.ts";
import { clock, counted, hashWords, pair, passWords, personOf, quiet, shortHash, small, toWords } from "./wording.ts";

export const completionStatuses = ["completed", "vaulted", "declined", "voided", "expired"] as const;
export type CompletionStatus = (typeof completionStatuses)[number];

export type CompletionDetails = {
  readonly status: CompletionStatus;
  readonly org: { readonly org_id: string; readonly name: string };
  readonly envelope: {
    readonly envelope_id: string;
    readonly envelope_name: string;
    readonly external_id: string | null;
    readonly kba_required: boolean;
    readonly auto_vault_enabled: boolean;
  };
  /** the entries up to the one that `completionEnd` returns */
  readonly links: readonly Link[];
  /** empty for a draft that was voided, and for a document that was not signed here */
  readonly signers: readonly NamedSigner[];
  /** approvers, viewers and people who get a copy */
  readonly recipients?: readonly NamedRecipient[];
  readonly marks: readonly PrintedMark[];
  /** the texts that signers accepted, in full */
  readonly texts: readonly PrintedText[];
  /** the SHA-512 of stored versions, by their SHA-256 */
  readonly sha512: Readonly<Record<string, string>>;
  /** known names of users, by ID */
  readonly people: Readonly<Record<string, string>>;
  /** SHA-256 of the installation's root certificate (DER) */
  readonly root_sha256: string | null;
  readonly trust_address: string;
  readonly verifier_address: string;
};

type Ended = Pick<CompletionDetails, "status"> & { readonly envelope: Pick<CompletionDetails["envelope"], "auto_vault_enabled"> };

/** With auto-vault the vault seals the document, so the signed document is complete when it is stamped. */
function endType({ status, envelope }: Ended): string {
  if (status === "completed") return envelope.auto_vault_enabled ? "document.stamped" : "document.sealed";
  return status === "vaulted" ? "vault.certificate.issued" : `envelope.${status}`;
}

/**
 * The entry with which an envelope reached its status, so that a certificate of the same envelope and status always says the same. Null
 * if the trail does not have it yet: the signed document is still being made, or the expiry is not recorded yet.
 */
export const completionEnd = (links: readonly Link[], ended: Ended): Link | null =>
  links.find(({ entry }) => entry.type === endType(ended)) ?? null;

/** The versions that the certificate names by hash, for the caller to add their SHA-512. */
export const completionHashes = (links: readonly Link[]): string[] =>
  [...receivedIn(links), ...versionsIn(links)].map(({ sha256 }) => sha256);

const TITLES: Readonly<Record<CompletionStatus, string>> = {
  completed: "Completion certificate",
  vaulted: "Completion certificate",
  declined: "Completion certificate: declined",
  voided: "Completion certificate: voided",
  expired: "Completion certificate: expired",
};

const ABOUT =
  "This states what the service recorded about one envelope: who was asked to sign, who signed, when, and how each person got access. It is not a legal opinion.";

/**
 * Returns the certificate as a document model for the typesetter. The same arguments give the same model.
 * @example const { bytes } = await pool.typeset(completionOf(details))
 */
export function completionOf(details: CompletionDetails): CertificateModel {
  const { status, org, envelope, links, texts } = details;
  const signers = chainSigners(links, details.signers);
  const recipients = chainRecipients(links, details.recipients ?? []);
  const record = { org, envelope, source: "signed_here", signers, attestation: null } as const;
  const last = links.at(-1)?.entry.hash ?? "";
  return {
    title: `${TITLES[status]}, ${envelope.envelope_id}`,
    subject: envelope.envelope_name,
    author: org.name,
    language: "en",
    paper: "a4",
    footer: { before: envelope.envelope_id, after: shortHash(last) },
    blocks: [
      { kind: "title", text: TITLES[status], below: envelope.envelope_name },
      { kind: "paragraph", words: { text: ABOUT, look: "small", tone: "quiet" } },
      outcome(details, signers, recipients),
      { kind: "pairs", rows: identity(details) },
      ...signatures(details, signers),
      ...recipientBlocks(recipients, { org, people: details.people }),
      ...partBlocks(documentsIn(links)),
      ...documentBlocks(details),
      ...(signers.length === 0 ? [] : [{ kind: "heading", level: 1, text: "Signers", new_page: true } as const]),
      ...eachSigner(record, details),
      ...eventBlocks(details, signers),
      ...verifyBlocks(details),
      ...textBlocks(texts),
    ],
  };
}

const second = (time: string): string => `${clock(time).slice(0, 19)} UTC`;

const TONES: Readonly<Record<CompletionStatus, Tone>> = {
  completed: "good",
  vaulted: "good",
  declined: "bad",
  voided: "bad",
  expired: "caution",
};

/** How the envelope ended, in one sentence. */
function outcome(details: CompletionDetails, signers: readonly SignerFacts[], recipients: readonly RecipientFacts[]): Block {
  const { status, links } = details;
  const end = completionEnd(links, details);
  const signed = signers.filter(({ signed_at }) => signed_at !== null).length;
  const others = othersWords(recipients);
  const progress = signers.length === 0 ? [] : [`${signed} of ${counted(signers.length, "signer")} had signed.`, ...others];
  const at = end === null ? "" : ` at ${second(end.entry.at)}`;
  const who = end === null ? "" : actorName(end.entry.actor, details, signers);
  const reason = end === null ? null : textIn(saidIn(end).reason);
  const given = reason === null || reason === "" ? ["No reason was given."] : [`Reason given: ${reason}`];
  const says: Readonly<Record<CompletionStatus, readonly [title: string, lines: readonly string[]]>> = {
    completed: [`Signed by ${everyone(signers)}${completedAt(links)}`, [...others, sealedWords(details)]],
    vaulted: [storedTitle(signers, links), [...others, "The sealed original was stored in the vault of the organization."]],
    declined: [`${end?.entry.actor.kind === "recipient" ? "Rejected" : "Declined"} by ${who}${at}`, [...given, ...progress]],
    voided: [`Voided by ${who}${at}`, [...given, ...progress]],
    expired: [`Expired${expiredAt(end)}`, progress],
  };
  const [title, lines] = says[status];
  return { kind: "callout", tone: TONES[status], title, ...(lines.length > 0 && { text: lines.join("\n") }) };
}

/** What was asked of those who do not sign, and how many did it. */
function othersWords(recipients: readonly RecipientFacts[]): string[] {
  const of = (kind: RecipientFacts["kind"], status: string, did: string): string[] => {
    const all = recipients.filter((one) => one.kind === kind);
    return all.length === 0 ? [] : [`${all.filter((one) => one.status === status).length} of ${counted(all.length, kind)} ${did}.`];
  };
  return [...of("approver", "approved", "approved"), ...of("viewer", "confirmed", "confirmed that they have read it")];
}

/** The deadline, not the moment up to a minute later at which it was recorded. */
const expiredAt = (end: Link | null): string => (end === null ? "" : ` at ${second(textIn(saidIn(end).expires_at) ?? end.entry.at)}`);

const sealedWords = ({ envelope }: CompletionDetails): string =>
  envelope.auto_vault_enabled ? "Not sealed yet: with auto-vault, the vault makes the sealed original." : "The signed document was sealed.";

const everyone = ({ length }: readonly SignerFacts[]): string => `${length} of ${counted(length, "signer")}`;
const completedAt = (links: readonly Link[]): string => {
  const completed = ofType(links, "envelope.completed")[0];
  return completed === undefined ? "" : ` at ${second(completed.entry.at)}`;
};
/** A deposit was signed elsewhere: nothing is known here about who signed. */
const storedTitle = (signers: readonly SignerFacts[], links: readonly Link[]): string =>
  signers.length === 0 ? "Signed outside this service, and stored in the vault" : `Signed by ${everyone(signers)}${completedAt(links)}`;

function identity(details: CompletionDetails): Pair[] {
  const { status, org, envelope, links } = details;
  const sent = ofType(links, "envelope.sent")[0];
  const pages = saidIn(ofType(links, "document.prepared").at(-1) ?? NOTHING).pages;
  const last = links.at(-1)?.entry;
  return [
    pair("Envelope", envelope.envelope_id),
    ...(envelope.external_id === null ? [] : [pair("External id", envelope.external_id)]),
    pair("Organization", `${org.name} (${org.org_id})`),
    pair("Status", STATUS_WORDS[status]),
    pair("Sent", sent === undefined ? quiet("not sent") : `${second(sent.entry.at)} by ${actorName(sent.entry.actor, details, [])}`),
    ...(typeof pages === "number" ? [pair("Pages", String(pages))] : []),
    ...(last === undefined
      ? []
      : [pair("As of", [second(last.at), quiet(`${counted(last.seq, "audit entry", "audit entries")}. Nothing later is covered.`)])]),
  ];
}

const NOTHING = { data: null } as Link;

const STATUS_WORDS: Readonly<Record<CompletionStatus, string>> = {
  completed: "Completed",
  vaulted: "Vaulted",
  declined: "Declined",
  voided: "Voided",
  expired: "Expired",
};

function signatures(details: CompletionDetails, signers: readonly SignerFacts2[]): Block[] {
  if (signers.length === 0) {
    const words =
      details.status === "voided"
        ? "The envelope was never sent, so no one was asked to sign."
        : "This document was not signed in this service. Its compliance certificate says what was declared about the signatures.";
    return [
      { kind: "heading", level: 1, text: "Signatures" },
      { kind: "paragraph", words: quiet(words) },
    ];
  }
  return [
    { kind: "heading", level: 1, text: "Signatures" },
    {
      kind: "table",
      columns: [
        { head: "Person", share: 130 },
        { head: "Signature", share: 120 },
        { head: "Signed", share: 105 },
        { head: "Identified by", share: 132 },
      ],
      rows: [...signers].sort((a, b) => a.order - b.order).map((signer) => signatureRow(signer, details)),
    },
    { kind: "paragraph", words: { text: ATTRIBUTION, look: "small", tone: "quiet" } },
  ];
}

function signatureRow(signer: SignerFacts2, details: CompletionDetails): Cell[] {
  const { name, email, role } = signer;
  const mark = signer.signatures.find(({ kind }) => kind === "signature") ?? signer.signatures[0];
  const picture = mark === undefined ? null : pictureOf(mark.mark_sha256, details.marks);
  return [
    [
      { text: name ?? "", look: "strong" },
      quiet(email ?? ""),
      ...(role === null ? [] : [{ text: role, look: "small", tone: "quiet" } as const]),
    ],
    picture === null ? quiet(mark === undefined ? "none" : "its bytes are not available") : { picture, alt: `Signature of ${name}` },
    signedWords(signer, details),
    identifiedBy(signer, details),
  ];
}

function signedWords({ slug, signed_at, status }: SignerFacts, { links }: CompletionDetails): Words[] {
  if (signed_at === null) return [quiet(status)];
  const zone = timezoneOf(slug, links);
  const local = zone === null ? null : localTime(signed_at, zone);
  return [second(signed_at), ...(local === null ? [] : [{ text: local, look: "small", tone: "quiet" } as const])];
}

/** What the trail shows about the visit in which the person signed; for a person who has not signed, about their last visit. */
function identifiedBy(signer: SignerFacts2, details: CompletionDetails): Words[] {
  const visit = visitOf(signer);
  if (visit === undefined) return [quiet("not opened")];
  const passed = signer.kba.findLast((one) => one.passed);
  const consent = signer.consents.findLast(({ withdrawn_at }) => withdrawn_at === null);
  const lines = [
    ...codeWords(signer),
    ...(passed === undefined ? [] : [`Identity questions ${questionWords(visit)}, set by ${providerName(passed.provider, details)}`]),
    `IP address ${visit.ip}`,
    ...(consent === undefined ? [] : [`Consent ${second(consent.accepted_at)}, disclosure ${consent.disclosure_version}`]),
  ];
  return [capital(accessWords(visit, details)), ...lines.map((text): Words => ({ text, look: "small", tone: "quiet" }))];
}

const questionWords = ({ by }: SessionFacts): string => (by === TEST_OPERATION ? "recorded as passed by a test operation" : "answered");

/** The codes that the person entered, and the level with what else they passed. */
function codeWords(signer: SignerFacts2): string[] {
  const passed = (signer.identity ?? []).filter((one) => one.passed);
  const methods = [...new Set(passed.map(({ method }) => method))];
  const lines = methods.map((method) => {
    const last = passed.findLast((one) => one.method === method);
    return capital(last === undefined ? methodWords(method) : passWords(last));
  });
  return lines.length === 0 ? [] : [...lines, `Identity level ${levelOf(signer)} of ${HIGHEST_LEVEL}`];
}

function visitOf({ sessions, signatures }: SignerFacts): SessionFacts | undefined {
  return sessions.findLast(({ session }) => signatures.some((one) => one.session === session)) ?? sessions.at(-1);
}

/** Shorter than among the details of the signer, which name the key or member. */
function accessWords(visit: SessionFacts, { org, people }: CompletionDetails): string {
  if (visit.by === TEST_OPERATION) return "test operation, on an embedded page";
  if (visit.credential === "embed_token" && !isOfForm(visit)) return `embedded page, identity asserted by ${org.name}`;
  if (visit.link_kind === "mailed" && typeof visit.mail_sent_at === "string") return `link sent by e-mail to ${visit.email}`;
  return credentialName(visit, { org }, people);
}

const providerName = (provider: string, { org }: CompletionDetails): string =>
  provider === "partner_questions" ? org.name : toWords(provider);
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

interface Version {
  readonly label: string;
  readonly sha256: string;
}

/** Without the files that were removed or replaced before the envelope was sent. */
function withoutReplaced(links: readonly Link[]): readonly Link[] {
  return links.filter((link, index) => {
    const { document_id } = saidIn(link);
    if (link.entry.type !== "document.received" || document_id === undefined) return true;
    const isLater = ({ entry }: Link) => entry.type === "document.received" || entry.type === "document.removed";
    return !links.slice(index + 1).some((later) => isLater(later) && saidIn(later).document_id === document_id);
  });
}

/** The versions of the document that the trail names, oldest first, each hash once. */
function versionsIn(links: readonly Link[]): Version[] {
  const isOne = documentsIn(links).length === 0;
  const found = withoutReplaced(links).flatMap((link): Version[] => {
    const said = saidIn(link);
    const version = (label: string, hash: unknown): Version[] => (typeof hash === "string" ? [{ label, sha256: hash }] : []);
    switch (link.entry.type) {
      case "document.received":
        return isOne ? version("As received", said.received_sha256) : [];
      case "document.prepared":
        return version("As sent to the signers", said.sha256);
      case "document.stamped":
        return version("With all signatures, before the seal", said.sha256);
      case "document.sealed":
        return version("Signed and sealed", said.sha256);
      case "vault.stored":
        return version("Original in the vault", said.hash);
      default:
        return [];
    }
  });
  return found.filter(({ sha256 }, index) => found.findIndex((other) => other.sha256 === sha256) === index);
}

/** The heading of the versions of what was signed. */
const wholeIn = (links: readonly Link[]): string => (documentsIn(links).length > 0 ? "All documents in one" : "Document");

function documentBlocks({ links, sha512 }: CompletionDetails): Block[] {
  const section = (text: string, versions: readonly Version[]): Block[] => {
    const rows = versions.map(({ label, sha256 }) => pair(label, [quiet("SHA-256"), hashWords(sha256), ...hash512(sha512[sha256])]));
    return rows.length === 0
      ? []
      : [
          { kind: "heading", level: 1, text },
          { kind: "pairs", rows },
        ];
  };
  return [...section("Documents as received", receivedIn(links)), ...section(wholeIn(links), versionsIn(links))];
}

/** Of several documents, which are one only once they are sent. */
function receivedIn(links: readonly Link[]): Version[] {
  if (documentsIn(links).length === 0) return [];
  return withoutReplaced(links).flatMap((link): Version[] => {
    const { name, received_sha256 } = saidIn(link);
    if (link.entry.type !== "document.received" || typeof received_sha256 !== "string") return [];
    return [{ label: textIn(name) ?? "A document", sha256: received_sha256 }];
  });
}

// Half of a SHA-512 fits on a line.
const hash512 = (hash: string | undefined): Words[] =>
  hash === undefined ? [] : [quiet("SHA-512"), hashWords(hash.slice(0, 64)), hashWords(hash.slice(64))];

function eventBlocks(details: CompletionDetails, signers: readonly SignerFacts[]): Block[] {
  return [
    { kind: "heading", level: 1, text: "All events up to the end, oldest first" },
    {
      kind: "table",
      dense: true,
      columns: [
        { head: "No.", share: 20, align: "end" },
        { head: "Time (UTC)", share: 82 },
        { head: "What happened", share: 185 },
        { head: "By", share: 130 },
        { head: "IP address", share: 70 },
      ],
      rows: details.links.map((link): Words[] => [
        small(String(link.entry.seq)),
        small(clock(link.entry.at).slice(0, 19)),
        small(eventWords(link)),
        small(actorName(link.entry.actor, details, signers)),
        small(addressIn(link)),
      ]),
    },
  ];
}

/** The service has no address of its own that would say anything. */
const addressIn = (link: Link): string => (link.entry.actor.kind === "system" ? "" : (textIn(saidIn(link).ip) ?? ""));

/** Signers by name: the ID in an entry is part of their signing link. */
function actorName(
  { kind, id }: Link["entry"]["actor"],
  { people, recipients }: CompletionDetails,
  signers: readonly SignerFacts[],
): string {
  if (kind === "signer") return signers.find(({ slug }) => slug === id)?.name ?? "a signer";
  if (kind === "recipient") return (recipients ?? []).find(({ slug }) => slug === id)?.name ?? "a recipient";
  if (kind === "user") return personOf(id, people);
  if (kind === "key") return `API key ${id}`;
  if (kind === "system") return "the service";
  return kind;
}

const hashHeadings = (links: readonly Link[]): string =>
  documentsIn(links).length > 0 ? `“${wholeIn(links)}” or, for a single document, under “Documents”` : `“${wholeIn(links)}”`;

function verifyBlocks({ status, root_sha256, trust_address, verifier_address, links }: CompletionDetails): Block[] {
  const isSigned = status === "completed" || status === "vaulted";
  const steps = [
    `This certificate is sealed with a PAdES signature of the organization. A PDF reader shows the seal, and says whether the file was changed afterwards. A seal certificate that this installation issued is shown as one of an unknown issuer, unless the installation's root ${root_sha256 === null ? "" : "below "}is made known to the reader.`,
    ...(isSigned
      ? [
          `Compute the SHA-256 or SHA-512 of the file that you have and compare it with the hashes under ${hashHeadings(links)}. Copies are marked as copies on every page and have other hashes.`,
        ]
      : []),
    ...(status === "vaulted"
      ? [
          `Ask the organization for the evidence bundle of this envelope, and check it with the page ${verifier_address}, which works without a network once it is saved, or with the program countersign-verify.`,
        ]
      : []),
    `${root_sha256 === null ? "" : "Compare the root with one that reached you by another way than this file. "}The installation publishes its keys at ${trust_address}.`,
  ];
  const last = links.at(-1)?.entry;
  return [
    { kind: "heading", level: 1, text: "How to verify this" },
    ...steps.map((words, index): Block => ({ kind: "item", mark: `${index + 1}.`, words })),
    {
      kind: "pairs",
      rows: [
        ...(root_sha256 === null ? [] : [pair("Root certificate", [hashWords(root_sha256), quiet("SHA-256 of the root certificate")])]),
        ...(last === undefined
          ? []
          : [pair("Audit trail", [hashWords(last.hash), quiet(`SHA-256 of entry ${last.seq}, the last one that is covered`)])]),
      ],
    },
  ];
}
