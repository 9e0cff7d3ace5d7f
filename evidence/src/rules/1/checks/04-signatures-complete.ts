import type { AttestedSigner, Facts, SignatureFacts, SignerFacts } from "../../../facts.ts";
import type { Check } from "./check.ts";
import {
  AGAIN,
  attestedNameOf,
  type Condition,
  counted,
  dateOf,
  entriesOf,
  type Failed,
  failed,
  judgeBy,
  listOf,
  nameOf,
  requiredSigners,
  saidFirst,
  short,
  signedBy,
} from "./wording.ts";

export const signaturesComplete: Check = {
  number: 4,
  id: "signatures_complete",
  weight: 12,
  legal_reference: "ESIGN 15 USC 7006(5)",
  requirement: "Every required signer signed, with intent, the version of the document that was presented.",
  judge: (facts) => judgeBy(facts, bySource[signedBy(facts)], okBySource[signedBy(facts)]),
};

const SIGN_AGAIN = "Collect the act in a new envelope; a completed one is never reopened.";
const ATTEST = `Correct the attestation, ${AGAIN}.`;
const METHODS: readonly unknown[] = ["typed", "drawn", "uploaded"];

const preparedHash = ({ versions }: Facts): string | null => versions.find(({ kind }) => kind === "prepared")?.sha256 ?? null;

const isSignedByAll: Condition = (facts) => {
  const signers = requiredSigners(facts);
  if (signers.length === 0) return failed("No signer is named.", "Name the signers and send the envelope.");
  return first(signers, (signer) => signerFault(facts, signer));
};

function signerFault(facts: Facts, signer: SignerFacts): Failed | null {
  const who = nameOf(signer);
  if (signer.status !== "signed" || signer.signatures.length === 0) return failed(`${who} has not signed.`, SIGN_AGAIN);
  const empty = signer.required_fields.find(({ filled }) => !filled);
  if (empty !== undefined) return failed(`${who}: required field "${empty.name}" is empty.`, SIGN_AGAIN);
  return first(signer.signatures, (signature) => signatureFault(facts, who, signature));
}

function signatureFault(facts: Facts, who: string, signature: SignatureFacts): Failed | null {
  const { method, intent_sha256, prepared_sha256, state_sha256, found_state_sha256 } = signature;
  if (!METHODS.includes(method)) return failed(`No method of signature is recorded for ${who}.`, SIGN_AGAIN);
  const isPublished = facts.texts.some(({ kind, sha256, published }) => kind === "intent" && sha256 === intent_sha256 && published);
  if (!isPublished) return failed(`No intent statement is recorded for ${who}.`, SIGN_AGAIN);
  const isSeen = prepared_sha256 === preparedHash(facts) && state_sha256 === found_state_sha256;
  return isSeen ? null : failed(`${who} signed another version of the document.`, SIGN_AGAIN);
}

const isInTurn: Condition = (facts) => {
  if (facts.envelope.signing_order !== "sequential") return null;
  const signers = requiredSigners(facts).sort((a, b) => a.order - b.order);
  const early = signers.find((signer, index) => (signer.signed_at ?? "") < (signers[index - 1]?.signed_at ?? ""));
  return early === undefined ? null : failed(`${nameOf(early)} signed before it was their turn.`, SIGN_AGAIN);
};

// The stamper's list says what was drawn. Linked fields are drawn under one name, so they are counted.
const isStamped: Condition = (facts) => {
  const drawn = listOf(saidFirst(facts, "document.stamped", "appearances"));
  return first(requiredSigners(facts), (signer) => {
    const unseen = signer.signatures.find(({ field_id, kind, signed_at }) => {
      const wanted = signer.signatures.filter((each) => each.field_id === field_id).length;
      const isIt = (each: Record<string, unknown>) =>
        each.field === field_id && each.kind === kind && each.name === signer.name && each.time === signed_at && signer.name !== null;
      return drawn.filter(isIt).length < wanted;
    });
    if (unseen === undefined) return null;
    return failed(`${nameOf(signer)}: ${unseen.kind} ${unseen.field_id} is not on the page with name and time.`, SIGN_AGAIN);
  });
};

