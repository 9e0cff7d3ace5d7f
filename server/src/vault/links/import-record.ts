import { linkKeyInfo, type ReleaseMessage, readZip, registersOf, rules2 } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import type { Tx } from "../../db/sql.ts";
import type { Pages } from "../../documents/pages.ts";
import { readStored } from "../../documents/read-stored.ts";
import { recordCreated } from "../../envelopes/create-envelope.ts";
import { documentPath } from "../../envelopes/document.ts";
import { insertDocument, insertVersion } from "../../envelopes/document-store.ts";
import { moves, type SecuredParty } from "../../envelopes/envelope.ts";
import { insertEnvelope, updateEnvelope } from "../../envelopes/store.ts";
import { appendEvent } from "../../events/append-event.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { lookUpVaultKey } from "../../seals/instance-keys.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { openSealed } from "../../shared/hpke.ts";
import { type CustomerId, type EnvelopeId, newId, type OrgId, type UserId } from "../../shared/ids.ts";
import type { BlobName } from "../../storage/blob-store.ts";
import { sha512InTurns } from "../../storage/hash.ts";
import { keepBlob } from "../../storage/store.ts";
import { storeBlob } from "../../storage/store-blob.ts";
import { type Source, vaultJobCaller, wireSource } from "../copy.ts";
import { clock, findOrgSettings, insertCopy, insertCustodian, type NewCopy } from "../store.ts";
import { vaultPath } from "../vault.ts";
import { holdCurrentCustomer, insertContinued, insertOrigin } from "./import-store.ts";
import type { LinkDeps, SignedMessage, VaultTransfer } from "./link.ts";
import { saidIn } from "./message.ts";
import { type BundleContent, bundleOf, firstBundle, verifyOriginSeal } from "./origin.ts";
import { hashOf } from "./pack-record.ts";
import { openOriginal, unpackTransfer } from "./package.ts";
import { lockTransfer, lookUpMessage, moveTransfer } from "./store.ts";
import { refuseUnfit } from "./transfer-decisions.ts";

/** What the release opened, stored and ready to be recorded. */
interface Opened {
  readonly release: ReleaseMessage;
  readonly signed: SignedMessage;
  readonly document: BlobName;
  readonly sha512: string;
  readonly bundle: BlobName;
  readonly content: BundleContent;
  /** of the vault that sealed the record */
  readonly first: BundleContent;
  readonly pages: Pages;
}

/**
 * Opens the original with the released key and stores it as this vault's own: a new envelope with the same bytes, whose chain begins where
 * the chain of the vault before ended. What cannot be opened, or is not what was offered, is refused, and the sender has it back.
 */
