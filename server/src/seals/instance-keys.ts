import { generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { TEST_ROOT_NAME } from "@countersign/evidence";
import { makeRootCertificate } from "@countersign/pdf/pool";
import { sha256 } from "../shared/secrets.ts";
import { openPrivateKey, publicKeyOf, type SealDeps, SealUnavailable, sealPrivateKey } from "./seal.ts";
import { algorithmOf, isSignatureBy, type KeySigner, localSigner, type RemoteSigner, signDerBy } from "./signer.ts";
import {
  type InstanceKeyRow,
  insertInstanceKey,
  listInstanceKeys,
  type NewInstanceKey,
  type PublicKeyRow,
  type Purpose,
  readNow,
  shareKeys,
} from "./store.ts";

export type KeyDeps = Pick<SealDeps, "db" | "sealKey" | "signer">;

/** A key of the installation that signs. */
export interface InstanceKey extends KeySigner {
  readonly generation: number;
  /** SHA-256 of the public key */
  readonly key_id: string;
}

/** The keys of the installation that are in use, shared by all processes. The first use creates them. */
export interface InstanceKeys {
  /** Issues seal certificates. Its SHA-256 is the only thing that outsiders must know. */
  readonly root: InstanceKey & { readonly certificate: Buffer };
  /** Ed25519, signs records, not documents. */
  readonly records: InstanceKey;
  /** Ed25519, signs the notes of the log. */
  readonly log: InstanceKey;
  /** Replaced keys of the log, which go on signing notes until witnesses know the new one. Newest first. */
  readonly ending_logs: readonly InstanceKey[];
  /** X25519: others encrypt for this vault with it. */
  readonly vault: Pick<InstanceKey, "generation" | "key_id" | "public_key"> & { open(): KeyObject };
  /** SHA-256 of the first root's certificate. It names the log, also under later roots. */
  readonly log_id: string;
  /** The database's clock when the keys were read. Each was valid at this time, whatever is rotated afterwards. */
  readonly at: Date;
}

const ROOT_NAME = "Countersign root";

export const SERIAL_BYTES = 16;

const usedPurposes = ["root", "records", "log", "vault"] as const;
export type RotatedPurpose = (typeof usedPurposes)[number];

/** Call it outside transactions: a signer on another machine may have to be asked for new keys. */
export async function ensureInstanceKeys(deps: KeyDeps): Promise<InstanceKeys> {
  const found = await readKeys(deps);
  const missing = usedPurposes.filter((purpose) => !found.rows.some((row) => row.purpose === purpose));
  if (missing.length === 0) return openKeys(deps, found);
  const made = await Promise.all(missing.map((purpose) => newInstanceKey(deps, purpose, 1, found.at)));
  await deps.db.system(async (tx) => {
    for (const key of made) await insertInstanceKey(tx, key);
  });
  return openKeys(deps, await readKeys(deps));
}

/**
 * Issues the seals of sandboxes, so that trusting the root of this installation does not mean trusting them. The first use creates it. It stays here
 * also with SIGNER_URL, because it protects nothing.
 */
export async function ensureTestRoot(deps: KeyDeps): Promise<Pick<InstanceKeys, "root" | "at">> {
  const found = await readKeys(deps);
  if (!found.rows.some(isTestRoot)) {
    const key = { ...localKey(deps, "test_root", 1), not_before: found.at };
    const certificate = await rootCertificate(signerOf(deps, key), found.at, TEST_ROOT_NAME);
    await deps.db.system((tx) => insertInstanceKey(tx, { ...key, certificate }));
  }
  const { rows, at } = await readKeys(deps);
  const row = rows.find(isTestRoot);
  if (!row?.certificate) throw new Error("the test root was created but is not found");
  const time = new Date(Math.max(at.getTime(), row.not_before.getTime()));
  return { root: { ...openInstanceKey(deps, row), certificate: row.certificate }, at: time };
}

const isTestRoot = ({ purpose }: Pick<InstanceKeyRow, "purpose">): boolean => purpose === "test_root";

interface FoundKeys {
  readonly rows: readonly InstanceKeyRow[];
  readonly at: Date;
}

function readKeys({ db }: Pick<KeyDeps, "db">): Promise<FoundKeys> {
  return db.system(async (tx) => {
    await shareKeys(tx);
    return { rows: await listInstanceKeys(tx), at: await readNow(tx) };
  });
}

function openKeys(deps: KeyDeps, { rows, at }: FoundKeys): InstanceKeys {
  const newest = (purpose: RotatedPurpose): InstanceKeyRow => {
    const row = rows.findLast((one) => one.purpose === purpose);
    if (row === undefined) throw new Error(`the key for ${purpose} was created but is not found`);
    return row;
  };
  const [root, log, vault] = [newest("root"), newest("log"), newest("vault")];
  const first = rows.find((one) => one.purpose === "root");
  if (root.certificate === null || !first?.certificate) throw new Error("the root has no certificate");
  // A key may begin later than the clock says, if that was set back.
  const time = new Date(Math.max(at.getTime(), ...usedPurposes.map((purpose) => newest(purpose).not_before.getTime())));
  const ending = rows.filter((one) => one.purpose === "log" && one.not_after !== null && one.not_after > at);
  return {
    root: { ...openInstanceKey(deps, root), certificate: root.certificate },
    records: openInstanceKey(deps, newest("records")),
    log: openInstanceKey(deps, log),
    ending_logs: ending.reverse().map((row) => openInstanceKey(deps, row)),
    vault: {
      generation: vault.generation,
      key_id: vault.key_id,
      public_key: vault.public_key,
      open: () => openLocal(deps, vault),
    },
    log_id: sha256(first.certificate).toString("hex"),
    at: time,
  };
}

/** A records key of any generation, to finish what was begun with it. */
export async function findRecordsKey(deps: KeyDeps, key_id: string): Promise<InstanceKey> {
  const { rows } = await readKeys(deps);
  const row = rows.find((one) => one.purpose === "records" && one.key_id === key_id);
  if (row === undefined) throw new Error(`there is no records key ${key_id}`);
  return openInstanceKey(deps, row);
}

/** The public key of the records key with this ID, of any generation, in DER-encoded SPKI form; null if there is none. */
export async function lookUpRecordsKey(deps: KeyDeps, key_id: string): Promise<Uint8Array | null> {
  const { rows } = await readKeys(deps);
  return rows.find((one) => one.purpose === "records" && one.key_id === key_id)?.public_key ?? null;
}

/** The private key of the vault with this ID, of any generation, to open what was encrypted for it; null if there is none. */
export async function lookUpVaultKey(deps: KeyDeps, key_id: string): Promise<KeyObject | null> {
  const { rows } = await readKeys(deps);
  const row = rows.find((one) => one.purpose === "vault" && one.key_id === key_id);
  return row === undefined ? null : openLocal(deps, row);
}

/** The key with this ID if it was in use at that time; otherwise null. */
export function publicKeyAt(keys: readonly PublicKeyRow[], key_id: string, at: string): Buffer | null {
  const time = new Date(at);
  const key = keys.find((one) => one.key_id === key_id);
  if (key === undefined || time < key.not_before || (key.not_after !== null && time > key.not_after)) return null;
  return key.invalid_from !== null && time >= key.invalid_from ? null : key.public_key;
}

type KeptKey = Pick<InstanceKeyRow, "purpose" | "generation" | "algorithm" | "public_key" | "signer_ref" | "private_key_enc">;

/** What signs with the key of this row. */
export function openInstanceKey(deps: Pick<KeyDeps, "sealKey" | "signer">, row: KeptKey & Pick<InstanceKeyRow, "key_id">): InstanceKey {
  return { ...signerOf(deps, row), generation: row.generation, key_id: row.key_id };
}

function signerOf(deps: Pick<KeyDeps, "sealKey" | "signer">, row: KeptKey): KeySigner {
  const { purpose, algorithm, public_key, signer_ref } = row;
  if (algorithm === "X25519") throw new Error(`the key for ${purpose} does not sign`);
  if (signer_ref === null) return localSigner(algorithm, public_key, () => openLocal(deps, row));
  const { signer } = deps;
  return {
    algorithm,
    public_key,
    sign: async (bytes) => {
      // A local key in its place would be another key, which readers do not know.
      if (signer === null) throw new SealUnavailable(`the key ${signer_ref} is kept by a signer; set SIGNER_URL`);
      const signature = await signer.sign(signer_ref, algorithm, bytes);
      // A signature with another key would be noticed only when the record is verified.
      if (!isSignatureBy({ algorithm, public_key }, bytes, signature))
        throw new SealUnavailable(`the signer's signature is not one of the key ${signer_ref}`);
      return signature;
    },
  };
}

function openLocal(deps: Pick<KeyDeps, "sealKey">, { purpose, generation, private_key_enc }: KeptKey): KeyObject {
  if (private_key_enc === null) throw new Error(`the key for ${purpose} is not kept here`);
  return openPrivateKey(deps, private_key_enc, contextOf(purpose, generation));
}

const algorithms = { root: "ES256", records: "EdDSA", log: "EdDSA", vault: "X25519", test_root: "ES256" } as const;

/** A new key, which nothing uses until its row is inserted. With SIGNER_URL the signer keeps it, except that of the vault, which signs nothing. */
export async function newInstanceKey(
  deps: KeyDeps,
  purpose: RotatedPurpose,
  generation: number,
  not_before: Date,
): Promise<NewInstanceKey> {
  const key =
    deps.signer === null || purpose === "vault" ? localKey(deps, purpose, generation) : await remoteKey(deps.signer, purpose, generation);
  const certificate = purpose === "root" ? await rootCertificate(signerOf(deps, key), not_before, ROOT_NAME) : null;
  return { ...key, certificate, not_before };
}

function localKey(
  deps: Pick<KeyDeps, "sealKey">,
  purpose: Purpose,
  generation: number,
): Omit<NewInstanceKey, "certificate" | "not_before"> {
  const algorithm = algorithms[purpose];
  const key = generateKey(algorithm);
  const private_key_enc = sealPrivateKey(deps, key, contextOf(purpose, generation));
  return { purpose, generation, algorithm, public_key: publicKeyOf(key), signer: "local", signer_ref: null, private_key_enc };
}

function generateKey(algorithm: (typeof algorithms)[Purpose]): KeyObject {
  if (algorithm === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  return algorithm === "EdDSA" ? generateKeyPairSync("ed25519").privateKey : generateKeyPairSync("x25519").privateKey;
}

/** The operator creates the key at the signer, under this name. */
async function remoteKey(
  signer: RemoteSigner,
  purpose: Exclude<RotatedPurpose, "vault">,
  generation: number,
): Promise<Omit<NewInstanceKey, "certificate" | "not_before">> {
  const [algorithm, signer_ref] = [algorithms[purpose], `${purpose}-${generation}`];
  const public_key = await signer.publicKey(signer_ref);
  if (algorithmOf(public_key) !== algorithm) {
    throw new SealUnavailable(
      `the key ${signer_ref} of the signer must be ${algorithm === "ES256" ? "an EC key on P-256" : "an Ed25519 key"}`,
    );
  }
  return { purpose, generation, algorithm, public_key, signer: "http", signer_ref, private_key_enc: null };
}

async function rootCertificate(key: KeySigner, not_before: Date, name: string): Promise<Buffer> {
  const { public_key } = key;
  const serial = randomBytes(SERIAL_BYTES);
  return Buffer.from(await makeRootCertificate({ name, public_key, sign: signDerBy(key), serial, not_before }));
}

/** `generation` is part of it from the second on; the first is older than generations. */
const contextOf = (purpose: Purpose, generation: number): string =>
  generation === 1 ? `instance key ${purpose}` : `instance key ${purpose} ${generation}`;
