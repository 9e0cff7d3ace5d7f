// What a process needs that has PDFs worked on in the pool. None of it loads a PDF library: those live in the threads, so the
// process itself stays small, and a hostile file has nothing here to break.

export { type Area, clipArea } from "./area.ts";
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
export type { TagField } from "./find-tags.ts";
export type { AnchorPlacement, PlacedAnchor, TakeIn, TakenIn, TakenInWarning } from "./jobs.ts";
export { createPdfPool, type PdfPool, type PdfPoolSettings, type PdfPoolStats } from "./pool.ts";
export { type Kind, sniff } from "./sniff.ts";
export type { SealReport } from "./verify-seal.ts";
