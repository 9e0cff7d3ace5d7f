// Appends a revision to a file, so that the earlier bytes and the signatures over them stay valid (ISO 32000-2, 7.5.6).

import { PDF } from "@libpdf/core";
import { type Budget, useBudget } from "pako";
import { UnreadablePdf } from "./errors.ts";

/** Opens a file to append to. Throws UnreadablePdf if the file is encrypted or too damaged. */
export async function loadForAppending(bytes: Uint8Array, budget: Budget): Promise<PDF> {
  useBudget(budget);
  const pdf = await PDF.load(bytes).catch((cause: unknown) => {
    throw new UnreadablePdf("unparseable", "libpdf failed", { cause });
  });
  if (budget.exceeded !== null) throw new UnreadablePdf("too_complex", "too many decoded bytes");
  if (pdf.isEncrypted) throw new UnreadablePdf("encrypted", "nothing can be appended to an encrypted file");
  // If it cannot append, libpdf would rewrite the whole file and break older signatures.
  const blocker = pdf.canSaveIncrementally();
  if (blocker !== null) throw new UnreadablePdf("unparseable", `nothing can be appended: ${blocker}`);
  return pdf;
}

/** The file with its new revision; it begins with the unchanged `bytes`. */
export async function saveAppended(pdf: PDF, bytes: Uint8Array): Promise<Buffer> {
  const saved = await pdf.save({ incremental: true });
  // A copy, because libpdf may return a view into a larger buffer.
  const appended = Buffer.from(saved);
  if (appended.length <= bytes.length || appended.compare(bytes, 0, bytes.length, 0, bytes.length) !== 0) {
    throw new UnreadablePdf("unparseable", "a revision could not be appended");
  }
  return appended;
}
