import { type AttestedSigner, attestedNameOf, namesIn } from "@countersign/evidence";
import { NotAPdf, type PdfPool, UnreadablePdf } from "@countersign/pdf/pool";

type Turn = NonNullable<Parameters<PdfPool["inspect"]>[2]>;

/**
 * The attested signers whom an evidence file names, by name or e-mail address. The text of a PDF and of JSON is read; that of an image is
 * not.
 */
export async function namesInEvidence(
  pdf: Pick<PdfPool, "inspect">,
  bytes: Uint8Array | null,
  signers: readonly AttestedSigner[],
  turn: Turn,
): Promise<string[]> {
  if (bytes === null) return [];
  const start = Buffer.from(bytes.subarray(0, 5)).toString("latin1");
  if (start !== "%PDF-") return namesIn(bytes, signers);
  const named: string[] = [];
  for (const signer of signers) if (await isNamed(pdf, bytes, signer, turn)) named.push(attestedNameOf(signer));
  return named;
}

async function isNamed(pdf: Pick<PdfPool, "inspect">, bytes: Uint8Array, signer: AttestedSigner, turn: Turn): Promise<boolean> {
  for (const text of [signer.name, signer.email]) {
    if (text === null || text.trim() === "") continue;
    const found = await pdf.inspect(bytes, { text: text.trim() }, turn).catch((error: unknown) => {
      if (error instanceof NotAPdf || error instanceof UnreadablePdf) return null;
      throw error;
    });
    if (found !== null && found.pages_with_text > 0) return true;
  }
  return false;
}
