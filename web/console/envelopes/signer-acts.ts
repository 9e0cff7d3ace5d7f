import type { Signer } from "@countersign/client/types";

/** Actions for one signer that open a dialog. */
export type SignerAct = "link" | "correct" | "questions";

/** A signer whose slug is known. Only members who may act for a signer see it. */
export type Named = Signer & { readonly slug: string };
export const isNamed = (signer: Signer | undefined): signer is Named => signer !== undefined && signer.slug !== null;

export interface SignerDialogProps {
  readonly envelope_id: string;
  readonly signer: Named;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}
