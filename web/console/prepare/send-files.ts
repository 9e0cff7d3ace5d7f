import type { Warning } from "@countersign/client/types";
import { upload } from "../upload.ts";
import { nameOfFile } from "./file-field.tsx";

interface Sent {
  readonly warnings: readonly Warning[];
}

/** Adds files to a draft one after the other, as documents in this order. `onAdded` is called after each, because the next may be refused. */
export async function sendFiles(
  envelope_id: string,
  files: readonly File[],
  onShare: (share: number | null) => void,
  onAdded: () => Promise<void>,
): Promise<Sent> {
  const warnings: Warning[] = [];
  onShare(0);
  try {
    for (const [index, file] of files.entries()) {
      const onProgress = (sent: number, total: number) => onShare((index + sent / total) / files.length);
      const given = { params: { envelope_id }, body: { file, name: nameOfFile(file.name) } };
      const answer = await upload("add_envelope_document", given, { onProgress });
      warnings.push(...(answer.warnings ?? []));
      await onAdded();
    }
    return { warnings };
  } finally {
    onShare(null);
  }
}
