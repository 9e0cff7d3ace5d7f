import { open } from "node:fs/promises";
import { type Kind, sniff } from "@countersign/pdf/pool";
import type { ReceivedFile } from "../http/form.ts";
import { Problem } from "../shared/problems.ts";

// Where a PDF may begin, and every image signature: what `sniff` looks at.
const HEAD_BYTES = 2_048;

/** What the file is by its content: neither its name nor the type that its sender declared is looked at. */
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
