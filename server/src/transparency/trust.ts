import { canonicalize, keyIdOf, signTrustKeys, type TrustKeys } from "@countersign/evidence";
import type { Tx } from "../db/sql.ts";
import { ensureInstanceKeys } from "../seals/instance-keys.ts";
import { sha256 } from "../shared/secrets.ts";
import type { LogDeps } from "./checkpoint.ts";
import { listSealCertificates, readRecordsKeySince } from "./store.ts";

/** What outsiders verify with: the signed list of keys, the root's signature over it, and the root. */
export interface Trust {
  /** DER; its SHA-256 is the only thing that must be known from elsewhere */
  readonly root: Buffer;
  /** canonical JSON */
  readonly bytes: Buffer;
  /** P-256: r and s, 32 bytes each, with the low s */
  readonly signature: Buffer;
}

/** The current trust document. */
export function signTrust(deps: LogDeps): Promise<Trust> {
  return deps.db.system(async (tx) => {
    const { root, records } = await ensureInstanceKeys(deps.seals, tx);
    const { bytes, signature } = signTrustKeys(await listKeys(deps, tx, root.certificate, records.public_key), root.key);
    return { root: root.certificate, bytes: Buffer.from(bytes), signature: Buffer.from(signature) };
  });
}

async function listKeys({ tsaRoots }: LogDeps, tx: Tx, root: Buffer, public_key: Buffer): Promise<TrustKeys> {
  const since = await readRecordsKeySince(tx);
  const seals = await listSealCertificates(tx);
  return {
    type: "countersign/keys/1",
    root_sha256: sha256(root).toString("hex"),
    issued_at: tx.now.toISOString(),
    records: [{ key_id: keyIdOf(public_key), public_key: public_key.toString("hex"), not_before: since.toISOString(), not_after: null }],
    seals: seals.map(({ certificate_sha256, not_before, not_after, revoked_at }) => ({
      certificate_sha256,
      not_before: not_before.toISOString(),
      not_after: not_after.toISOString(),
      revoked_at: revoked_at?.toISOString() ?? null,
    })),
    tsa_roots: tsaRoots.map((der) => sha256(der).toString("hex")),
  };
}

/** The trust document as text. Signed at most once in this many seconds, because anyone can request it as often as they like. */
export function publishTrust(deps: LogDeps, seconds: number, now: () => number = Date.now): () => Promise<string> {
  let latest: { until: number; readonly text: Promise<string> } | null = null;
  const sign = (): NonNullable<typeof latest> => {
    const entry = { until: now() + seconds * 1000, text: signTrust(deps).then(documentOf) };
    // After a failure the next request tries again.
    entry.text.catch(() => {
      entry.until = 0;
    });
    return entry;
  };
  return () => {
    if (latest === null || latest.until <= now()) latest = sign();
    return latest.text;
  };
}

/** `keys` is included as an object. Its canonical form, which is part of this text, is what was signed. */
const documentOf = ({ root, bytes, signature }: Trust): string =>
  canonicalize({
    type: "countersign/trust/1",
    root_certificate: root.toString("base64"),
    keys: JSON.parse(bytes.toString()),
    signature: signature.toString("hex"),
  });
