// What two vaults say to each other while a record moves from one to the other: canonical JSON, signed by the sender's records key. Every
// message names the transfer, both vaults and the record, so that it means nothing anywhere else.

import type { TrustKeys } from "./bundle/trust-keys.ts";
import { recordsKeyAt } from "./bundle/trust-keys.ts";
import { canonicalize, type Json } from "./canonical.ts";
import { commitmentOf, hashOf } from "./chain.ts";
import { canonicalValue, isSigned, type Signed } from "./checkpoint.ts";
import { cosignatureBy } from "./cosignature.ts";
import { dataMisfit, entryMisfit, isHash, isId, isTime } from "./entry.ts";
import { isIncluded } from "./log.ts";
import { isNoteSignedBy, noteKeyOf, noteKeyTypes, rawKeyOf, readNote, readTreeHead, readVkey } from "./note.ts";
import { type Fits, hasExactly, isCount, isLine, listOf, type Members, orNull, shaped } from "./shape.ts";
import type { Link } from "./verify-chain.ts";

/** An organization at a vault. `root`: the SHA-256 of that installation's root certificate, as it was when the transfer was offered. */
export type LinkParty = { readonly root: string; readonly org_id: string };

export type LinkMessageBase = {
  readonly transfer_id: string;
  readonly sender: LinkParty;
  readonly receiver: LinkParty;
  readonly lineage_id: string;
  /** of the authoritative copy */
  readonly copy_sha256: string;
  readonly at: string;
  /** of the records key that signs */
  readonly key_id: string;
};

export type OfferMessage = LinkMessageBase & {
  readonly type: "countersign/link/1/offer";
  readonly envelope_id: string;
  readonly copy_id: string;
  readonly envelope_name: string;
  readonly copy_size: number;
  readonly secured_party: string | null;
  readonly expires_at: string;
};

export type AcceptMessage = LinkMessageBase & {
  readonly type: "countersign/link/1/accept";
  /** the receiver's key for encryption, which its trust document lists */
  readonly vault_key_id: string;
};

export type PackageMessage = LinkMessageBase & {
  readonly type: "countersign/link/1/package";
  readonly package_sha256: string;
  readonly package_size: number;
};

/** The last entry of a chain, without its time. */
export type ChainHead = { readonly seq: number; readonly hash: string };

export type ReadyMessage = LinkMessageBase & {
  readonly type: "countersign/link/1/ready";
  readonly package_sha256: string;
  /** of the chain in the package */
  readonly chain_head: ChainHead;
};

export type ReleaseMessage = LinkMessageBase & {
  readonly type: "countersign/link/1/release";
  readonly package_sha256: string;
  /** as the receiver named it in `ready` */
  readonly chain_head: ChainHead;
  /** the key of the package, under HPKE */
  readonly vault_key_id: string;
  readonly enc: string;
  readonly sealed_key: string;
  /** `vault.transferred`, with its data */
  readonly released: Link;
  /** that this entry is in the tree of `note` */
  readonly inclusion: { readonly index: number; readonly proof: readonly string[] };
  /** of the sender's log, with the cosignatures of witnesses */
  readonly note: string;
  /** the public keys of the witnesses whose cosignatures are in the note */
  readonly witnesses: readonly string[];
};

export type ReceiptMessage = LinkMessageBase & {
  readonly type: "countersign/link/1/receipt";
  readonly envelope_id: string;
  readonly copy_id: string;
  /** of the receiver's own chain, which begins with the import */
  readonly chain_head: ChainHead;
};

/** The receiver asks for a piece of the package. It moves nothing and is not kept. */
export type FetchMessage = LinkMessageBase & {
  readonly type: "countersign/link/1/fetch";
  readonly package_sha256: string;
  readonly offset: number;
};

/** `reason`: a code. */
export type EndMessage = LinkMessageBase & {
  readonly type: "countersign/link/1/refusal" | "countersign/link/1/cancel";
  readonly reason: string;
};

export type LinkMessage =
  | OfferMessage
  | AcceptMessage
  | PackageMessage
  | FetchMessage
  | ReadyMessage
  | ReleaseMessage
  | ReceiptMessage
  | EndMessage;

const isHex: Fits = (value) => typeof value === "string" && /^([0-9a-f]{2})+$/.test(value);
const isCode: Fits = (value) => typeof value === "string" && /^[a-z_]{1,60}$/.test(value);
const isLineage: Fits = (value) => typeof value === "string" && /^[0-9a-f]{64}\/[\w.:-]{1,100}$/.test(value);

const head: Fits = shaped({ seq: isCount, hash: isHash });
const link: Fits = shaped({ entry: (value) => entryMisfit(value) === null, data: (value) => dataMisfit(value) === null });

/** An organization at a vault, in any message. */
export const linkParty: Fits = shaped({ root: isHash, org_id: isId });

