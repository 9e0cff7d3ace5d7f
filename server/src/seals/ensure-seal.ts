import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { makeSealCertificate } from "@countersign/pdf/pool";
import type { Tx } from "../db/sql.ts";
import { newId, type OrgId, type SealId } from "../shared/ids.ts";
import { expiryOf } from "./bought-seal.ts";
import { ensureInstanceKeys, type InstanceKeys, SERIAL_BYTES } from "./instance-keys.ts";
import {
  type BoughtSeal,
  describeCertificate,
  isFresh,
  openPrivateKey,
  publicKeyOf,
  type SealDeps,
  type SealKey,
  SealUnavailable,
  type Signer,
  sealPrivateKey,
  signBy,
} from "./seal.ts";
import { insertSeal, lookUpOwnSeal, lookUpSealOf, readOrgNow } from "./store.ts";

/** What an organization's documents are sealed with now, with the time and name to put into the seal. */
export interface UsableSeal extends Signer {
  readonly seal_id: SealId;
  readonly org_name: string;
  readonly at: Date;
}

/**
 * Issues the certificate on first use, and a new one when it is about to expire. Of concurrent calls in any number of processes, one issues
 * it.
 */
export function ensureSeal(deps: SealDeps, org: OrgId): Promise<UsableSeal> {
  return deps.db.tx(org, async (tx) => {
    const signer = deps.bought === null ? await ensureOwnSeal(deps, tx, org) : await ensureBoughtSeal(deps.bought, tx, org);
    return { ...signer, ...(await readOrgNow(tx, org)) };
  });
}

type Ensured = Signer & Pick<UsableSeal, "seal_id">;

async function ensureOwnSeal(deps: SealDeps, tx: Tx, org: OrgId): Promise<Ensured> {
  const newest = await lookUpOwnSeal(tx, org);
  if (newest !== null && isFresh(newest, tx.now)) return signerOf(deps, org, newest);
  await insertSeal(tx, org, await newSeal(deps, tx, org, (newest?.generation ?? 0) + 1));
  const made = await lookUpOwnSeal(tx, org);
  if (made === null) throw new Error("the seal was created but is not found");
  return signerOf(deps, org, made);
}

function signerOf(deps: SealDeps, org: OrgId, { seal_id, certificate, issuers, private_key_enc }: SealKey): Ensured {
  if (private_key_enc === null) throw new Error("the organization's own seal has no key");
  const key = openPrivateKey(deps, private_key_enc, contextOf(org, seal_id));
  return { seal_id, certificates: [certificate, ...issuers], sign: signBy(key) };
}

async function newSeal(deps: SealDeps, tx: Tx, org: OrgId, generation: number): Promise<Omit<SealKey, "revoked_at">> {
  const { root } = await ensureInstanceKeys(deps, tx);
  const { org_name } = await readOrgNow(tx, org);
  const { certificate, key } = await issueSeal(root, { org_name, org_id: org }, tx.now);
  const seal_id = newId("seal", tx.now.getTime());
  const { certificate_sha256, not_before, not_after } = describeCertificate(certificate);
  const private_key_enc = sealPrivateKey(deps, key, contextOf(org, seal_id));
  return { seal_id, generation, certificate, certificate_sha256, issuers: [root.certificate], private_key_enc, not_before, not_after };
}

/** A new key with a certificate under the root. Nothing is recorded yet. */
export async function issueSeal(
  root: InstanceKeys["root"],
  subject: { readonly org_name: string; readonly org_id: string },
  not_before: Date,
): Promise<{ certificate: Buffer; key: KeyObject }> {
  const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const certificate = await makeSealCertificate({
    ...subject,
    public_key: publicKeyOf(key),
    root: root.certificate,
    sign: signBy(root.key),
    serial: randomBytes(SERIAL_BYTES),
    not_before,
  });
  return { certificate: Buffer.from(certificate), key };
}

/**
 * Records a bought certificate with the organization's first document under it, so that the document can be verified after the file was
 * replaced.
 */
async function ensureBoughtSeal(bought: BoughtSeal, tx: Tx, org: OrgId): Promise<Ensured> {
  const expired = expiryOf(bought, tx.now);
  if (expired !== null) throw new SealUnavailable(expired);
  const { certificate_sha256 } = bought;
  if ((await lookUpSealOf(tx, org, certificate_sha256)) === null) await insertSeal(tx, org, rowOf(bought, tx.now));
  const row = await lookUpSealOf(tx, org, certificate_sha256);
  if (row === null) throw new Error("the seal was recorded but is not found");
  if (row.revoked_at !== null) throw new SealUnavailable("the certificate of SEAL_P12_FILE was revoked here; set another");
  return { seal_id: row.seal_id, certificates: bought.certificates, sign: bought.sign };
}

function rowOf({ certificates, certificate_sha256, not_before, not_after }: BoughtSeal, now: Date): Omit<SealKey, "revoked_at"> {
  const [certificate, ...issuers] = certificates;
  return {
    seal_id: newId("seal", now.getTime()),
    generation: null,
    certificate: Buffer.from(certificate),
    certificate_sha256,
    issuers: issuers.map((der) => Buffer.from(der)),
    private_key_enc: null,
    not_before,
    not_after,
  };
}

const contextOf = (org: OrgId, seal_id: SealId): string => `seal key ${org} ${seal_id}`;
