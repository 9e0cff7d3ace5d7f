// Verifies signatures in a PDF, ours and others' (ISO 32000-2, 12.8). Three separate questions: are the signed bytes and the signature
// *intact*, is the certificate *trusted*, and was the document *changed after signing* by appending to it?

import { createHash, X509Certificate } from "node:crypto";
import { PDF, PdfName, PdfString } from "@libpdf/core";
import { type Budget, createBudget, useBudget } from "pako";
import type { Hash } from "./cms/algorithms.ts";
import { type CertificateView, viewCertificate } from "./cms/certificate.ts";
import { type TrustFault, trustFault } from "./cms/chain.ts";
import { BadAsn1, bytesOf, oid, readBlock, sameBytes, timeOf } from "./cms/der.ts";
import { checkSignature, hashParts, readSignedData, type SignatureCheck, type SignatureFault, type SignedData } from "./cms/signed-data.ts";
import { checkTimestamp, type TimestampReport } from "./cms/timestamp.ts";
import { numbers, resolve } from "./doc.ts";
import { UnreadablePdf } from "./errors.ts";
import { type Appended, appendedBetween, TIME_STAMP } from "./later-revisions.ts";
import { withoutEncryptedAttachments } from "./protection.ts";
import { provesBothChains, type SealLevel } from "./seal-level.ts";
import { MAX_SIGNATURES, type SignedField, signedFields } from "./signed-fields.ts";
import { readValidation, type ValidationData } from "./validation-data.ts";

/**
 * byte_range: it does not exclude exactly the signature. contents: the gap contains something besides the signature. unsupported: a kind
 * of signature that we do not verify, so nothing is known about it. The other codes are self-explanatory.
 */
export type SealFault = "byte_range" | "contents" | SignatureFault | "changed_after_signing" | TrustFault;

export type SealReport = {
  readonly field: string;
  readonly sub_filter: string;
  /** It ends the file, or only validation data follows: a /DSS and document time stamps, each of which is intact and trusted. */
  readonly covers_whole_file: boolean;
  /** The document as shown now is the one that was signed. */
  readonly intact: boolean;
  readonly certificate: CertificateView | null;
  /** The signature is valid, and its certificate chained to one of the roots at the requested time. */
  readonly trusted: boolean;
  /** The time claimed by the signer; only a time stamp proves a time. */
  readonly signing_time: string | null;
  /** `/Reason` from the signed file. */
  readonly reason: string | null;
  /** Made with SHA-1. */
  readonly weak?: true;
  readonly timestamp?: TimestampReport;
  /** Of an intact and trusted signature in the form of PAdES. */
  readonly level?: SealLevel;
  /** The most serious problem: broken before changed before untrusted. */
  readonly fault?: SealFault;
};

export type VerifyOptions = {
  /** Trusted certificates, DER. */
  readonly roots: readonly Uint8Array[];
  readonly at: Date;
  /** Trusted certificates of time-stamp authorities; defaults to `roots`. */
  readonly timestamp_roots?: readonly Uint8Array[];
  readonly budget?: Budget;
  /** Called once the file is parsed. */
  readonly opened?: () => void;
};

// For a signature with all certificates, revocation lists and tokens; real ones are below 200 KB.
const MAX_CMS_BYTES = 1_048_576;

const LESS_THAN = 0x3c;
const GREATER_THAN = 0x3e;
const BLANK_ONLY = /^[\0\t\n\f\r ]*$/;

/**
 * One report per signature, in the order of the form's fields; empty for a document without signatures. Throws UnreadablePdf if the file
 * cannot be read at all.
 * @example const [report] = await verifySeals(bytes, { roots: [root], at: new Date() })
 */
export async function verifySeals(bytes: Uint8Array, options: VerifyOptions): Promise<SealReport[]> {
  const budget = options.budget ?? createBudget();
  const readable = withoutEncryptedAttachments(bytes);
  const pdf = await load(readable, budget);
  options.opened?.();
  const fields = signedFields({ pdf });
  if (fields.length > MAX_SIGNATURES) throw new UnreadablePdf("too_complex", `more than ${MAX_SIGNATURES} signatures`);
  const findings = fields.map((field) => examine(bytes, pdf, field, options));
  const history = await readHistory(readable, pdf, findings, budget);
  return findings.map((finding) => withHistory(finding, findings, history, options));
}