export const isAttested: Condition = (facts) => {
  const attested = facts.attestation?.signers ?? [];
  if (attested.length === 0) return failed("No signer is attested.", ATTEST);
  const received = entriesOf(facts, "document.received")[0]?.at ?? facts.copy?.stored_at ?? facts.evaluated_at;
  const undated = attested.find(({ name, signed_on }) => (name ?? "").trim() === "" || signed_on === null || signed_on > dateOf(received));
  if (undated !== undefined)
    return failed(`No name, or no date of signing before the upload, is attested for ${attestedNameOf(undated)}.`, ATTEST);
  const left = facts.signers.find((signer) => !attested.some((each) => isSame(signer, each)));
  return left === undefined ? null : failed(`Signer ${nameOf(left)} of the upload is not attested.`, ATTEST);
};

// By e-mail where both have one, else by role.
function isSame(signer: SignerFacts, attested: AttestedSigner): boolean {
  if (signer.email !== null && attested.email !== null) return folded(signer.email) === folded(attested.email);
  return signer.role !== null && attested.role !== null && folded(signer.role) === folded(attested.role);
}

const folded = (text: string): string => text.trim().toLowerCase();

const isEvidenced: Condition = (facts) => {
  const { attestation, evidence_file, upload_signatures } = facts;
  const attested = attestation?.signers.length ?? 0;
  const valid = upload_signatures.filter(({ intact }) => intact).length;
  if (valid >= attested) return null;
  if (evidence_file !== null && attestation?.external?.evidence_sha256 === evidence_file.sha256) return null;
  const found = valid === 0 ? "no signature" : `${counted(valid, "signature", "signatures")} for ${attested} signers`;
  return failed(`The upload has ${found} and no evidence file.`, ATTEST);
};

const isInk: Condition = ({ attestation, document }) => {
  const paper = attestation?.paper ?? null;
  if (paper?.ink_signed !== true) return failed("It is not attested that the document was signed in ink.", ATTEST);
  if (paper.all_signatures_present !== true) return failed("It is not attested that all signatures are present.", ATTEST);
  const pages = document?.found_pages ?? document?.pages ?? 0;
  if (paper.page_count === pages) return null;
  return failed(`Attested page count is ${paper.page_count ?? "not given"}, the document has ${pages}.`, ATTEST);
};

function first<T>(items: readonly T[], fault: (item: T) => Failed | null): Failed | null {
  for (const item of items) {
    const found = fault(item);
    if (found !== null) return found;
  }
  return null;
}

const bySource: Record<Facts["source"], readonly Condition[]> = {
  signed_here: [isSignedByAll, isInTurn, isStamped],
  electronic_signed: [isAttested, isEvidenced],
  paper_upload: [isAttested, isInk],
};

const okBySource: Record<Facts["source"], (facts: Facts) => string> = {
  signed_here: (facts) => {
    const count = requiredSigners(facts).length;
    return `${count} of ${counted(count, "required signer", "required signers")} signed version ${short(preparedHash(facts))}.`;
  },
  electronic_signed: ({ attestation, upload_signatures, evidence_file }) => {
    const valid = upload_signatures.filter(({ intact }) => intact).length;
    const shown =
      evidence_file === null
        ? counted(valid, "signature in the PDF", "signatures in the PDF")
        : `evidence file ${short(evidence_file.sha256)}`;
    return `${counted(attestation?.signers.length ?? 0, "signer is", "signers are")} attested; ${shown}.`;
  },
  paper_upload: ({ attestation }) =>
    `${counted(attestation?.signers.length ?? 0, "signer is", "signers are")} attested in ink on ${counted(attestation?.paper?.page_count ?? 0, "page", "pages")}.`,
};
