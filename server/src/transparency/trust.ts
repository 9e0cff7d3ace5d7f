import {
  canonicalize,
  type KeyGeneration,
  type RevocableSeal,
  type RootGeneration,
  type Roots,
  type TrustKeys2,
  withLowS,
} from "@countersign/evidence";
import type { Tx } from "../db/sql.ts";
import { listAuthorities } from "../seals/authority-store.ts";
import { ensureInstanceKeys, ensureTestRoot } from "../seals/instance-keys.ts";
import { type InstanceKeyRow, listInstanceKeys, listSuccessions, type Purpose } from "../seals/store.ts";
import { sha256 } from "../shared/secrets.ts";
import type { LogDeps } from "./checkpoint.ts";
import { listSealsOf } from "./store.ts";

/** What outsiders verify with: the signed list of keys, the root's signature over it, and the root. */
export interface Trust {
  /** DER; its SHA-256, or that of an earlier root, is the only thing that must be known from elsewhere */
  readonly root: Buffer;
  /** canonical JSON */
  readonly bytes: Buffer;
  /** P-256: r and s, 32 bytes each, with the low s */
  readonly signature: Buffer;
  /** every root, and how each follows the one before it, as canonical JSON; null before the first is replaced */
  readonly roots: Buffer | null;
}

/**
 * The trust document of sandboxes. The test root signs it: who pinned the root of the installation trusts nothing in it. Entries of sandboxes
 * are in the log of the installation and signed with its keys, which the list therefore contains too.
 */
export async function signTestTrust(deps: LogDeps): Promise<Trust> {
  const keyDeps = { ...deps.seals, db: deps.db };
  const { log_id } = await ensureInstanceKeys(keyDeps);
  const { root } = await ensureTestRoot(keyDeps);
  const keys = await deps.db.system((tx) => listKeys(deps, tx, log_id, root.certificate, true));
  const bytes = Buffer.from(canonicalize({ ...keys, test: true }));
  return { root: root.certificate, bytes, signature: Buffer.from(withLowS(await root.sign(bytes))), roots: null };
}

/** The current trust document. */
export async function signTrust(deps: LogDeps): Promise<Trust> {
  const { root, log_id } = await ensureInstanceKeys({ ...deps.seals, db: deps.db });
  const { keys, roots } = await deps.db.system(async (tx) => ({
    keys: await listKeys(deps, tx, log_id, root.certificate),
    roots: await listRootsUpTo(tx, root.generation),
  }));
  const bytes = Buffer.from(canonicalize(keys));
  const signature = Buffer.from(withLowS(await root.sign(bytes)));
  return { root: root.certificate, bytes, signature, roots: roots === null ? null : Buffer.from(canonicalize(roots)) };
}

async function listKeys({ tsaRoots }: LogDeps, tx: Tx, log_id: string, root: Buffer, isTest = false): Promise<TrustKeys2> {
  const rows = await listInstanceKeys(tx);
  const seals = await listSealsOf(tx, isTest);
  const root_sha256 = hashOf(root);
  const roots = rows.filter(({ purpose }) => purpose === (isTest ? "test_root" : "root")).map(presentRoot);
  return {
    type: "countersign/keys/2",
    log_id,
    root_sha256,
    issued_at: tx.now.toISOString(),
    // Without one that replaced the root meanwhile: the last of the list signs it.
    roots: roots.slice(0, roots.findIndex((each) => each.certificate_sha256 === root_sha256) + 1),
    records: keysFor(rows, "records"),
    log: keysFor(rows, "log"),
    vault: keysFor(rows, "vault"),
    seals: seals.map(
      (seal): RevocableSeal => ({
        certificate_sha256: seal.certificate_sha256,
        not_before: seal.not_before.toISOString(),
        not_after: seal.not_after.toISOString(),
        revoked_at: isoOrNull(seal.revoked_at),
        invalid_from: isoOrNull(seal.invalid_from),
        reason: seal.reason,
      }),
    ),
    tsa_roots: [...new Set([...tsaRoots, ...(await listAuthorities(tx, "tsa"))].map(hashOf))],
  };
}

const hashOf = (der: Uint8Array): string => sha256(der).toString("hex");

const isoOrNull = (at: Date | null): string | null => at?.toISOString() ?? null;

const intervalOf = ({ not_before, not_after, revoked_at, invalid_from, reason }: InstanceKeyRow) => ({
  not_before: not_before.toISOString(),
  not_after: isoOrNull(not_after),
  revoked_at: isoOrNull(revoked_at),
  invalid_from: isoOrNull(invalid_from),
  reason,
});

const presentRoot = (row: InstanceKeyRow): RootGeneration => ({
  generation: row.generation,
  certificate_sha256: hashOf(row.certificate ?? Buffer.alloc(0)),
  algorithm: row.algorithm,
  ...intervalOf(row),
});

const keysFor = (rows: readonly InstanceKeyRow[], purpose: Purpose): KeyGeneration[] =>
  rows
    .filter((row) => row.purpose === purpose)
    .map((row) => ({
      generation: row.generation,
      key_id: row.key_id,
      algorithm: row.algorithm,
      public_key: row.public_key.toString("hex"),
      ...intervalOf(row),
    }));

/** Null if there is only one. */
async function listRootsUpTo(tx: Tx, generation: number): Promise<Roots | null> {
  const rows = (await listInstanceKeys(tx)).filter((row) => row.purpose === "root" && row.generation <= generation);
  if (rows.length < 2) return null;
  const signed = await listSuccessions(tx);
  const certificates = rows.map(({ certificate }) => certificate ?? Buffer.alloc(0));
  return {
    type: "countersign/roots/1",
    certificates: certificates.map((der) => der.toString("base64")),
    successions: certificates.slice(1).map((der) => {
      const found = signed.find(({ new_root_sha256 }) => new_root_sha256 === hashOf(der));
      if (found === undefined) throw new Error(`there is no statement that root ${hashOf(der)} follows another`);
      return {
        statement: JSON.parse(found.bytes.toString()),
        old_signature: found.old_signature?.toString("hex") ?? null,
        new_signature: found.new_signature.toString("hex"),
      };
    }),
  };
}

/** The trust document as text. Signed at most once in this many seconds, because anyone can request it as often as they like. */
export function publishTrust(deps: LogDeps, seconds: number, now: () => number = Date.now, sign = signTrust): () => Promise<string> {
  let latest: { until: number; readonly text: Promise<string> } | null = null;
  const signAgain = (): NonNullable<typeof latest> => {
    const entry = { until: now() + seconds * 1000, text: sign(deps).then(documentOf) };
    // After a failure the next request tries again.
    entry.text.catch(() => {
      entry.until = 0;
    });
    return entry;
  };
  return () => {
    if (latest === null || latest.until <= now()) latest = signAgain();
    return latest.text;
  };
}

/** `keys` and `roots` are included as objects. The canonical form of `keys`, which is part of this text, is what was signed. */
const documentOf = ({ root, bytes, signature, roots }: Trust): string =>
  canonicalize({
    type: "countersign/trust/2",
    root_certificate: root.toString("base64"),
    roots: roots === null ? null : JSON.parse(roots.toString()),
    keys: JSON.parse(bytes.toString()),
    signature: signature.toString("hex"),
  });
