import type { Signer } from "@countersign/client/types";

/** What is asked about before it is done for one signer. */
export type SignerAct = "link" | "correct" | "questions";

/** Whoever may do something for a signer knows the address of their link. */
export type Named = Signer & { readonly slug: string };
export const isNamed = (signer: Signer | undefined): signer is Named => signer !== undefined && signer.slug !== null;

export interface SignerDialogProps {
  readonly envelope_id: string;
  readonly signer: Named;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}
