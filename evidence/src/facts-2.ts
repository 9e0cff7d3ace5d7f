// The facts that rules 2 judge: those of rules 1, and what they did not record.

import type { BatchPlace } from "./act-batch.ts";
import type { Json } from "./canonical.ts";
import type { AssignmentFacts, CopyFacts, CopyState, EnvelopeFacts, Facts, SessionFacts, SignerFacts, UploadSignature } from "./facts.ts";
import type { DocumentRow } from "./signed-content.ts";

export type Facts2 = Omit<Facts, "type" | "upload_signatures" | "evidence_file" | "assignments" | "copy" | "envelope" | "signers"> & {
  readonly type: "countersign/facts/2";
  readonly envelope: EnvelopeFacts2;
  readonly signers: readonly SignerFacts2[];
  /** everyone else whom the envelope was for, by step; missing if there is no one */
  readonly recipients?: readonly RecipientFacts[];
  /** the documents that the envelope was combined from, in order; missing for an envelope with one */
  readonly documents?: readonly PartFacts[];
  readonly copy: CopyFacts2 | null;
  /** where the record was before; missing for a record that was first vaulted here */
  readonly origin?: OriginFacts;
  readonly upload_signatures: readonly UploadSignature2[];
  readonly evidence_file: EvidenceFileFacts | null;
  /** what signers entered, compared with the audit trail; null for a document that was not signed here */
  readonly signed: SignedFacts | null;
  /** every time stamp and cosignature over a checkpoint that contains the storing, earliest first */
  readonly times: readonly TimeMark[];
  readonly log: LogFacts;
  readonly identity: IdentityFacts;
  readonly assignments: readonly AssignmentFacts2[];
  /** every act on the record that took effect, in the order of the chain */
  readonly acts: readonly ActFacts[];
};

/** One of several documents of an envelope. */
export type PartFacts = DocumentRow & {
  /** of its own PDF as it is in the store now; null if there is none, or in a preview */
  readonly found_sha256: string | null;
};

export type EnvelopeFacts2 = Omit<EnvelopeFacts, "signing_order"> & {
  /** `steps`: some act at the same time and others after them */
  readonly signing_order: EnvelopeFacts["signing_order"] | "steps";
};

export type SignerFacts2 = SignerFacts &
  CodeFacts & {
    /** missing for envelopes that were sent before there were steps */
    readonly step?: number;
  };

/** Of a person who acts. */
export type CodeFacts = {
  /** the codes that the sender requires, as set last, without identity questions; missing if none were ever set */
  readonly required_methods?: readonly string[];
  /** the codes that the organization's minimum adds for a person with a link, and not for one with a token; missing if there are none */
  readonly required_of_links?: readonly string[];
  /** every answer to a code, oldest first; missing if there is none */
  readonly identity?: readonly IdentityResultFacts[];
};

/** One answer to a code that a person was asked for. Identity questions are in `kba`. */
export type IdentityResultFacts = {
  readonly session: string;
  readonly method: string;
  /** who checked it: `builtin` for codes of this service */
  readonly provider: string;
  readonly passed: boolean;
  readonly at: string;
  /** the message with the code; missing for a code that was not mailed */
  readonly message_id?: string;
  /** where the code was sent, shortened; missing for a code that was not sent */
  readonly hint?: string;
};

/** An approver, a viewer or a person who gets a copy. */
export type RecipientFacts = CodeFacts & {
  readonly recipient_id: string;
  readonly slug: string;
  readonly kind: "approver" | "viewer" | "cc";
  /** null for a person who only gets the result */
  readonly step: number | null;
  readonly email: string;
  readonly name: string;
  readonly role: string | null;
  readonly status: string;
  readonly acted_at: string | null;
  /** of the document that the person approved, or confirmed to have read; null if they did not */
  readonly state_sha256: string | null;
  /** recomputed from the prepared version and the values of those who had signed or approved before */
  readonly found_state_sha256: string | null;
  readonly required_fields: SignerFacts["required_fields"];
  readonly sessions: readonly SessionFacts[];
};

export type AssignmentFacts2 = Omit<AssignmentFacts, "consent"> & {
  /** null for the first designation; for an act or a correction its id and hash */
  readonly consent: Json;
  /** null for a party that is known by its name alone */
  readonly party_id: string | null;
};

export type ActFacts = {
  readonly act_id: string;
  readonly kind: string;
  /** of the canonical bytes of the document */
  readonly sha256: string;
  readonly document: { readonly [member: string]: Json };
  /** for an act on many records: which of them this record is, with the proof; missing for an act on this record alone */
  readonly batch?: BatchPlace;
  /** of the entry that it took effect */
  readonly entry_seq: number;
  /** those who confirmed it, in the order of the chain */
  readonly approvals: readonly ApprovalFacts[];
};

