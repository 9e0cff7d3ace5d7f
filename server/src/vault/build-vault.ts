import type { EnvelopeDeps } from "../envelopes/envelope.ts";
import type { Fence } from "../outbound/address-fence.ts";
import { makeResolveName } from "../outbound/name-resolver.ts";
import type { Limits } from "../outbound/send-request.ts";
import { certificatesIn } from "../seals/ask-time-stamp.ts";
import { ensureInstanceKeys, findRecordsKey } from "../seals/instance-keys.ts";
import type { SealDeps } from "../seals/seal.ts";
import type { MayLeave } from "../shared/departures.ts";
import type { DerivedKeys } from "../shared/secrets.ts";
import type { LogDeps } from "../transparency/checkpoint.ts";
import type { RecordsSigner } from "./copy.ts";
import { exportBundle } from "./evidence-bundle.ts";
import { makeSweepPace } from "./keeping/make-sweep-pace.ts";
import type { LinkDeps, LinkParts } from "./links/link.ts";
import { verifyInThread } from "./links/verify-in-thread.ts";
import type { RegistryDeps, RegistryParts } from "./registry/registry.ts";
import type { WidgetDeps } from "./widget/visit.ts";

interface VaultNeeds {
  readonly envelopes: EnvelopeDeps;
  readonly seals: SealDeps;
  readonly log: LogDeps;
  readonly keys: DerivedKeys;
  readonly lookUpLogo: WidgetDeps["lookUpLogo"];
  readonly verifierSha256: string | null;
  /** requests to registries are sent as those of webhooks are */
  readonly registry: RegistryParts;
}

interface VaultSettings {
  readonly publicUrl: string;
  readonly sweepHours: number;
  readonly sweepMbps: number;
  readonly uploadTrust: string | null;
  readonly localMode: boolean;
  /** private networks that organizations may send to */
  readonly webhooks: { readonly allowedNetworks: Fence["allowedNetworks"] };
}

// A message has at most 64 kB, and the answer to it another; a trust document lists every seal certificate.
const MESSAGES: Limits = { connect_ms: 5_000, exchange_ms: 30_000, body_ms: 20_000, body_bytes: 4 * 1024 * 1024 };
const PIECES: Limits = { connect_ms: 5_000, exchange_ms: 120_000, body_ms: 100_000, body_bytes: 4 * 1024 * 1024 };

/** HTTPS, or HTTP to this machine. Organizations choose these addresses, so private networks are closed to them as for webhooks. */
function linksOf({ localMode, webhooks }: VaultSettings, mayLeave: MayLeave): LinkParts {
  const fence: Fence = { loopback: localMode, plainHttp: false, allowedNetworks: webhooks.allowedNetworks };
  const resolve = makeResolveName();
  const common = { mayLeave, fence, resolve };
  return { outbound: { ...common, limits: MESSAGES }, bulk: { ...common, limits: PIECES }, verifyBundle: verifyInThread };
}

export function buildVault(
  settings: VaultSettings,
  { envelopes, seals, log, keys, lookUpLogo, verifierSha256, registry }: VaultNeeds,
): LinkDeps & WidgetDeps & RegistryDeps {
  const { publicUrl, sweepHours, sweepMbps, uploadTrust } = settings;
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
    sweepPace: makeSweepPace(sweepMbps),
    uploadRoots,
    links: linksOf(settings, registry.outbound.mayLeave),
    registry,
  };
  return { ...parts, lookUpLogo, exportBundle: (org, envelope_id) => exportBundle(parts, org, envelope_id) };
}

async function recordsSigner(seals: SealDeps, key_id?: string): Promise<RecordsSigner> {
  const key = key_id === undefined ? (await ensureInstanceKeys(seals)).records : await findRecordsKey(seals, key_id);
  return { key_id: key.key_id, sign: (bytes) => key.sign(bytes) };
}
