import { isNoteName, type NoteKey, noteKeyTypes, readVkey } from "@countersign/evidence";
import type { Fence } from "../outbound/address-fence.ts";
import { makeResolveName } from "../outbound/name-resolver.ts";
import type { Limits, Outbound } from "../outbound/send-request.ts";
import type { MayLeave } from "../shared/departures.ts";

export interface Witness {
  readonly key: NoteKey;
  /** the key with its name, as it is written in WITNESSES and stored */
  readonly vkey: string;
  /** without the slash at the end; `/add-checkpoint` follows */
  readonly url: string;
}

/** How the log is known and shown outside. */
export interface NoteDeps {
  /** LOG_ORIGIN; null: the default name */
  readonly origin: string | null;
  /** the host of PUBLIC_URL, without a port */
  readonly host: string;
  /** the address of the log for monitors */
  readonly address: string;
  readonly isPublic: boolean;
  readonly witnesses: readonly Witness[];
  readonly quorum: number;
  readonly outbound: Outbound;
}

/** A setting of the log is wrong. The message says which. */
export class LogSettingRefused extends Error {
  override readonly name = "LogSettingRefused";
}

interface LogSettings {
  readonly origin: string | null;
  readonly isPublic: boolean;
  readonly witnesses: readonly { readonly vkey: string; readonly url: string }[];
  readonly quorum: number;
}

// A witness reads its state, verifies a proof and writes a file.
const LIMITS: Limits = { connect_ms: 5_000, exchange_ms: 20_000, body_ms: 5_000, body_bytes: 64 * 1024 };

// The operator chose the addresses of witnesses, which may well be on this machine or in a private network.
const FENCE: Fence = { loopback: true, plainHttp: true, allowedNetworks: ["0.0.0.0/0", "::/0"] };

/** Throws LogSettingRefused if a setting is invalid. */
export function buildLog({ origin, isPublic, witnesses, quorum }: LogSettings, publicUrl: string, mayLeave: MayLeave): NoteDeps {
  if (origin !== null && !isNoteName(origin)) throw new LogSettingRefused("LOG_ORIGIN must not contain spaces and plus signs");
  const named = witnesses.map(witnessOf);
  // One key under two names is one witness.
  if (new Set(named.map(({ key }) => Buffer.from(key.public_key).toString("hex"))).size !== named.length)
    throw new LogSettingRefused("WITNESSES contains a key twice");
  if (named.length > 0 && quorum > named.length) throw new LogSettingRefused("WITNESS_QUORUM is larger than the number of WITNESSES");
  return {
    origin,
    host: new URL(publicUrl).hostname,
    address: `${publicUrl}/log`,
    isPublic,
    witnesses: named,
    quorum,
    outbound: { mayLeave, fence: FENCE, resolve: makeResolveName(), limits: LIMITS },
  };
}

function witnessOf({ vkey, url }: { readonly vkey: string; readonly url: string }): Witness {
  const key = readVkey(vkey);
  if (key?.type !== noteKeyTypes.cosignature)
    throw new LogSettingRefused("WITNESSES must contain keys for cosignatures, as countersign-verify witness prints them");
  return { key, vkey, url: url.replace(/\/+$/, "") };
}