export type ApprovalFacts = {
  readonly role: string;
  /** null for a custodian or an admin of the organization */
  readonly party_id: string | null;
  readonly email: string;
  readonly method: "passkey" | "code" | "session" | "key" | "vault_key";
  /** whether the person was also a member of the organization whose act it is */
  readonly is_member: boolean;
  /** present if the organization had replaced the approvers of the party by then, because none could be reached */
  readonly approvers_replaced?: true;
  /**
   * what the method leaves behind: for a passkey the signature over the act with its key, for a code the message that contained it, for
   * another installation its signed decision with its list of keys (`VaultProof`)
   */
  readonly proof: Json;
};

export const recordTypes = ["chattel_paper", "transferable_record", "other"] as const;
export type RecordType = (typeof recordTypes)[number];

/** As declared: for example a promissory note with its number and date. */
export type Instrument = { readonly type: string; readonly number: string; readonly date: string };

export const fingerprintKinds = ["file", "revision", "ours", "text", "instrument", "pdf_id"] as const;
export type FingerprintKind = (typeof fingerprintKinds)[number];

/** What identifies the document, and which other records of the organization may be the same one. */
export type IdentityFacts = {
  readonly record_type: RecordType;
  readonly instrument: Instrument | null;
  /** ordered by kind and value; empty in a preview */
  readonly fingerprints: readonly { readonly kind: FingerprintKind; readonly value: string }[];
  /** the oldest first. Of records that have only the identifier of the PDF in common, the oldest alone */
  readonly duplicates: readonly DuplicateFacts[];
};

export type DuplicateFacts = {
  readonly envelope_id: string;
  readonly copy_id: string;
  /** also of a copy that left or ended */
  readonly state: CopyState2;
  /** what both records have in common */
  readonly kinds: readonly FingerprintKind[];
  /** that a person other than the depositor compared both; null if no one did */
  readonly review: { readonly at: string; readonly entry_seq: number } | null;
  /** that this record is the original that left as the other one, with the receipt of its export */
  readonly returned?: { readonly at: string; readonly entry_seq: number };
};

export type UploadSignature2 = UploadSignature & {
  /** the subject of the signature's certificate; null if it cannot be read */
  readonly subject: string | null;
  /** whether the certificate chains to one of UPLOAD_TRUST_FILE */
  readonly trusted: boolean;
  /** whether this is a seal of this installation, which says nothing about who signed */
  readonly ours: boolean;
};

export type EvidenceFileFacts = NonNullable<Facts["evidence_file"]> & {
  /** the attested signers whose name or e-mail address the text of the file contains; none for an image, whose text is not read */
  readonly names: readonly string[];
};

export type SignedFacts = {
  /** whether the hashes of fields and signers are in the audit trail; not for envelopes sent by an earlier release */
  readonly fields_recorded: boolean;
  /** the first difference between the rows and the audit trail; null if there is none */
  readonly difference: { readonly what: string; readonly signer: string | null } | null;
};

export type TimeMark = {
  readonly tree_size: number;
  readonly kind: "token" | "cosignature";
  readonly at: string;
  /** the authority's name, or the witness's public key with its name */
  readonly by: string;
  readonly valid: boolean;
};

export type LogFacts = {
  /** how many witnesses must have signed a checkpoint for its time to count */
  readonly witness_quorum: number;
  /** whether a witness has refused a checkpoint of this log because it contradicts one that the witness signed */
  readonly witness_conflict: boolean;
  /** whether outsiders can read the log */
  readonly public: boolean;
};

/**
 * `transferred`: another vault has it. `papering`, `papered`: it is being replaced, or was replaced, by paper. `destroying`: its files are
 * being removed.
 */
export type CopyState2 = CopyState | "transferred" | "papering" | "papered" | "destroying";

export type CopyFacts2 = Omit<CopyFacts, "state"> & { readonly state: CopyState2 };

/** A record at a vault: the hash of that installation's root certificate, and the ids there. */
export type VaultPlace = {
  readonly root_sha256: string;
  readonly org_id: string;
  readonly envelope_id: string;
  readonly copy_id: string;
};

/** The vault that released the record to this one, and what it had found about it. */
export type OriginFacts = {
  readonly transfer_id: string;
  /** the sender */
  readonly vault: VaultPlace;
  /** the vault that sealed the record, whose ids the seal names; the same as `vault` unless it moved before */
  readonly first: VaultPlace;
  /** the hash of the first vault's root and its id of the copy; the same wherever the record goes */
  readonly lineage_id: string;
  /** the entry by which the sender released the record */
  readonly released: { readonly seq: number; readonly hash: string; readonly at: string };
  /** whether a witness cosigned a state of the sender's log that contains that entry */
  readonly witnessed: boolean;
  /** what the sender's whole chain says, also after its latest certificate */
  readonly recoveries: readonly Recovery[];
  /** of the sender's latest certificate */
  readonly facts: Facts2;
};

/** The record was released to another vault, and taken back without that vault's answer. */
export type Recovery = {
  readonly at: string;
  /** when it was released before; null once erased */
  readonly released_at: string | null;
  /** SHA-256 of the receiver's root; null once erased */
  readonly root: string | null;
  /** when the receiver's receipt arrived afterwards; null if it did not */
  readonly contradicted_at: string | null;
};
