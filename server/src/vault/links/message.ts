import {
  type AcceptMessage,
  canonicalize,
  type EndMessage,
  type LinkMessage,
  type OfferMessage,
  type PackageMessage,
  type ReadyMessage,
  type ReceiptMessage,
  type ReleaseMessage,
  readLinkMessage,
  writeLinkMessage,
} from "@countersign/evidence";
import type { Tx } from "../../db/sql.ts";
import { findEnvelope } from "../../envelopes/store.ts";
import { ensureInstanceKeys } from "../../seals/instance-keys.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { findCopy } from "../copy-store.ts";
import { lookUpHead } from "../store.ts";
import { type LinkDeps, partiesOf, type SignedMessage, type VaultTransfer } from "./link.ts";
import { proveReleased } from "./prove-released.ts";
import { keepMessage, lookUpMessage } from "./store.ts";
import type { MessageKind } from "./transfer.ts";

/** What a message of this kind says beyond the parties, and when. */
type Content = { readonly at: string; readonly key_id: string } & Readonly<Record<string, unknown>>;

/**
 * The message that this side has to deliver, signed; null if it cannot be written yet. The first one that is kept stays: a repeated call
 * returns the same bytes.
 */
export async function ensureMessage(deps: LinkDeps, org: OrgId, one: VaultTransfer, kind: MessageKind): Promise<SignedMessage | null> {
  const kept = await deps.db.tx(org, (tx) => lookUpMessage(tx, org, one, kind));
  if (kept !== null) return kept;
  const content = await contentOf(deps, org, one, kind);
  if (content === null) return null;
  const message = { ...partiesOf(one), ...content, type: `countersign/link/1/${kind}` } as unknown as LinkMessage;
  const bytes = Buffer.from(writeLinkMessage(message));
  if (readLinkMessage(bytes) === null) throw new Error(`the ${kind} of ${one.transfer_id} is not a message`);
  const signer = await deps.records(content.key_id);
  const signature = Buffer.from(await signer.sign(bytes));
  return deps.db.tx(org, async (tx) => {
    await keepMessage(tx, org, one, kind, { bytes, signature });
    return lookUpMessage(tx, org, one, kind);
  });
}

async function contentOf(deps: LinkDeps, org: OrgId, one: VaultTransfer, kind: MessageKind): Promise<Content | null> {
  if (kind === "release") return proveReleased(deps, org, one);
  const { records, vault, at } = await ensureInstanceKeys(deps.seals);
  // A time at which the records key was in use, also if it is replaced before the message is sent.
  const signed = { at: at.toISOString(), key_id: records.key_id };
  if (kind === "accept") return { ...signed, vault_key_id: vault.key_id } satisfies Part<AcceptMessage>;
  return { ...signed, ...(await deps.db.tx(org, (tx) => recordedContent(tx, org, one, kind))) };
}

type Part<M extends LinkMessage> = Omit<M, "type" | keyof ReturnType<typeof partiesOf>>;
type Rest<M extends LinkMessage> = Omit<Part<M>, "at" | "key_id">;

async function recordedContent(tx: Tx, org: OrgId, one: VaultTransfer, kind: MessageKind): Promise<Record<string, unknown>> {
  const { package_sha256, package_size } = one;
  switch (kind) {
    case "offer":
      return offerOf(tx, org, one);
    case "package":
      if (package_sha256 === null || package_size === null) throw new Error(`${one.transfer_id} is packed and has no package`);
      return { package_sha256, package_size } satisfies Rest<PackageMessage>;
    case "ready":
      if (package_sha256 === null || one.packed_head === null) throw new Error(`${one.transfer_id} is ready and has no package`);
      return { package_sha256, chain_head: { seq: one.packed_head.seq, hash: one.packed_head.hash } } satisfies Rest<ReadyMessage>;
    case "receipt":
      return receiptOf(tx, org, one);
    default:
      return { reason: one.reason ?? "unspecified" } satisfies Rest<EndMessage>;
  }
}

async function offerOf(tx: Tx, org: OrgId, one: VaultTransfer): Promise<Rest<OfferMessage>> {
  const copy = await findCopy(tx, org, one.envelope_id as EnvelopeId);
  const { secured_party } = await findEnvelope(tx, org, one.envelope_id as EnvelopeId);
  return {
    envelope_id: one.origin_envelope_id,
    copy_id: one.origin_copy_id,
    envelope_name: onOneLine(one.envelope_name),
    copy_size: copy.size,
    secured_party: secured_party === null ? null : onOneLine(secured_party.name),
    expires_at: one.expires_at.toISOString(),
  };
}

async function receiptOf(tx: Tx, org: OrgId, { envelope_id, copy_id }: VaultTransfer): Promise<Rest<ReceiptMessage>> {
  const head = envelope_id === null ? null : await lookUpHead(tx, org, envelope_id);
  if (envelope_id === null || copy_id === null || head === null) throw new Error("a record that was taken in has no chain");
  return { envelope_id, copy_id, chain_head: { seq: head.seq, hash: head.hash } };
}

// Names are free text; the other vault shows them on one line.
export const onOneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .slice(0, 500)
    .replace(/[\ud800-\udbff]$/, "");

/** What a message of a kind said that was taken before. */
export async function saidIn<K extends keyof Kinds>(tx: Tx, org: OrgId, one: VaultTransfer, kind: K): Promise<Kinds[K]> {
  const kept = await lookUpMessage(tx, org, one, kind);
  const message = kept === null ? null : readLinkMessage(kept.bytes);
  if (message === null) throw new Error(`${one.transfer_id} has no ${kind}`);
  return message as Kinds[K];
}

interface Kinds {
  offer: OfferMessage;
  accept: AcceptMessage;
  package: PackageMessage;
  ready: ReadyMessage;
  release: ReleaseMessage;
  receipt: ReceiptMessage;
}

/** Whether a message is about this transfer between these vaults. */
export const isAbout = (one: VaultTransfer, { transfer_id, sender, receiver, lineage_id, copy_sha256 }: LinkMessage): boolean =>
  canonicalize({ transfer_id, sender: { ...sender }, receiver: { ...receiver }, lineage_id, copy_sha256 }) === canonicalize(partiesOf(one));
