export { type Budget, createBudget } from "pako";
export { type Area, clipArea, fromDisplayedPoints, placeAgainst, toFractions } from "./area.ts";
export { checkTimestamp, readTimestampAnswer, TimestampFault, type TimestampReport, timestampRequest } from "./cms/timestamp.ts";
export { type Combined, type CombinedPart, combine } from "./combine.ts";
export { contentFacts } from "./content/page-facts.ts";
export { type Doc, save } from "./doc.ts";
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
export { type FoundAll, findAll } from "./find-all.ts";
export { findTags } from "./find-tags.ts";
export { findAnchors, pagesWithText } from "./find-text.ts";
export { imageToPdf } from "./image-to-pdf.ts";
export type {
  AnchorPlacement,
  Finished,
  Ingested,
  IngestedFile,
  IngestRequest,
  IngestWarning,
  JobKind,
  PlacedAnchor,
  Prepared,
} from "./jobs.ts";
export { mayKeepBytes } from "./keep-signed.ts";
export { type Description, describe, openPdf } from "./open.ts";
export { type Pkcs12, Pkcs12Fault, type Pkcs12Reason, readPkcs12 } from "./pkcs12.ts";
export { placeSeal } from "./place-seal.ts";
export { placeTimeStamp } from "./place-time-stamp.ts";
export { placeValidation } from "./place-validation.ts";
export { createPdfPool, type PdfPool, type PdfPoolSettings, type PdfPoolStats, type Turn } from "./pool.ts";
export { removeHidden } from "./remove-hidden.ts";
export { removeTags } from "./remove-tags.ts";
export { pageText, renderPage } from "./render.ts";
export { assertClean, type Sanitized, sanitize } from "./sanitize.ts";
export { type PlacedSeal, roomFor, type Sealed, type SealKeys, seal } from "./seal.ts";
export { makeRootCertificate, makeSealCertificate } from "./seal-certificates.ts";
export type { SealLevel } from "./seal-level.ts";
export { type Kind, sniff } from "./sniff.ts";
export { addSignaturePage, type PageSigner, type SignerAreas } from "./stamp/add-signature-page.ts";
export { MAX_POINTS, type SignatureValue } from "./stamp/draw-signature.ts";
export { type Fitted, fitText, type TextBox, textBox } from "./stamp/fit-text.ts";
export { type Fonts, openFonts, type SignatureFont } from "./stamp/fonts.ts";
export { type CopyTexts, markCopy } from "./stamp/mark-copy.ts";
export { type Mark, type Stamped, type Stamping, type StampWarning, stamp } from "./stamp.ts";
export { fillTimeStamp, type TimeStamped, TOKEN_ROOM_BYTES } from "./time-stamp.ts";
export type { Block, Cell, Column, DocumentModel, Look, PictureCell, PictureOfSignature, Tone, Words } from "./typeset/model.ts";
export { type Typeset, type TypesetWarning, typeset } from "./typeset.ts";
export type { ValidationData } from "./validation-data.ts";
export { type SealFault, type SealReport, verifySeals } from "./verify-seal.ts";
