import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { makeSealCertificate } from "@countersign/pdf/pool";
import type { Tx } from "../db/sql.ts";
import { isSandbox, newId, type OrgId, type SealId } from "../shared/ids.ts";
import { sha256 } from "../shared/secrets.ts";
import { ensureInstanceKeys, ensureTestRoot, type InstanceKeys, SERIAL_BYTES } from "./instance-keys.ts";
import { expiryOf } from "./p12-seal.ts";
import {
  describeCertificate,
  isFresh,
  openPrivateKey,
  type P12Seal,
  publicKeyOf,
  type SealDeps,
  type SealKey,
  SealUnavailable,
  type Signer,
  sealPrivateKey,
  signBy,
} from "./seal.ts";
import { signDerBy } from "./signer.ts";
import { insertSeal, listRootsOf, lookUpOwnSeal, lookUpSealOf, type NewSeal, readOrgNow } from "./store.ts";

/** What an organization's documents are sealed with now, with the time and name to put into the seal. */
export interface UsableSeal extends Signer {
  readonly seal_id: SealId;
  readonly org_name: string;
  readonly at: Date;
}

/**
 * Issues the certificate on first use, and a new one when it is about to expire or when the root is replaced. Call it outside transactions:
 * the root may sign on another machine. Of concurrent calls in any number of processes, one certificate is recorded.
 */
export async function ensureSeal(deps: SealDeps, org: OrgId): Promise<UsableSeal> {
  const { bought } = deps;
  // A purchased certificate says who the organization is, which is not for tests.
  if (bought === null || isSandbox(org)) return ensureOwnSeal(deps, org);
  return deps.db.tx(org, async (tx) => ({ ...(await ensureBoughtSeal(bought, tx, org)), ...(await readOrgNow(tx, org)) }));
}

type Ensured = Signer & Pick<UsableSeal, "seal_id">;

async function ensureOwnSeal(deps: SealDeps, org: OrgId): Promise<UsableSeal> {
  const { newest, root_sha256, ...now } = await readOwnSeal(deps, org);
  if (newest !== null && isFresh(newest, now.at) && issuerOf(newest) === root_sha256) return { ...signerOf(deps, org, newest), ...now };
  const seal = await newSeal(deps, org, now, (newest?.generation ?? 0) + 1);
  await deps.db.tx(org, (tx) => insertSeal(tx, org, seal));
  const { newest: made, org_name, at } = await readOwnSeal(deps, org);
  if (made === null) throw new Error("the seal was created but is not found");
  return { ...signerOf(deps, org, made), org_name, at };
}

interface OwnSealState {
  readonly newest: SealKey | null;
  /** null before the first use */
  readonly root_sha256: string | null;
  readonly org_name: string;
  readonly at: Date;
}

function readOwnSeal({ db }: Pick<SealDeps, "db">, org: OrgId): Promise<OwnSealState> {
  return db.tx(org, async (tx) => {
    const newest = await lookUpOwnSeal(tx, org);
    const root = (await listRootsOf(tx, org)).at(-1);
    const { org_name, at } = await readOrgNow(tx, org);
    return { newest, root_sha256: root === undefined ? null : hashOf(root), org_name: sealName(org, org_name), at };
  });
}

// What certificates print of a name, less than what they may contain.
const NAME_CHARACTERS = 40;

/** The seal of a sandbox says what it is, however long the name is. */
const sealName = (org: OrgId, name: string): string => (isSandbox(org) ? `${[...name].slice(0, NAME_CHARACTERS).join("")} TEST` : name);

const hashOf = (der: Uint8Array): string => sha256(der).toString("hex");

const issuerOf = ({ issuers }: SealKey): string => hashOf(issuers.at(-1) ?? Buffer.alloc(0));

function signerOf(deps: SealDeps, org: OrgId, { seal_id, certificate, issuers, private_key_enc }: SealKey): Ensured {
  if (private_key_enc === null) throw new Error("the organization's own seal has no key");
  const key = openPrivateKey(deps, private_key_enc, contextOf(org, seal_id));
  return { seal_id, certificates: [certificate, ...issuers], sign: signBy(key) };
}

async function newSeal(deps: SealDeps, org: OrgId, { org_name }: { org_name: string }, generation: number): Promise<NewSeal> {
  const { root, at } = isSandbox(org) ? await ensureTestRoot(deps) : await ensureInstanceKeys(deps);
  const { certificate, key } = await issueSeal(root, { org_name, org_id: org }, at);
  const seal_id = newId("seal", at.getTime());
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
    sign: signDerBy(root),
    serial: randomBytes(SERIAL_BYTES),
    not_before,
  });
  return { certificate: Buffer.from(certificate), key };
}

/**
 * Records a bought certificate with the organization's first document under it, so that the document can be verified after the file was
 * replaced.
 */
async function ensureBoughtSeal(bought: P12Seal, tx: Tx, org: OrgId): Promise<Ensured> {
  const expired = expiryOf(bought, tx.now);
  if (expired !== null) throw new SealUnavailable(expired);
  const { certificate_sha256 } = bought;
  if ((await lookUpSealOf(tx, org, certificate_sha256)) === null) await insertSeal(tx, org, rowOf(bought, tx.now));
  const row = await lookUpSealOf(tx, org, certificate_sha256);
  if (row === null) throw new Error("the seal was recorded but is not found");
  if (row.revoked_at !== null) throw new SealUnavailable("the certificate of SEAL_P12_FILE was revoked here; set another");
  return { seal_id: row.seal_id, certificates: bought.certificates, sign: bought.sign };
}

function rowOf({ certificates, certificate_sha256, not_before, not_after }: P12Seal, now: Date): NewSeal {
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
