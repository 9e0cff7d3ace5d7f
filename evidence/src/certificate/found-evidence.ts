// The facts that each check looked at, so that readers can judge the result for themselves.

import type { Facts2 as Facts } from "../facts-2.ts";
import type { CheckId } from "../rules/1/checks/check.ts";
import { timeSource } from "../rules/2/warnings.ts";
import type { Pair } from "./document.ts";
import { counted, grouped, hashOr, hashWords, NOT_RECORDED, pair, quiet, textOr, timeOr, toWords, utc, withoutLabel } from "./wording.ts";

type Found = (facts: Facts) => readonly Pair[];

const found: Readonly<Record<CheckId, Found>> = {
  single_authoritative_copy: ({ copy, older_copy, seal, attestation, source, identity }) => [
    pair("Copy", copy === null ? NOT_RECORDED : `${copy.copy_id}, ${copy.state}, stored ${utc(copy.stored_at)}`),
    pair("Content SHA-256", hashOr(copy?.content_sha256 ?? null)),
    pair("Seal's reason", textOr(seal?.reason)),
    pair("Older live copy", older_copy === null ? quiet("none") : `${older_copy.copy_id} of ${older_copy.envelope_id}`),
    ...identified(identity),
    ...(source === "paper_upload" ? [pair("Paper original", dispositionOf(attestation?.paper ?? null))] : []),
    ...(source === "electronic_signed"
      ? [pair("Issuing system", textOr(attestation?.external?.prior_copy_status?.replaceAll("_", " ")))]
      : []),
  ],
  tamper_evident_record: ({ copy, seal, versions, upload_signatures, chain }) => [
    pair("SHA-256 recorded", hashOr(copy?.sha256 ?? null)),
    pair("SHA-512 recorded", hashOr(recordedSha512(chain))),
    pair("SHA-256 found", copy === null ? NOT_RECORDED : [hashOr(copy.found_sha256), quiet(`read ${utc(copy.read_at)}`)]),
    pair(
      "Seal",
      seal === null ? NOT_RECORDED : `${seal.valid ? "verifies" : `does not verify: ${seal.fault ?? "no reason given"}`} (${seal.level})`,
    ),
    ...versions.map(({ kind, sha256 }) => pair(`Version: ${kind}`, hashWords(sha256))),
    ...upload_signatures.map(({ field, intact, fault, subject, trusted, ours }) =>
      pair("Uploaded with", [
        `signature ${field}: ${intact ? "intact" : (fault ?? "broken")}`,
        quiet(`${subject ?? "certificate not readable"}, ${ours ? "a seal of this installation" : trusted ? "trusted" : "not trusted"}`),
      ]),
    ),
  ],
  custodian: ({ permissions, members }) =>
    permissions
      .filter(({ state }) => state === "active")
      .map(({ permission_id, user_id, activated_at }) => {
        const isMember = members.some((member) => member.user_id === user_id && member.active);
        return pair("Active", [
          `${user_id} (${permission_id})`,
          quiet(`since ${timeText(activated_at)}, ${isMember ? "active member" : "no active member"}`),
        ]);
      }),
  signatures_complete: ({ source, signers, attestation, document, signed: compared, evidence_file }) => [
    ...(source === "signed_here" ? signed(signers) : [pair("Saved with it", counted(signers.length, "signer"))]),
    ...(compared === null ? [] : [pair("Hashed again", comparedText(compared))]),
    ...(attestation === null ? [] : [pair("Attested signers", String(attestation.signers.length))]),
    ...(evidence_file === null ? [] : [pair("Evidence file", namesText(evidence_file))]),
    ...(attestation?.paper == null
      ? []
      : [pair("Pages attested", `${attestation.paper.page_count ?? "not stated"}; the document has ${document?.pages ?? "none"}`)]),
  ],
  consent_and_attribution: ({ source, signers, attestation, texts }) => [
    ...(source === "signed_here" ? consented(signers, texts) : []),
    ...(attestation?.external == null
      ? []
      : [pair("Consent elsewhere", attestation.external.consent_confirmed === true ? "attested" : "not attested")]),
    ...(attestation?.paper == null ? [] : [pair("Signed in ink", attestation.paper.ink_signed === true ? "attested" : "not attested")]),
  ],
  audit_trail: (facts) => [
    pair(
      "Entries",
      facts.chain.head === null ? quiet("none") : `${counted(facts.chain.head.seq, "entry", "entries")} to ${utc(facts.chain.head.at)}`,
    ),
    pair("Head", hashOr(facts.chain.head?.hash ?? null)),
    pair(
      "Chain",
      facts.chain.fault === null ? "recomputes from its beginning" : `${toWords(facts.chain.fault.kind)} at entry ${facts.chain.fault.seq}`,
    ),
    pair("Checkpoint", checkpointText(facts)),
    pair("Root of the log", hashOr(facts.checkpoint?.root ?? null)),
    pair("Signed by key", hashOr(facts.checkpoint?.signed === true ? facts.checkpoint.key_id : null)),
    pair("Time source", withoutLabel(timeSource(facts))),
    ...facts.times.map(({ kind, by, at, tree_size, valid }) =>
      pair(kind === "token" ? "Time stamp" : "Witness", [
        `${by}, ${utc(at)}`,
        quiet(`over the log of ${grouped(tree_size)} entries; ${valid ? "valid" : "not valid"}`),
      ]),
    ),
    ...timeFault(facts),
  ],
  copies_and_retention: ({ copy, copies, issued_before, rendition }) => [
    pair(
      "Copies issued",
      `${copies.length}, of which ${copies.filter(({ pages, marked_pages }) => marked_pages >= pages).length} marked on every page`,
    ),
    pair("Before vaulting", `issued before vaulting: ${issued_before}`),
    pair("Retained until", timeOr(copy?.retention_until)),
    pair("Lock", copy?.lock == null ? quiet("none") : `${toWords(copy.lock.kind)} until ${utc(copy.lock.until)}`),
    pair("Copy made now", renditionText(rendition)),
  ],
  secured_party: ({ envelope, assignments }) => [
    pair("Named", textOr(envelope.secured_party?.name)),
    ...assignments.map(({ seq, party, state, party_sha256 }) =>
      pair(`Register row ${seq}`, [`${party.name} (${state})`, hashWords(party_sha256)]),
    ),
  ],
};

