import type { AttestedSigner, ConsentFacts, Facts, SessionFacts, SignerFacts } from "../../../facts.ts";
import type { Check } from "./check.ts";
import {
  AGAIN,
  attestedNameOf,
  type Condition,
  counted,
  type Failed,
  failed,
  judgeBy,
  nameOf,
  requiredSigners,
  signedBy,
} from "./wording.ts";

export const consentAndAttribution: Check = {
  number: 5,
  id: "consent_and_attribution",
  weight: 12,
  legal_reference: "ESIGN 15 USC 7001(c); UETA 9",
  requirement: "Each signer consented to electronic records before signing, and each signature can be attributed to its signer.",
  judge: (facts) => judgeBy(facts, [bySource[signedBy(facts)]], okBySource[signedBy(facts)]),
};

/** What a disclosure has to say under ESIGN 7001(c)(1), in the order of the act. */
export const disclosureElements = [
  "paper_option",
  "withdraw_right",
  "withdraw_consequences",
  "scope",
  "withdraw_procedure",
  "contact_update",
  "paper_copy",
  "hardware_software",
] as const;

const SIGN_AGAIN = "Neither consent nor attribution can be back-dated: sign again in a new envelope.";
const ATTEST = `Complete the attestation, ${AGAIN}.`;

// Long enough to read a contract after the questions; longer, and the screen may have passed to somebody else.
const KBA_VALID_MINUTES = 60;

const isConsentedByAll: Condition = (facts) => {
  const signers = requiredSigners(facts);
  if (signers.length === 0) return failed("No signer is named.", "Name the signers and send the envelope.");
  for (const signer of signers) {
    const fault = consentFault(facts, signer) ?? attributionFault(facts, signer);
    if (fault !== null) return fault;
  }
  return null;
};

/** When the first mark of a signer was set, and when the last one was signed; null for somebody who did not sign. */
function spanOf({ signatures }: SignerFacts): { readonly begun: string; readonly ended: string } | null {
  const times = signatures.flatMap(({ applied_at, signed_at }) => [applied_at, signed_at]).sort();
  const [begun, ended] = [times[0], times.at(-1)];
  return begun === undefined || ended === undefined ? null : { begun, ended };
}

function consentFault(facts: Facts, signer: SignerFacts): Failed | null {
  const who = nameOf(signer);
  const span = spanOf(signer);
  const consent = span === null ? null : consentBefore(signer, span.begun);
  if (span === null || consent === null) return failed(`No consent to electronic records before signing for ${who}.`, SIGN_AGAIN);
  const { rendered_at, accepted_at, withdrawn_at } = consent;
  if (rendered_at === null || rendered_at > accepted_at) {
    return failed(`${who} consented before the document was rendered.`, SIGN_AGAIN);
  }
  if (withdrawn_at !== null && withdrawn_at <= span.ended) return failed(`${who} withdrew consent before signing.`, SIGN_AGAIN);
  const lacking = lackingIn(facts, consent);
  return lacking === null ? null : failed(`The disclosure that ${who} accepted ${lacking}.`, SIGN_AGAIN);
}

function consentBefore({ consents }: SignerFacts, time: string): ConsentFacts | null {
  const before = consents.filter(({ accepted_at }) => accepted_at < time);
  return before.sort((a, b) => (a.accepted_at < b.accepted_at ? -1 : 1)).at(-1) ?? null;
}

function lackingIn({ texts }: Facts, { disclosure_sha256 }: ConsentFacts): string | null {
  const text = texts.find(({ kind, sha256 }) => kind === "disclosure" && sha256 === disclosure_sha256);
  if (text?.published !== true) return "is not a published one";
  const element = disclosureElements.find((each) => !text.elements.includes(each));
  return element === undefined ? null : `does not declare ${element}`;
}

const CREDENTIALS: Readonly<Record<string, string | undefined>> = { email_link: "link", embed_token: "token" };

function attributionFault({ envelope }: Facts, signer: SignerFacts): Failed | null {
  const who = nameOf(signer);
  const session = sessionOf(signer);
  if (session === null) return failed(`No link or token ties the signature to ${who}.`, SIGN_AGAIN);
  if (!envelope.kba_required || isQuestioned(signer, session)) return null;
  return failed(`${who} signed without passing the required identity questions.`, SIGN_AGAIN);
}