export async function importRecord(deps: LinkDeps, org: OrgId, one: VaultTransfer): Promise<void> {
  const opened = await openRelease(deps, org, one);
  if (typeof opened === "string") return refuseUnfit(deps, org, one.transfer_id, opened);
  try {
    await deps.db.tx(org, async (tx) => {
      const now = await lockTransfer(tx, org, one.transfer_id, "in");
      if (now?.state === "released") await record(tx, org, now, opened);
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    // Another organization of this installation got hold of the lineage meanwhile.
    await refuseUnfit(deps, org, one.transfer_id, "lineage_is_live");
  }
}

async function openRelease(deps: LinkDeps, org: OrgId, one: VaultTransfer): Promise<Opened | string> {
  const { release, signed } = await deps.db.tx(org, async (tx) => ({
    release: await saidIn(tx, org, one, "release"),
    signed: await lookUpMessage(tx, org, one, "release"),
  }));
  if (signed === null || one.package_sha256 === null) throw new Error(`${one.transfer_id} is released and has no package`);
  const unpacked = unpackTransfer(await readStored(deps, org, one.package_sha256, "document_unavailable"));
  if (unpacked === null) throw new Error("the package was verified and is not one");
  const privateKey = await lookUpVaultKey(deps.seals, release.vault_key_id);
  const sealed = { enc: Buffer.from(release.enc, "hex"), ciphertext: Buffer.from(release.sealed_key, "hex") };
  const key = privateKey === null ? null : openSealed(privateKey, sealed, { info: linkKeyInfo(release) });
  if (key === null) return "key_does_not_open";
  const about = { transfer_id: one.transfer_id, copy_id: one.origin_copy_id, sha256: one.copy_sha256 };
  const original = openOriginal(unpacked, key, about);
  if (original === null || hashOf(original) !== one.copy_sha256) return "original_does_not_open";
  const files = readZip(unpacked.bundle);
  if (!(await verifyOriginSeal(deps, org, original, files)).valid) return "seal_not_valid";
  // The page sizes that the viewer needs. The bytes that are stored are those that were sealed.
  const { pages } = await deps.pdf.ingest(
    Uint8Array.from(original),
    { tags: "discard", keep_signed: true },
    { key: org, priority: "background" },
  );
  return {
    release,
    signed,
    document: await storeBlob(deps.storage, org, original),
    sha512: await sha512InTurns(original),
    bundle: await storeBlob(deps.storage, org, unpacked.bundle),
    content: bundleOf(files),
    first: bundleOf(firstBundle(files)),
    pages,
  };
}

/** The move "(none), transfer in → completed". The certificate follows in a job, and vaults the envelope. */
async function record(tx: Tx, org: OrgId, one: VaultTransfer, opened: Opened): Promise<void> {
  const { transfer_id, custodian_user_id, accepted_by } = one as VaultTransfer & { custodian_user_id: UserId };
  const customer_id = await holdCurrentCustomer(tx, org, one.customer_id as CustomerId);
  const { release, signed, document, content, first } = opened;
  const by = { ...vaultJobCaller(org), ...(accepted_by !== null && { actor: accepted_by }) };
  const envelope_id = newId("envelope", tx.now.getTime());
  const copy_id = newId("authoritativeCopy", tx.now.getTime());
  const { envelope_name, secured_party } = content.facts.envelope;
  // A record that must be confirmed where it was declared must be confirmed here too.
  const { record_type, instrument } = content.facts.identity;
  await insertEnvelope(tx, org, {
    envelope_id,
    envelope_name,
    status: moves.import.to,
    customer_id,
    is_upload: true,
    signers: [],
    auto_vault_enabled: true,
    kba_required: false,
    secured_party: secured_party as SecuredParty | null,
    record_type,
    instrument,
    created_by: by.actor.id,
  });
  const vault = {
    root_sha256: one.sender_root,
    org_id: one.sender_org_id,
    envelope_id: one.origin_envelope_id,
    copy_id: one.origin_copy_id,
  };
  const { seq, hash } = release.released.entry;
  const imported = {
    transfer_id,
    root: vault.root_sha256,
    org_id: vault.org_id,
    envelope_id: vault.envelope_id,
    copy_id: vault.copy_id,
    head: { seq, hash },
    lineage_id: one.lineage_id,
    release_sha256: hashOf(signed.bytes),
  };
  await appendAudit(tx, org, { type: "chain.imported", by, envelope_id, data: imported });
  await recordCreated(tx, by, envelope_id, {
    customer_id,
    external_id: null,
    data: {
      is_upload: true,
      auto_vault_enabled: true,
      transfer_id,
      record_type,
      ...(instrument !== null && { instrument: { ...instrument } }),
    },
  });
  for (const blob of [document, opened.bundle]) await keepBlob(tx, org, blob.sha256);
  const name = envelope_name;
  await insertDocument(tx, org, envelope_id, {
    document_id: newId("document"),
    document_no: 1,
    name,
    path: documentPath(org, envelope_id, name),
    content_type: "application/pdf",
    hash: document.sha256,
    size: document.size,
    pdf_sha256: document.sha256,
    pages: opened.pages,
    roles: [],
    byte_for_byte: false,
  });
  const copy = await newCopy(tx, org, { envelope_id, copy_id, document, first, lineage_id: one.lineage_id });
  if (!(await insertCopy(tx, org, copy))) throw new Error("a new envelope has a copy already");
  await insertVersion(tx, org, envelope_id, "authoritative", document, copy.parent_sha256);
  await insertOrigin(tx, org, envelope_id, {
    transfer_id,
    bundle_sha256: opened.bundle.sha256,
    release: signed.bytes,
    release_signature: signed.signature,
    vault,
    first: content.facts.origin?.first ?? vault,
  });
  await recordStored(tx, org, copy, { by, customer_id, user_id: custodian_user_id, sha512: opened.sha512, name });
  await continueRegister(tx, org, envelope_id, content, by);
  await moveTransfer(tx, org, one, "import", { envelope_id, copy_id });
  await enqueue(tx, "vault.store", { org_id: org, envelope_id });
}

interface CopyParts {
  readonly envelope_id: EnvelopeId;
  readonly copy_id: NewCopy["copy_id"];
  readonly document: BlobName;
  readonly first: BundleContent;
  readonly lineage_id: string;
}

/** What the first vault recorded about the bytes stays true wherever they go. */
async function newCopy(tx: Tx, org: OrgId, { envelope_id, copy_id, document, first, lineage_id }: CopyParts): Promise<NewCopy> {
  const { min_retention_days } = await findOrgSettings(tx, org);
  const stored_at = await clock(tx);
  const stored = first.links.find(({ entry }) => entry.type === "vault.stored");
  const { content_sha256, seal_level } = Object(stored?.data?.data) as { content_sha256?: string; seal_level?: NewCopy["seal_level"] };
  const source = first.facts.source as Source;
  return {
    copy_id,
    envelope_id,
    ...document,
    content_sha256: content_sha256 ?? document.sha256,
    parent_sha256: document.sha256,
    source,
    vault_in: depositedBy(first, source),
    seal_id: null,
    seal_level: seal_level ?? first.facts.seal?.level ?? "B-B",
    sealed_at: new Date(stored?.entry.at ?? stored_at),
    tsa_error: null,
    stored_at,
    retention_until: new Date(stored_at.getTime() + min_retention_days * DAY_MS),
    lineage_id,
  };
}

/** By which door it first came in, so that `source` in events is as first deposited. */
function depositedBy({ facts }: BundleContent, source: Source): NewCopy["vault_in"] {
  if (source !== "signed_here") return "upload";
  return facts.envelope.auto_vault_enabled ? null : "signed";
}

interface Stored {
  readonly by: Parameters<typeof appendAudit>[2]["by"];
  readonly customer_id: CustomerId;
  readonly user_id: UserId;
  readonly sha512: string;
  readonly name: string;
}

async function recordStored(tx: Tx, org: OrgId, copy: NewCopy, { by, customer_id, user_id, sha512, name }: Stored): Promise<void> {
  const { envelope_id, copy_id, sha256: hash, size, content_sha256, parent_sha256, source, seal_level, retention_until } = copy;
  const path = vaultPath(org, envelope_id, `${name.replace(/\.(pdf|png|jpe?g)$/i, "")}.pdf`);
  await updateEnvelope(tx, org, envelope_id, { vault_file_path: path, completed_at: copy.stored_at });
  const data = {
    copy_id,
    path,
    hash,
    sha512,
    size,
    content_sha256,
    parent_sha256,
    source,
    seal_id: null,
    seal_level,
    level_error: null,
    retention_until: retention_until.toISOString(),
  };
  await appendAudit(tx, org, { type: "vault.stored", by, envelope_id, data });
  const permission_id = newId("custodianPermission", tx.now.getTime());
  await appendAudit(tx, org, { type: "custody.assigned", by, envelope_id, data: { permission_id, user_id, copy_id } });
  // From the time of storing, so that custody has no gap.
  await insertCustodian(tx, org, { permission_id, copy_id, envelope_id, user_id, initiated_by: by.actor, at: copy.stored_at });
  const deposited_as = wireSource(copy);
  const event = { path, hash, ...(deposited_as !== null && { source: deposited_as }), customer_id, external_id: null };
  await appendEvent(tx, org, { type: "vault.stored", envelope_id, data: event });
}

/** Every assignee that the vault before recorded, under the same numbers. */
async function continueRegister(
  tx: Tx,
  org: OrgId,
  envelope_id: EnvelopeId,
  { links }: BundleContent,
  by: Parameters<typeof appendAudit>[2]["by"],
): Promise<void> {
  const registers = registersOf(rules2.withTransfersSettled(rules2.milestonesOf(links)));
  if (registers === null) throw new Error("the registers of a verified bundle cannot be replayed");
  for (const { seq, party, party_sha256, consent } of registers.assignments) {
    const data = { seq, party, party_sha256, consent };
    const { seq: entry_seq } = await appendAudit(tx, org, { type: "assignment.recorded", by, envelope_id, data });
    await insertContinued(tx, org, envelope_id, { seq, party, party_sha256, consent, entry_seq });
  }
}
