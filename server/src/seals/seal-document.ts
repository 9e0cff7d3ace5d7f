import { randomBytes } from "node:crypto";
import { TEST_MARK } from "@countersign/evidence";
import { roomFor, type Sealed, type SealLevel, seal } from "@countersign/pdf/pool";
import { isSandbox, type OrgId, type SealId } from "../shared/ids.ts";
import { askTimeStamp } from "./ask-time-stamp.ts";
import { ensureSeal } from "./ensure-seal.ts";
import { prolongSeal } from "./long-term.ts";
import { describeCertificate, type SealDeps, type Signer } from "./seal.ts";

export interface SealOptions {
  /** the reason that PDF readers show: "Authoritative copy ac_… of env_…" */
  readonly reason: string;
  /** who seals; the organization's name by default */
  readonly name?: string;
  /** a copy to hand out: level B-B, without waiting for anyone */
  readonly plain?: boolean;
}

/** For the record: the seal, its certificate, and the result of the time-stamp. */
export interface SealFacts {
  readonly seal_id: SealId;
  readonly certificate_sha256: string;
  readonly subject: string;
  readonly level: SealLevel;
  /** why there is no time-stamp although one was requested */
  readonly tsa_error?: string;
  /** why a time-stamped seal has a lower level than SEAL_LEVEL allows */
  readonly level_error?: string;
  readonly sealed_at: Date;
}

/**
 * Returns the document with one more revision that seals it, and up to two that make the seal last (`prolongSeal`). Call it outside
 * transactions: it may wait for threads, a time-stamp and revocation data.
 * Throws UnreadablePdf for an encrypted document, PdfBusy, and SealUnavailable if the operator has to act.
 */
export async function sealDocument(
  deps: SealDeps,
  org: OrgId,
  document: Uint8Array,
  options: SealOptions,
): Promise<{ bytes: Uint8Array; seal: SealFacts }> {
  if (isSandbox(org)) await requireMarked(deps, org, document);
  const { seal_id, org_name, at, ...signer } = await ensureSeal(deps, org);
  // A seal of a sandbox proves nothing, so no authority is asked for its time.
  const { reason, name = org_name, plain = isSandbox(org) } = options;
  const timeStamps = plain || deps.longTerm.highest === "b-b" ? { ...deps.timeStamps, url: null } : deps.timeStamps;
  const { token, ...sealed } = await sealBytes({ ...deps, timeStamps }, signer, document, { key: org, name, reason, at });
  const { certificates } = signer;
  const { bytes, ...made } =
    token === undefined ? sealed : await prolongSeal(deps, org, { bytes: sealed.bytes, token, certificates, isOwn: deps.bought === null });
  const { certificate_sha256, subject } = describeCertificate(certificates[0]);
  return { bytes, seal: { seal_id, certificate_sha256, subject, ...made, sealed_at: at } };
}

/** The last chance to notice a page that does not say that it is a test: a document that was sealed is handed out. */
async function requireMarked({ pdf }: SealDeps, org: OrgId, document: Uint8Array): Promise<void> {
  const { pages, pages_with_text } = await pdf.inspect(document, { text: TEST_MARK }, { key: org, priority: "background" });
  if (pages_with_text < pages) throw new Error(`${pages - pages_with_text} pages of a sandbox are not marked as a test`);
}

/** `key`: the pool's queue. The thread that opens the document gets no private key; this thread signs the hash that it returns. */
export async function sealBytes(
  deps: Pick<SealDeps, "pdf" | "timeStamps">,
  { certificates, sign }: Signer,
  document: Uint8Array,
  { key, ...place }: { readonly key: string; readonly name: string; readonly reason: string; readonly at: Date },
): Promise<Sealed> {
  const { url } = deps.timeStamps;
  const room = roomFor(certificates, url !== null);
  const placed = await deps.pdf.placeSeal(document, { ...place, room, marker: randomBytes(32) }, { key, priority: "background" });
  if (url === null) return seal(placed, { certificates, sign });
  return seal(placed, { certificates, sign, timestamp: (imprint) => askTimeStamp({ ...deps.timeStamps, url }, imprint) });
}
