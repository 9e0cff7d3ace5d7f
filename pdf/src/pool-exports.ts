// The exports for a process that uses the pool. None of this loads a PDF library: those are loaded in the threads, so the process stays
// small and a hostile file cannot harm it. Signing happens in this process, where the key is; it only loads code that writes certificates
// and signatures.

export { type Area, clipArea } from "./area.ts";
export { trustFault } from "./cms/chain.ts";
export { isShownUnrevoked } from "./cms/revocation.ts";
export { certificatePath, chainPath, nextUpdateOf, ocspRequest, revocationSources } from "./cms/revocation-sources.ts";
export { checkTimestamp, readTimestampAnswer, timestampRequest } from "./cms/timestamp.ts";
export {
  AnchorFault,
  type AnchorFaultDetail,
  NotAPdf,
  NotDrawable,
  NotWritten,
  PdfBusy,
  StampFault,
  TagFault,
  type TagFaultDetail,
  UnreadablePdf,
  type UnreadableReason,
} from "./errors.ts";
export type { FileMarks } from "./file-marks.ts";
export type { TagField } from "./find-tags.ts";
export type { Fingerprint } from "./fingerprint.ts";
export type { AnchorPlacement, Ingested, IngestedFile, IngestRequest, IngestWarning, PlacedAnchor } from "./jobs.ts";
export { Pkcs12Fault, readPkcs12 } from "./pkcs12.ts";
export { createPdfPool, type PdfPool, type PdfPoolSettings, type PdfPoolStats } from "./pool.ts";
export type { PageImage, PageText, RenderWidth } from "./render.ts";
export { makeRevocationList, type RevocationListRequest } from "./revocation-list.ts";
export { roomFor, type Sealed, type SealKeys, seal } from "./seal.ts";
export { makeRootCertificate, makeSealCertificate } from "./seal-certificates.ts";
export type { SealLevel } from "./seal-level.ts";
export { type Kind, sniff } from "./sniff.ts";
export type { SignatureValue } from "./stamp/draw-signature.ts";
export type { Mark, Stamped, Stamping } from "./stamp.ts";
export { fillTimeStamp, type TimeStamped, TOKEN_ROOM_BYTES } from "./time-stamp.ts";
export type { DocumentModel } from "./typeset/model.ts";
export type { Typeset, TypesetWarning } from "./typeset.ts";
export type { ValidationData } from "./validation-data.ts";
export type { SealReport } from "./verify-seal.ts";