const base: Members = {
  type: (value) => typeof value === "string",
  transfer_id: isId,
  sender: linkParty,
  receiver: linkParty,
  lineage_id: isLineage,
  copy_sha256: isHash,
  at: isTime,
  key_id: isHash,
};

const ending: Members = { reason: isCode };

const more: Readonly<Record<string, Members>> = {
  offer: { envelope_id: isId, copy_id: isId, envelope_name: isLine, copy_size: isCount, secured_party: orNull(isLine), expires_at: isTime },
  accept: { vault_key_id: isHash },
  package: { package_sha256: isHash, package_size: isCount },
  ready: { package_sha256: isHash, chain_head: head },
  release: {
    package_sha256: isHash,
    chain_head: head,
    vault_key_id: isHash,
    enc: isHex,
    sealed_key: isHex,
    released: link,
    inclusion: shaped({ index: isCount, proof: listOf(isHash) }),
    note: (value) => typeof value === "string",
    witnesses: listOf(isLine),
  },
  fetch: { package_sha256: isHash, offset: isCount },
  receipt: { envelope_id: isId, copy_id: isId, chain_head: head },
  refusal: ending,
  cancel: ending,
};

const TYPE = /^countersign\/link\/1\/([a-z]+)$/;

export const kindOfLinkMessage = ({ type }: { readonly type: string }): string => TYPE.exec(type)?.[1] ?? "";

/** Parses a message; null unless the bytes are canonical and have exactly the members of its kind. Says nothing about who signed it. */
export function readLinkMessage(bytes: Uint8Array): LinkMessage | null {
  const value = canonicalValue(bytes);
  const { type } = Object(value) as { type?: unknown };
  const kind = typeof type === "string" ? kindOfLinkMessage({ type }) : "";
  const own = Object.hasOwn(more, kind) ? more[kind] : undefined;
  return own !== undefined && hasExactly(value, { ...base, ...own }) ? (value as unknown as LinkMessage) : null;
}

export const writeLinkMessage = (message: LinkMessage): Uint8Array => Buffer.from(canonicalize(message as unknown as Json));

/** Whether a records key that was in use at the time of the message signed these bytes. */
export function isLinkMessageSigned(signed: Signed, { key_id, at }: Pick<LinkMessage, "key_id" | "at">, keys: TrustKeys): boolean {
  const key = recordsKeyAt(keys, key_id, at);
  return key !== null && isSigned(signed, key);
}

/** The context under which the key of a package is encrypted: it opens for this transfer and this receiver only. */
export const linkKeyInfo = ({ transfer_id, receiver }: Pick<LinkMessageBase, "transfer_id" | "receiver">): Uint8Array =>
  Buffer.from(canonicalize({ type: "countersign/link/1/key", transfer_id, receiver_root: receiver.root }));

export type ReleaseProof = { readonly fault: string } | { readonly fault: null; readonly witnessed: boolean };

/** Whether the release is in the sender's log as it says, and whether a witness saw that log. `keys` are those of the sender. */
export function proveRelease(release: ReleaseMessage, keys: TrustKeys): ReleaseProof {
  const { entry, data } = release.released;
  if (data === null || hashOf(entry) !== entry.hash || commitmentOf(Buffer.from(data.salt, "hex"), data.data) !== entry.commitment)
    return { fault: "the entry of the release does not recompute" };
  const said = Object(data.data) as Record<string, unknown>;
  const isSame =
    entry.type === "vault.transferred" &&
    entry.org_id === release.sender.org_id &&
    said.transfer_id === release.transfer_id &&
    said.hash === release.copy_sha256 &&
    said.package_sha256 === release.package_sha256 &&
    canonicalize((said.to ?? null) as Json) === canonicalize({ ...release.receiver });
  if (!isSame) return { fault: "the entry of the release is about something else" };
  const note = readNote(Buffer.from(release.note));
  const tree = note === null ? null : readTreeHead(note.text);
  if (note === null || tree === null || keys.type === "countersign/keys/1") return { fault: "the note of the log cannot be read" };
  const isByLog = keys.log.some(({ public_key }) =>
    isNoteSignedBy(note, noteKeyOf(tree.origin, noteKeyTypes.ed25519, rawKeyOf(Buffer.from(public_key, "hex")))),
  );
  if (!isByLog) return { fault: "the note is not signed by a key of the sender's log" };
  if (!isIncluded({ hash: entry.hash, index: release.inclusion.index, proof: release.inclusion.proof }, tree))
    return { fault: "the entry of the release is not in the sender's log" };
  const witnessed = release.witnesses.some((text) => {
    const key = readVkey(text);
    return key !== null && key.type === noteKeyTypes.cosignature && cosignatureBy(note, key) !== null;
  });
  return { fault: null, witnessed };
}
