import { randomBytes } from "node:crypto";
import {
  certificatePath,
  chainPath,
  checkTimestamp,
  fillTimeStamp,
  type PdfPool,
  type SealLevel,
  TOKEN_ROOM_BYTES,
  UnreadablePdf,
  type ValidationData,
} from "@countersign/pdf/pool";
import type { Fence } from "../outbound/address-fence.ts";
import { makeResolveName } from "../outbound/name-resolver.ts";
import type { MayLeave } from "../shared/departures.ts";
import { askTimeStamp } from "./ask-time-stamp.ts";
import {
  fetchRevocation,
  REVOCATION_LIMITS,
  type Revocation,
  RevocationMissing,
  type RevocationQuestion,
  shows,
} from "./fetch-revocation.ts";
import type { HighestLevel, LongTerm } from "./level.ts";
import type { TimeStamps } from "./seal.ts";

/**
 * Makes a seal last: PAdES B-LT adds the certificates and revocation data that verify the seal after its certificate has expired, B-LTA a
 * time stamp over these. Each is one more revision of a document that is not stored yet. Stored bytes are never rewritten.
 */

/** `localMode`: addresses of this machine are allowed, as for webhooks. */
export function buildLongTerm(highest: HighestLevel, localMode: boolean, ownCrl: LongTerm["ownCrl"], mayLeave: MayLeave): LongTerm {
  // Lists and responses are signed, and issuers publish them without TLS (RFC 5280, 4.2.1.13).
  const fence: Fence = { loopback: localMode, plainHttp: true, allowedNetworks: [] };
  const outbound = { mayLeave, fence, resolve: makeResolveName(), limits: REVOCATION_LIMITS };
  return { highest, revocations: { outbound, cache: new Map(), now: Date.now }, ownCrl };
}

export interface LongTermDeps {
  readonly pdf: Pick<PdfPool, "placeValidation" | "placeTimeStamp">;
  readonly timeStamps: TimeStamps;
  readonly longTerm: LongTerm;
}

/** A document with a time-stamped seal, before it is stored. */
export interface StampedSeal {
  readonly bytes: Uint8Array;
  /** of the signature */
  readonly token: Uint8Array;
  /** DER; the seal's own first, the trusted one last */
  readonly certificates: readonly Uint8Array[];
  /** the installation's root issued the seal certificate, so `ownCrl` answers for it */
  readonly isOwn: boolean;
}

export interface Prolonged {
  readonly bytes: Uint8Array;
  readonly level: SealLevel;
  /** why the level is lower than SEAL_LEVEL allows */
  readonly level_error?: string;
}

/** Returns the document with up to two more revisions. If something is missing, it stays at the level that it has, with the reason. */
export async function prolongSeal(deps: LongTermDeps, key: string, sealed: StampedSeal): Promise<Prolonged> {
  const { url } = deps.timeStamps;
  const { highest } = deps.longTerm;
  if (highest === "b-b" || highest === "b-t" || url === null) return { bytes: sealed.bytes, level: "B-T" };
  const turn = { key, priority: "background" } as const;
  try {
    const data = await collectValidation(deps, sealed);
    const { bytes } = await deps.pdf.placeValidation(sealed.bytes, data, turn);
    if (highest === "b-lt") return { bytes, level: "B-LT" };
    const placed = await deps.pdf.placeTimeStamp(bytes, { room: TOKEN_ROOM_BYTES, marker: randomBytes(32) }, turn);
    const stamped = await fillTimeStamp(placed, (imprint) => askTimeStamp({ ...deps.timeStamps, url }, imprint));
    return "bytes" in stamped ? { bytes: stamped.bytes, level: "B-LTA" } : { bytes, level: "B-LT", level_error: stamped.tsa_error };
  } catch (error) {
    return { bytes: sealed.bytes, level: "B-T", level_error: reasonOf(error) };
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof RevocationMissing) return error.message;
  if (error instanceof UnreadablePdf) return "the validation data could not be added to the document";
  throw error;
}

/**
 * The certificates of both chains, and for each below a root a list or response. The certificates are at hand: the authority was asked to
 * send its chain with the token, and a token or bought certificate without a path to a root was refused before.
 */
async function collectValidation(deps: LongTermDeps, { token, certificates, isOwn }: StampedSeal): Promise<ValidationData> {
  const { at } = describeToken(token);
  const signer = chainPath(certificates, at) ?? noPath("seal");
  const authority = certificatePath(token, { roots: deps.timeStamps.roots, at }) ?? noPath("time-stamp");
  const revocations = await Promise.all([
    ...stepsOf(signer, at).map((step) => (isOwn ? readOwnCrl(deps.longTerm, step) : fetchFor(deps, "seal", step))),
    ...stepsOf(authority, at).map((step) => fetchFor(deps, "time-stamp", step)),
  ]);
  const bytesOf = (kind: Revocation["kind"]) => revocations.filter((one) => one.kind === kind).map(({ bytes }) => bytes);
  return { certificates: [...signer, ...authority], crls: bytesOf("crl"), ocsps: bytesOf("ocsp") };
}

function noPath(chain: string): never {
  throw new RevocationMissing(`the ${chain} certificate has no path to a root at the time of the time-stamp`);
}

/** A root is trusted without a proof and needs no revocation data. */
function stepsOf(path: readonly Uint8Array[], at: Date): RevocationQuestion[] {
  return path.slice(0, -1).map((certificate, n) => ({ certificate, issuer: path[n + 1] ?? certificate, at }));
}

async function fetchFor({ longTerm }: LongTermDeps, chain: string, step: RevocationQuestion): Promise<Revocation> {
  try {
    return await fetchRevocation(longTerm.revocations, step);
  } catch (error) {
    if (error instanceof RevocationMissing) throw new RevocationMissing(`${chain} chain: ${error.message}`, { cause: error });
    throw error;
  }
}

async function readOwnCrl({ ownCrl }: LongTerm, step: RevocationQuestion): Promise<Revocation> {
  if (ownCrl === null) throw new RevocationMissing("seal chain: this installation has no revocation list yet");
  const list = { kind: "crl", bytes: await ownCrl() } as const;
  if (shows(step, list)) return list;
  throw new RevocationMissing("seal chain: the revocation list of this installation does not show that the certificate is valid");
}

/** What a token says about itself. It was verified when the authority answered. */
export function describeToken(token: Uint8Array): { readonly at: Date; readonly authority_until: Date } {
  const { at, certificate } = checkTimestamp(token, () => null, []);
  if (at === null || certificate === null) throw new Error("a verified token cannot be read again");
  return { at: new Date(at), authority_until: new Date(certificate.not_after) };
}

/** Whether the token's authority is one of those that are trusted now. */
export function isOfAuthority(token: Uint8Array, roots: readonly Uint8Array[]): boolean {
  return certificatePath(token, { roots, at: describeToken(token).at }) !== null;
}

/** The revocation data of the authority that made a token, as of now. Certificates without an answer are left out. */
export async function authorityRevocations(longTerm: LongTerm, token: Uint8Array, roots: readonly Uint8Array[]): Promise<Revocation[]> {
  const path = certificatePath(token, { roots, at: describeToken(token).at }) ?? [];
  const found: Revocation[] = [];
  for (const step of stepsOf(path, new Date(longTerm.revocations.now()))) {
    try {
      found.push(await fetchRevocation(longTerm.revocations, step));
    } catch (error) {
      if (!(error instanceof RevocationMissing)) throw error;
    }
  }
  return found;
}
