import { sign } from "node:crypto";
import type { EnvelopeDeps } from "../envelopes/envelope.ts";
import { ensureInstanceKeys } from "../seals/instance-keys.ts";
import type { SealDeps } from "../seals/seal.ts";
import { type DerivedKeys, sha256 } from "../shared/secrets.ts";
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
}

export function buildVault(
  { publicUrl, sweepHours }: { publicUrl: string; sweepHours: number },
  { envelopes, seals, log, keys, lookUpLogo }: VaultNeeds,
): PipelineDeps & VaultDeps & WidgetDeps {
  const parts = { ...envelopes, seals, log, publicUrl, keys, records: () => recordsSigner(seals), sweepHours };
  return { ...parts, lookUpLogo, exportBundle: (org, envelope_id) => exportBundle(parts, org, envelope_id) };
}

async function recordsSigner(seals: SealDeps): Promise<RecordsSigner> {
  const { records } = await seals.db.system((tx) => ensureInstanceKeys(seals, tx));
  return { key_id: sha256(records.public_key).toString("hex"), sign: (bytes) => sign(null, bytes, records.key) };
}
