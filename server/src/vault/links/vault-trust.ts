import { keyAt, type RemoteTrust } from "@countersign/evidence";

/** The public key for encryption with this ID, if it is in use; null otherwise. DER-encoded SPKI. */
export const vaultKeyOf = ({ keys }: RemoteTrust, key_id: string, at: string): Uint8Array | null => keyAt(keys.vault, key_id, at);
