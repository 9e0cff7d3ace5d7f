// The exports for a verifier that is one file or runs in a browser: no PDFium, no worker threads, nothing read from disk except the tables
// of Asian character sets, if they are there.

import type { Budget } from "pako";
import type { Doc } from "./doc.ts";
import { openWith, type SecondOpinion } from "./open-with.ts";

export { createBudget } from "pako";
export { checkTimestamp } from "./cms/timestamp.ts";
export { NotAPdf, UnreadablePdf } from "./errors.ts";
export { pagesWithText } from "./find-text.ts";
export { type SealFault, type SealReport, verifySeals } from "./verify-seal.ts";

const NONE: SecondOpinion = { showsMorePages: async () => false, isPasswordNeeded: async () => false };

/** Opens a PDF as `openPdf` does, without a second opinion. For files whose bytes a recorded hash fixes. */
export const openPdf = (bytes: Uint8Array, budget: Budget): Promise<Doc> => openWith(bytes, budget, NONE);
