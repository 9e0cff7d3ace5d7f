import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { makeRootCertificate } from "@countersign/pdf/pool";
import type { Tx } from "../db/sql.ts";
import { openPrivateKey, publicKeyOf, type SealDeps, sealPrivateKey, signBy } from "./seal.ts";
import { type InstanceKey, insertInstanceKey, lookUpInstanceKey, type Purpose } from "./store.ts";

/** The decrypted keys of the installation, shared by all processes. The first use creates them. */
export interface InstanceKeys {
  /** Issues seal certificates. Its SHA-256 is the only thing that outsiders must know. */
  readonly root: { readonly certificate: Buffer; readonly key: KeyObject };
  /** Ed25519, signs records, not documents. */
  readonly records: { readonly public_key: Buffer; readonly key: KeyObject };
}

const ROOT_NAME = "Countersign root";

export const SERIAL_BYTES = 16;

export async function ensureInstanceKeys(deps: Pick<SealDeps, "sealKey">, tx: Tx): Promise<InstanceKeys> {
  const root = await ensureKey(deps, tx, "root");
  const records = await ensureKey(deps, tx, "records");
  if (root.certificate === null) throw new Error("the root has no certificate");
  return {
    root: { certificate: root.certificate, key: opened(deps, root) },
    records: { public_key: records.public_key, key: opened(deps, records) },
  };
}

async function ensureKey(deps: Pick<SealDeps, "sealKey">, tx: Tx, purpose: Purpose): Promise<InstanceKey> {
  const found = await lookUpInstanceKey(tx, purpose);
  if (found !== null) return found;
  await insertInstanceKey(tx, purpose === "root" ? await newRoot(deps, tx.now) : newRecordsKey(deps));
  const made = await lookUpInstanceKey(tx, purpose);
  if (made === null) throw new Error(`the key for ${purpose} was created but is not found`);
  return made;
}

async function newRoot(deps: Pick<SealDeps, "sealKey">, not_before: Date): Promise<InstanceKey> {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const public_key = publicKeyOf(privateKey);
  const serial = randomBytes(SERIAL_BYTES);
  const certificate = await makeRootCertificate({ name: ROOT_NAME, public_key, sign: signBy(privateKey), serial, not_before });
  const private_key_enc = sealPrivateKey(deps, privateKey, contextOf("root"));
  return { purpose: "root", certificate: Buffer.from(certificate), public_key, private_key_enc };
}

function newRecordsKey(deps: Pick<SealDeps, "sealKey">): InstanceKey {
  const { privateKey } = generateKeyPairSync("ed25519");
  const private_key_enc = sealPrivateKey(deps, privateKey, contextOf("records"));
  return { purpose: "records", certificate: null, public_key: publicKeyOf(privateKey), private_key_enc };
}

const opened = (deps: Pick<SealDeps, "sealKey">, { purpose, private_key_enc }: InstanceKey): KeyObject =>
  openPrivateKey(deps, private_key_enc, contextOf(purpose));

const contextOf = (purpose: Purpose): string => `instance key ${purpose}`;