/** The one signing session in which everything was signed, if it is this signer's; else null. */
function sessionOf({ email, signatures, sessions }: SignerFacts): SessionFacts | null {
  const names = new Set(signatures.map(({ session }) => session));
  const session = names.size === 1 ? sessions.find((each) => names.has(each.session)) : undefined;
  if (session === undefined || email === null) return null;
  const isTied = Object.hasOwn(CREDENTIALS, session.credential) && session.email.toLowerCase() === email.toLowerCase();
  return isTied && session.ip !== "" && session.user_agent !== "" ? session : null;
}

// A mark may have been set in an earlier signing session; what counts is the one in which it was signed, and when.
function isQuestioned({ signatures, kba }: SignerFacts, { session }: SessionFacts): boolean {
  const signed = signatures.map(({ signed_at }) => signed_at).sort();
  const [first, last] = [signed[0] ?? "", signed.at(-1) ?? ""];
  const answers = kba.filter((each) => each.session === session && each.at <= last).sort((a, b) => (a.at < b.at ? -1 : 1));
  const answer = answers.at(-1);
  if (answer?.passed !== true || answer.at > first) return false;
  return Date.parse(first) - Date.parse(answer.at) <= KBA_VALID_MINUTES * 60_000;
}

const isConfirmedElsewhere: Condition = ({ attestation, envelope, evidence_file }) => {
  if (attestation?.external?.consent_confirmed !== true) return failed("Consent at the issuing system is not confirmed.", ATTEST);
  if (evidence_file !== null && evidence_file.found_sha256 !== evidence_file.sha256) {
    return failed("The evidence file does not match its recorded hash.", `Restore the file, ${AGAIN}.`);
  }
  const isIdentified = ({ auth_methods }: AttestedSigner) =>
    envelope.kba_required ? auth_methods.includes("kba") : auth_methods.some((method) => method !== "unknown");
  return identification(attestation.signers, isIdentified);
};

const IN_PERSON = ["known_personally", "government_id", "notary", "witness"];
const IN_PERSON_STRICT = ["government_id", "notary"];

const isInk: Condition = ({ attestation, envelope }) => {
  if (attestation?.paper?.ink_signed !== true) return failed("It is not attested that the document was signed in ink.", ATTEST);
  const accepted = envelope.kba_required ? IN_PERSON_STRICT : IN_PERSON;
  return identification(attestation.signers, ({ identified_by }) => accepted.includes(identified_by ?? ""));
};

function identification(signers: readonly AttestedSigner[], isIdentified: (signer: AttestedSigner) => boolean): Failed | null {
  if (signers.length === 0) return failed("No signer is attested.", ATTEST);
  const unknown = signers.find((signer) => !isIdentified(signer));
  return unknown === undefined ? null : failed(`No identification is recorded for ${attestedNameOf(unknown)}.`, ATTEST);
}

const bySource: Record<Facts["source"], Condition> = {
  signed_here: isConsentedByAll,
  electronic_signed: isConfirmedElsewhere,
  paper_upload: isInk,
};

const okBySource: Record<Facts["source"], (facts: Facts) => string> = {
  signed_here: (facts) => {
    const signers = requiredSigners(facts);
    const versions = signers.map((signer) => consentBefore(signer, spanOf(signer)?.begun ?? "")?.disclosure_version ?? "");
    const count = counted(signers.length, "signer consented", "signers consented");
    const are = signers.length === 1 ? "is" : "are";
    return `${signers.length} of ${count} (disclosure ${[...new Set(versions)].join(", ")}) and ${are} attributed: ${signers.map(wayOf).join("; ")}.`;
  },
  electronic_signed: ({ attestation }) => {
    const signers = attestation?.signers ?? [];
    const ways = signers.map(({ auth_methods }) => auth_methods.filter((method) => method !== "unknown").join(" and "));
    return `Consent at the issuing system is confirmed; ${counted(signers.length, "signer is", "signers are")} attributed: ${ways.join("; ")}.`;
  },
  paper_upload: ({ attestation }) => {
    const signers = attestation?.signers ?? [];
    const ways = signers.map(({ identified_by }) => identified_by);
    return `Ink stands in place of electronic consent; ${counted(signers.length, "signer is", "signers are")} identified: ${ways.join("; ")}.`;
  },
};

function wayOf(signer: SignerFacts): string {
  const session = sessionOf(signer);
  if (session === null) return "";
  return `${CREDENTIALS[session.credential]}${isQuestioned(signer, session) ? " and KBA" : ""}`;
}
