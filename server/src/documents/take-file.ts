import { rm } from "node:fs/promises";
import type { IngestedFile, IngestRequest, PdfPool } from "@countersign/pdf/pool";
import type { ReceivedFile } from "../http/form.ts";
import type { Caller } from "../shared/caller.ts";
import type { BlobName } from "../storage/blob-store.ts";
import { type StorageDeps, storeBlob } from "../storage/store-blob.ts";

export interface TakenFile<T> {
  readonly taken: IngestedFile;
  /** the return value of `judge` */
  readonly judged: T;
  /** the cleaned PDF in the blob store */
  readonly pdf: BlobName;
}

/**
 * Cleans an upload into a second file and stores that one. It goes from disk to disk, so that many large uploads do not slow down other
 * requests. `judge` sees the document before anything is stored; `refuse` turns engine errors into problems.
 */
export async function takeFile<T>(
  deps: { readonly pdf: PdfPool; readonly storage: StorageDeps },
  caller: Caller,
  file: ReceivedFile,
  request: IngestRequest,
  refuse: (error: unknown) => never,
  judge: (taken: IngestedFile) => T,
): Promise<TakenFile<T>> {
  const clean = `${file.path}.clean`;
  try {
    const taken = await deps.pdf
      .ingestToFile({ file: file.path, size: file.size }, { ...request, into: clean }, { key: caller.org, priority: "interactive" })
      .catch(refuse);
    const judged = judge(taken);
    const { sha256, size } = taken;
    return { taken, judged, pdf: await storeBlob(deps.storage, caller.org, { file: clean }, { sha256, size }) };
  } finally {
    await rm(clean, { force: true });
  }
}
