import type { EnvelopeDeps } from "../envelopes/envelope.ts";
import { certificatesIn } from "../seals/ask-time-stamp.ts";
import { ensureInstanceKeys, findRecordsKey } from "../seals/instance-keys.ts";
import type { SealDeps } from "../seals/seal.ts";
import type { DerivedKeys } from "../shared/secrets.ts";
import type { LogDeps } from "../transparency/checkpoint.ts";
import type { RecordsSigner, VaultDeps } from "./copy.ts";
import { exportBundle } from "./evidence-bundle.ts";
import type { PipelineDeps } from "./vault.ts";
import type { WidgetDeps } from "./widget/visit.ts";

interface VaultNeeds {
  readonly envelopes: EnvelopeDeps;
  readonly seals: SealDeps;
  readonly log: LogDeps;
  readonly keys: DerivedKeys;
  readonly lookUpLogo: WidgetDeps["lookUpLogo"];
  readonly verifierSha256: string | null;
}

export function buildVault(
  { publicUrl, sweepHours, uploadTrust }: { publicUrl: string; sweepHours: number; uploadTrust: string | null },
  { envelopes, seals, log, keys, lookUpLogo, verifierSha256 }: VaultNeeds,
): PipelineDeps & VaultDeps & WidgetDeps {
  const uploadRoots = uploadTrust === null ? [] : certificatesIn("UPLOAD_TRUST_FILE", uploadTrust);
  const parts = {
    ...envelopes,
    seals,
    log,
    publicUrl,
    verifierSha256,
    keys,
    records: (key_id?: string) => recordsSigner(seals, key_id),
    sweepHours,
    uploadRoots,
  };
  return { ...parts, lookUpLogo, exportBundle: (org, envelope_id) => exportBundle(parts, org, envelope_id) };
}

async function recordsSigner(seals: SealDeps, key_id?: string): Promise<RecordsSigner> {
  const key = key_id === undefined ? (await ensureInstanceKeys(seals)).records : await findRecordsKey(seals, key_id);
  return { key_id: key.key_id, sign: (bytes) => key.sign(bytes) };
}
