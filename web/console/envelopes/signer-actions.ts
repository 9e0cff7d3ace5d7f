import type { Signer } from "@countersign/client/types";

/** Actions for one signer that open a dialog. */
export type SignerAction = "link" | "correct" | "questions";

/** A signer whose slug is known. Only members who may act for a signer see it. */
export type SignerWithSlug = Signer & { readonly slug: string };
export const hasSlug = (signer: Signer | undefined): signer is SignerWithSlug => signer !== undefined && signer.slug !== null;

export interface SignerDialogProps {
  readonly envelope_id: string;
  readonly signer: SignerWithSlug;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}