/** `end` is the end of the signed part of the file. */
type Finding = { readonly report: SealReport; readonly end: number; readonly signed?: SignedData };
type Range = { readonly gap_start: number; readonly gap_end: number; readonly end: number };

async function load(bytes: Uint8Array, budget: Budget): Promise<PDF> {
  useBudget(budget);
  const pdf = await PDF.load(bytes).catch((cause: unknown) => {
    throw new UnreadablePdf("unparseable", "libpdf failed", { cause });
  });
  if (budget.exceeded !== null) throw new UnreadablePdf("too_complex", "too many decoded bytes");
  if (pdf.isEncrypted && !pdf.isAuthenticated) throw new UnreadablePdf("encrypted", "needs a password");
  return pdf;
}

function examine(bytes: Uint8Array, pdf: PDF, field: SignedField, options: VerifyOptions): Finding {
  const filter = resolve({ pdf }, field.signature.get("SubFilter"));
  const range = readRange(bytes, pdf, field);
  const blank: SealReport = {
    field: field.name,
    sub_filter: filter instanceof PdfName ? filter.value : "",
    covers_whole_file: range !== null && range.end === bytes.length,
    intact: false,
    certificate: null,
    trusted: false,
    signing_time: claimedTime(pdf, field),
    reason: statedText(pdf, field, "Reason"),
  };
  if (range === null) return { report: { ...blank, fault: "byte_range" }, end: 0 };
  const { report, signed } = judge(blank, bytes, range, options);
  if (!isContentsOf(bytes, pdf, field, range)) {
    return { report: { ...report, intact: false, trusted: false, fault: "byte_range" }, end: range.end };
  }
  return { report, end: range.end, ...(signed === undefined ? {} : { signed }) };
}

// `[0 a b c]` with exactly one hexadecimal string between a and b, so that only the signature is excluded.
function readRange(bytes: Uint8Array, pdf: PDF, field: SignedField): Range | null {
  const [first, gap_start = -1, gap_end = -1, tail = -1, ...more] = numbers({ pdf }, field.signature.get("ByteRange")) ?? [];
  const end = gap_end + tail;
  const whole = [gap_start, gap_end, tail].every((each) => Number.isSafeInteger(each) && each >= 0);
  if (first !== 0 || more.length > 0 || !whole || gap_end - gap_start < 2 || end > bytes.length) return null;
  if (bytes[gap_start] !== LESS_THAN || bytes[gap_end - 1] !== GREATER_THAN) return null;
  return { gap_start, gap_end, end };
}

// The gap must be the signature's own entry, not another string in the file.
function isContentsOf(bytes: Uint8Array, pdf: PDF, field: SignedField, range: Range): boolean {
  const lead = latin1(bytes, Math.max(0, range.gap_start - 32), range.gap_start);
  if (!/\/Contents\s*$/.test(lead)) return false;
  const contents = resolve({ pdf }, field.signature.get("Contents"));
  // In an encrypted file libpdf decrypts every string, but this one is never encrypted (ISO 32000-2, 7.6.2).
  return pdf.isEncrypted || (contents instanceof PdfString && sameBytes(contents.bytes, gapBytes(bytes, range) ?? new Uint8Array()));
}

/** The bytes in the gap; null if it is not plain hexadecimal. */
function gapBytes(bytes: Uint8Array, range: Range): Uint8Array | null {
  const hex = latin1(bytes, range.gap_start + 1, range.gap_end - 1);
  return hex.length % 2 === 0 && /^[0-9A-Fa-f]*$/.test(hex) ? new Uint8Array(Buffer.from(hex, "hex")) : null;
}

type Judged = { readonly report: SealReport; readonly signed?: SignedData };

function judge(blank: SealReport, bytes: Uint8Array, range: Range, options: VerifyOptions): Judged {
  const broken = (fault: SealFault): Judged => ({ report: { ...blank, fault } });
  if (range.gap_end - range.gap_start - 2 > 2 * MAX_CMS_BYTES) return broken("unsupported");
  const gap = gapBytes(bytes, range);
  if (gap === null) return broken("contents");
  try {
    const { block, length } = readBlock(gap);
    if (gap.subarray(length).some((byte) => byte !== 0)) return broken("contents");
    const parts = [bytes.subarray(0, range.gap_start), bytes.subarray(range.gap_end, range.end)];
    const digest = (hash: Hash): Uint8Array => hashParts(hash, parts);
    if (blank.sub_filter === TIME_STAMP) return { report: judgeDocumentTimestamp(blank, bytesOf(block), digest, options) };
    const signed = readSignedData(block);
    return { report: judgeSignature(blank, signed, parts, options), signed };
  } catch (error) {
    if (error instanceof BadAsn1) return broken("cms_malformed");
    throw error;
  }
}

