import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import type { PdfPool } from "@countersign/pdf/pool";

type Cleaned = Awaited<ReturnType<PdfPool["ingestToFile"]>>;

// Most tests upload one of two small documents. Large ones are not worth their memory.
const MAX_BYTES = 64 * 1024;

/**
 * The same pool, but a small file that was cleaned before with the same request is not cleaned again: the engine gives the same result for
 * the same bytes. Refusals are not remembered.
 */
export function rememberingUploads(pool: PdfPool): PdfPool {
  const remembered = new Map<string, { readonly cleaned: Cleaned; readonly bytes: Uint8Array }>();
  return {
    ...pool,
    ingestToFile: async (source, request, turn) => {
      if (source instanceof Uint8Array || source.size > MAX_BYTES) return pool.ingestToFile(source, request, turn);
      const { into, ...rest } = request;
      const sha256 = createHash("sha256").update(await readFile(source.file));
      const key = `${sha256.digest("hex")} ${JSON.stringify(rest)}`;
      const known = remembered.get(key);
      // If the file cannot be written, the pool says so.
      if (known !== undefined && (await isWritten(into, known.bytes))) return structuredClone(known.cleaned);
      const cleaned = await pool.ingestToFile(source, request, turn);
      remembered.set(key, { cleaned: structuredClone(cleaned), bytes: await readFile(into) });
      return cleaned;
    },
  };
}

const isWritten = (path: string, bytes: Uint8Array): Promise<boolean> =>
  writeFile(path, bytes).then(
    () => true,
    () => false,
  );
