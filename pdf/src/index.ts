export { type Budget, createBudget } from "pako";
export { type Area, clipArea, fromDisplayedPoints, placeAgainst, toFractions } from "./area.ts";
export { readTimestampAnswer, TimestampFault, type TimestampReport, timestampRequest } from "./cms/timestamp.ts";
export { contentFacts } from "./content/page-facts.ts";
export { type Doc, save } from "./doc.ts";
export {
  AnchorFault,
  type AnchorFaultDetail,
  NotAPdf,
  PdfBusy,
  StampFault,
  TagFault,
  type TagFaultDetail,
  UnreadablePdf,
  type UnreadableReason,
} from "./errors.ts";
export { findTags } from "./find-tags.ts";
export { findAnchors } from "./find-text.ts";
export { imageToPdf } from "./image-to-pdf.ts";
export type { AnchorPlacement, JobKind, PlacedAnchor, TakeIn, TakenIn, TakenInWarning } from "./jobs.ts";
export { mayKeepBytes } from "./keep-signed.ts";
export { type Description, describe, type Kind, openPdf, sniff } from "./open.ts";
export { createPdfPool, type PdfPool, type PdfPoolSettings, type PdfPoolStats, type Turn } from "./pool.ts";
export { removeTags } from "./remove-tags.ts";
export { pageText, renderPage } from "./render.ts";
export { refuseUnproven, type Sanitized, sanitize } from "./sanitize.ts";
export { type PlacedSeal, placeSeal, roomFor, type Sealed, type SealKeys, seal } from "./seal.ts";
export { makeRootCertificate, makeSealCertificate } from "./seal-certificates.ts";
export { type SealFault, type SealReport, verifySeals } from "./verify-seal.ts";