function judgeSignature(blank: SealReport, data: SignedData, signed: readonly Uint8Array[], options: VerifyOptions): SealReport {
  const check = checkBySubFilter(blank.sub_filter, data, signed);
  const certificate = check.certificate === null ? null : viewCertificate(check.certificate);
  const signing_time = timeOf(data.signer.signed.get(oid.signingTime))?.toISOString() ?? blank.signing_time;
  const report = { ...blank, certificate, signing_time };
  if (check.fault !== null) return { ...report, fault: check.fault };
  const roots = options.roots.map((root) => new X509Certificate(root));
  const fault = trustFault({ certificate: check.certificate, others: data.certificates, roots, at: options.at });
  return {
    ...report,
    intact: true,
    trusted: fault === null,
    ...(check.weak ? { weak: true as const } : {}),
    ...timestampOf(data, options),
    ...(fault === null ? {} : { fault }),
  };
}

function checkBySubFilter(subFilter: string, data: SignedData, signed: readonly Uint8Array[]): SignatureCheck {
  const other: SignatureCheck = { fault: "unsupported", certificate: data.signer.certificate };
  if (subFilter === "ETSI.CAdES.detached" || subFilter === "adbe.pkcs7.detached") {
    if (data.content !== null) return { ...other, fault: "cms_malformed" };
    return checkSignature(data, signed, { strict: subFilter === "ETSI.CAdES.detached" });
  }
  if (subFilter !== "adbe.pkcs7.sha1" || data.content === null) return other;
  // The old form: an embedded SHA-1 of the file is signed.
  const { content } = data;
  if (!sameBytes(content, hashParts("sha1", signed))) return { ...other, fault: "digest_mismatch" };
  const check = checkSignature(data, [content], { strict: false });
  return check.fault === null ? { ...check, weak: true } : check;
}

function timestampOf(data: SignedData, options: VerifyOptions): { timestamp?: TimestampReport } {
  const token = data.signer.unsigned.get(oid.signatureTimeStamp);
  if (token === undefined) return {};
  const imprint = (hash: Hash): Uint8Array => createHash(hash).update(data.signer.signature).digest();
  return { timestamp: checkTimestamp(bytesOf(token), imprint, options.timestamp_roots ?? options.roots) };
}

// A time stamp of the whole document (PAdES, EN 319 142-1, 5.4.3): the signer is the authority.
function judgeDocumentTimestamp(
  blank: SealReport,
  token: Uint8Array,
  digest: (hash: Hash) => Uint8Array,
  options: VerifyOptions,
): SealReport {
  const timestamp = checkTimestamp(token, digest, options.timestamp_roots ?? options.roots);
  const { certificate, intact, trusted } = timestamp;
  const report = { ...blank, certificate, intact, trusted, signing_time: timestamp.at, timestamp };
  if (intact) return trusted ? report : { ...report, fault: "untrusted" };
  return { ...report, fault: timestamp.fault === "imprint_mismatch" ? "digest_mismatch" : "signature_invalid" };
}

function statedText(pdf: PDF, field: SignedField, name: string): string | null {
  const stated = resolve({ pdf }, field.signature.get(name));
  return stated instanceof PdfString ? stated.asString() : null;
}

