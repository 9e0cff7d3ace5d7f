import { createPrivateKey, createPublicKey, type KeyObject, sign, X509Certificate } from "node:crypto";
import type { PdfPool } from "@countersign/pdf/pool";
import type { Db } from "../db/connect.ts";
import type { MayLeave } from "../shared/departures.ts";
import { DAY_MS } from "../shared/durations.ts";
import type { SealId } from "../shared/ids.ts";
import type { Outcomes } from "../shared/outcomes.ts";
import { decrypt, encrypt, type KeyRing, sha256 } from "../shared/secrets.ts";
import type { LongTerm } from "./level.ts";
import type { RemoteSigner } from "./signer.ts";

export interface SealDeps {
  readonly db: Db;
  readonly pdf: Pick<PdfPool, "placeSeal" | "placeValidation" | "placeTimeStamp" | "verify" | "inspect">;
  /** encrypts the private keys */
  readonly sealKey: KeyRing;
  /** keeps new keys of the installation; null without SIGNER_URL */
  readonly signer: RemoteSigner | null;
  /** used in place of the organizations' own; null without SEAL_P12_FILE */
  readonly bought: P12Seal | null;
  readonly timeStamps: TimeStamps;
  readonly longTerm: LongTerm;
}

/** A certificate on record. */
export interface SealKey {
  readonly seal_id: SealId;
  /** null for a bought one */
  readonly generation: number | null;
  readonly certificate: Buffer;
  readonly certificate_sha256: string;
  readonly issuers: readonly Buffer[];
  readonly private_key_enc: Buffer | null;
  readonly not_before: Date;
  readonly not_after: Date;
  readonly revoked_at: Date | null;
  readonly revoked_reason: RevocationReason | null;
  /** seals made from then on are not valid; null unless it is revoked */
  readonly invalid_from: Date | null;
}

export const revocationReasons = ["superseded", "affiliation_changed", "key_compromise"] as const;
export type RevocationReason = (typeof revocationReasons)[number];

/** What signs, with the certificates for the document: the seal's own first, the trusted one last. */
export interface Signer {
  readonly certificates: readonly [Uint8Array, ...Uint8Array[]];
  readonly sign: (der: Uint8Array) => Promise<Uint8Array>;
}

/** One certificate for all organizations, from SEAL_P12_FILE. Its key stays in memory. */
export interface P12Seal extends Signer {
  readonly certificate_sha256: string;
  readonly not_before: Date;
  readonly not_after: Date;
}

/** The time-stamp authority to ask, and the authorities to trust. */
export interface TimeStamps {
  /** of the attempts to get a time-stamp; tests need none */
  readonly outcomes?: Outcomes;
  /** as for all requests; tests need none */
  readonly mayLeave?: MayLeave;
  /** null: no authority is asked. Seals with earlier time-stamps are still verified. */
  readonly url: string | null;
  /** DER */
  readonly roots: readonly Uint8Array[];
  readonly timeout_ms: number;
}

/** Nothing can be sealed until the operator does what the message says. The message is public: readiness shows it. */
export class SealUnavailable extends Error {
  override readonly name = "SealUnavailable";
}

/** A setting is invalid. The message names it and says what to do, never its value. */
export class SealSettingRefused extends Error {
  override readonly name = "SealSettingRefused";
}

// A document that was sealed on the last day of a certificate must still look valid in the weeks after, and a worker that was stopped over
// a long holiday must not find its certificate expired.
const RENEWED_DAYS_BEFORE = 90;

/** Whether an organization's own certificate can be used for sealing at this time. */
export function isFresh({ not_after, revoked_at }: Pick<SealKey, "not_after" | "revoked_at">, at: Date): boolean {
  return revoked_at === null && not_after.getTime() - at.getTime() > RENEWED_DAYS_BEFORE * DAY_MS;
}

/** What rows and responses say about a certificate. */
export function describeCertificate(der: Uint8Array): { certificate_sha256: string; subject: string; not_before: Date; not_after: Date } {
  const { subject, validFrom, validTo } = new X509Certificate(der);
  return {
    certificate_sha256: sha256(der).toString("hex"),
    // Node writes one attribute per line.
    subject: subject.split("\n").join(", "),
    not_before: new Date(validFrom),
    not_after: new Date(validTo),
  };
}

export const signBy =
  (key: KeyObject) =>
  async (der: Uint8Array): Promise<Uint8Array> =>
    sign("sha256", der, key);

/** The public key in the format of certificates. */
export function publicKeyOf(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: "spki", format: "der" });
}

/** `context` names the row: copied into another row, the key cannot be decrypted. */
export function sealPrivateKey({ sealKey }: Pick<SealDeps, "sealKey">, key: KeyObject, context: string): Buffer {
  return encrypt(sealKey, key.export({ type: "pkcs8", format: "pem" }).toString(), context);
}

export function openPrivateKey(deps: Pick<SealDeps, "sealKey">, sealed: Uint8Array, context: string): KeyObject {
  return createPrivateKey(openText(deps, sealed, context));
}

function openText({ sealKey }: Pick<SealDeps, "sealKey">, sealed: Uint8Array, context: string): string {
  try {
    return decrypt(sealKey, sealed, context);
  } catch (cause) {
    throw new SealUnavailable(
      "the seal keys in the database were created with another APP_SECRET; start with that one. Until then nothing can be sealed, but sealed documents can be verified",
      { cause },
    );
  }
}