export const evidenceFor = (id: CheckId, facts: Facts): readonly Pair[] => found[id](facts);

function identified({ instrument, fingerprints, duplicates }: Facts["identity"]): Pair[] {
  const words = fingerprints.find(({ kind }) => kind === "text");
  const reviewText = ({ review, returned }: Facts["identity"]["duplicates"][number]) =>
    returned !== undefined
      ? `came back with its receipt, entry ${returned.entry_seq}`
      : review === null
        ? "not compared"
        : `compared ${utc(review.at)}, entry ${review.entry_seq}`;
  return [
    pair("Words SHA-256", words === undefined ? quiet("too few to compare") : hashWords(words.value)),
    ...(instrument === null ? [] : [pair("Instrument", `${instrument.type} ${instrument.number} of ${instrument.date}`)]),
    ...duplicates.map((each) =>
      pair("Alike", [`${each.envelope_id} (${each.state}): ${each.kinds.map(toWords).join(", ")}`, quiet(reviewText(each))]),
    ),
  ];
}

function signed(signers: Facts["signers"]): Pair[] {
  const required = signers.filter((signer) => signer.required);
  return [
    pair("Signers", `${required.filter(({ status }) => status === "signed").length} of ${required.length} required signers signed`),
    pair("Signatures", `${signers.reduce((sum, { signatures }) => sum + signatures.length, 0)} applied in this service`),
  ];
}

function consented(signers: Facts["signers"], texts: Facts["texts"]): Pair[] {
  const disclosures = texts.filter(({ kind }) => kind === "disclosure");
  return [
    pair("Consents", String(signers.reduce((sum, { consents }) => sum + consents.length, 0))),
    ...disclosures.map(({ version, sha256, published }) =>
      pair("Disclosure", [`${version}, ${published ? "published" : "not published"}`, hashWords(sha256)]),
    ),
  ];
}

function recordedSha512({ milestones }: Facts["chain"]): string | null {
  const recorded = milestones.find(({ type }) => type === "vault.stored")?.said?.sha512;
  return typeof recorded === "string" ? recorded : null;
}

function comparedText({ fields_recorded, difference }: NonNullable<Facts["signed"]>): string {
  if (difference !== null)
    return `the stored ${toWords(difference.what)}${difference.signer === null ? "" : ` of ${difference.signer}`} differ`;
  return fields_recorded ? "values, marks, fields and signers agree with the audit trail" : "values and marks agree with the audit trail";
}

function namesText({ names }: NonNullable<Facts["evidence_file"]>): string {
  return names.length === 0 ? "names none of the attested signers" : `names ${names.join(", ")}`;
}

function dispositionOf(paper: NonNullable<Facts["attestation"]>["paper"]): string {
  if (paper?.original_disposition == null) return "no disposition attested";
  const by = paper.disposition_by === null ? "" : ` by ${paper.disposition_by}`;
  const on = paper.disposition_on === null ? "" : ` on ${paper.disposition_on}`;
  return `${toWords(paper.original_disposition)}${by}${on}, by the attestation`;
}

const timeText = (time: string | null): string => (time === null ? "an unknown time" : utc(time));

function checkpointText({ checkpoint }: Facts): string {
  if (checkpoint === null) return "none";
  const { tree_size, at, covers_seq, signed } = checkpoint;
  return `${tree_size} at ${utc(at)}; ${signed ? "its signature holds" : "its signature does not hold"}; covers entries to ${covers_seq}`;
}

// If an authority was asked and gave no valid time stamp, the certificate says so.
function timeFault({ time }: Facts): Pair[] {
  const fault = time.token === null ? time.failure : time.token.fault;
  return fault === null ? [] : [pair("Time stamp", `none that is valid (${fault})`)];
}

function renditionText(rendition: Facts["rendition"]): string {
  if (rendition === null) return "not tried";
  return rendition.fault ?? `${counted(rendition.pages, "page")}, mark found on ${rendition.marked_pages}`;
}