// ISO 32000-2, 7.9.4: D:YYYYMMDDHHmmSSOHH'mm'; all but the year may be missing.
function claimedTime(pdf: PDF, field: SignedField): string | null {
  const stated = resolve({ pdf }, field.signature.get("M"));
  const parts = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:([+-])(\d\d)'?(\d\d)?|Z)?/.exec(
    stated instanceof PdfString ? stated.asString() : "",
  );
  if (parts === null) return null;
  const [, year, month = "01", day = "01", hour = "00", minute = "00", second = "00", sign, hours = "00", minutes = "00"] = parts;
  const zone = sign === undefined ? "Z" : `${sign}${hours}:${minutes}`;
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}${zone}`);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

/** What was appended after each signed end. */
type History = {
  /** The end of the file. */
  readonly end: number;
  /** After this end only signatures and validation data were appended. */
  readonly unchanged_from: number;
  /** After this end only validation data was appended. */
  readonly validation_from: number;
  /** The file as it was at a signed end. */
  readonly at: ReadonlyMap<number, { readonly signatures: number; readonly validation: () => ValidationData }>;
};

/** Each end is compared only with the next one: changes that are allowed at every step are allowed overall. */
async function readHistory(bytes: Uint8Array, whole: PDF, findings: readonly Finding[], budget: Budget): Promise<History> {
  const ends = findings.filter(({ report }) => report.intact).map(({ end }) => end);
  const at = new Map([[bytes.length, revisionOf(whole, budget)]]);
  let [later, validation_from] = [{ end: bytes.length, pdf: whole }, bytes.length];
  for (const end of [...new Set(ends)].sort((a, b) => b - a)) {
    if (end === bytes.length) continue;
    const earlier = await PDF.load(bytes.subarray(0, end)).catch(() => null);
    if (budget.exceeded !== null) throw new UnreadablePdf("too_complex", "too many decoded bytes");
    const appended = earlier === null ? "changed" : appendedIn(bytes, end, later.end, [earlier, later.pdf]);
    if (earlier === null || appended === "changed") return { unchanged_from: later.end, validation_from, at, end: bytes.length };
    if (appended === "validation" && validation_from === later.end) validation_from = end;
    at.set(end, revisionOf(earlier, budget));
    later = { end, pdf: earlier };
  }
  return { unchanged_from: 0, validation_from, at, end: bytes.length };
}

function revisionOf(pdf: PDF, budget: Budget): { readonly signatures: number; readonly validation: () => ValidationData } {
  const dss = pdf.context.catalog.getDict().get("DSS");
  return { signatures: signedFields({ pdf }).length, validation: () => readValidation({ pdf, budget }, dss) };
}

/** blank: white space, alone or after validation data; harmless, but covered by nothing. */
function appendedIn(bytes: Uint8Array, from: number, to: number, [earlier, later]: readonly [PDF, PDF]): Appended | "blank" {
  const appended = latin1(bytes, from, to);
  if (BLANK_ONLY.test(appended)) return "blank";
  // Without a cross-reference section of their own, appended objects are still found and shown by some readers.
  const offset = /startxref\s+(\d{1,10})\s+%%EOF\s*$/.exec(appended.slice(-64))?.[1];
  if (offset === undefined || Number(offset) < from) return "changed";
  if (earlier.recoveredViaBruteForce || later.recoveredViaBruteForce) return "changed";
  const kind = appendedBetween(earlier, later);
  return kind === "validation" && !/%%EOF(?:\r\n|\r|\n)?$/.test(appended.slice(-64)) ? "blank" : kind;
}

function withHistory(finding: Finding, findings: readonly Finding[], history: History, options: VerifyOptions): SealReport {
  const { report, end } = finding;
  if (!report.intact) return report;
  if (end < history.unchanged_from) return { ...report, intact: false, fault: "changed_after_signing" };
  // The fields of later revisions come last, because nothing but additions is allowed.
  const added = findings.slice(history.at.get(end)?.signatures ?? findings.length);
  const covers_whole_file =
    report.covers_whole_file || (end >= history.validation_from && added.every(({ report: each }) => isValidTimeStamp(each)));
  const level = report.sub_filter === "ETSI.CAdES.detached" && report.trusted ? levelOf(finding, added, history, options) : null;
  return { ...report, covers_whole_file, ...(level === null ? {} : { level }) };
}

const isValidTimeStamp = ({ sub_filter, intact, trusted }: SealReport): boolean => sub_filter === TIME_STAMP && intact && trusted;

function levelOf({ report, signed }: Finding, added: readonly Finding[], history: History, options: VerifyOptions): SealLevel {
  const { timestamp } = report;
  if (signed === undefined || timestamp?.intact !== true || !timestamp.trusted || timestamp.at === null) return "B-B";
  const at = new Date(timestamp.at);
  const isComplete = (end: number): boolean => {
    const data = history.at.get(end)?.validation();
    return data !== undefined && provesBothChains(signed, data, at, options);
  };
  const stamped = added.filter(({ report: each, end }) => isValidTimeStamp(each) && end >= history.unchanged_from);
  if (stamped.some(({ end }) => isComplete(end))) return "B-LTA";
  return isComplete(history.end) ? "B-LT" : "B-T";
}

function latin1(bytes: Uint8Array, from: number, to: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1", from, to);
}
