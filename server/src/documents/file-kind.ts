import { open } from "node:fs/promises";
import { type Kind, sniff } from "@countersign/pdf/pool";
import type { ReceivedFile } from "../http/form.ts";
import { Problem } from "../shared/problems.ts";

// Covers everything that `sniff` looks at: where a PDF can begin, and all image signatures.
const HEAD_BYTES = 2_048;

/** The type of a file by its content. Its name and declared type are ignored. */
export async function kindOf(file: ReceivedFile): Promise<Kind | null> {
  const handle = await open(file.path, "r");
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return sniff(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

export async function acceptPdf(file: ReceivedFile): Promise<void> {
  if ((await kindOf(file)) !== "pdf") throw new Problem("not_a_pdf");
}

export async function acceptDocument(file: ReceivedFile): Promise<void> {
  if ((await kindOf(file)) === null) throw new Problem("not_a_document");
}
