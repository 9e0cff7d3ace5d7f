import { CannotDecrypt, decrypt, encrypt, type KeyRing } from "../../shared/secrets.ts";
import { CannotUnwrap, contextText, type Kms } from "../kms.ts";

/** Wraps keys under APP_SECRET. The job `secrets.re-wrap` renews them after a rotation, because the view `encrypted_values` lists them. */
export const localKms = (ring: KeyRing): Kms => kmsOfRing("local", ring);

/** For keys that are in this process. */
export function kmsOfRing(id: string, ring: KeyRing): Kms {
  return {
    id,
    wrap: async (key, context) => encrypt(ring, Buffer.from(key).toString("hex"), contextText(context)),
    async unwrap(wrapped, context) {
      try {
        return Buffer.from(decrypt(ring, wrapped, contextText(context)), "hex");
      } catch (cause) {
        throw cause instanceof CannotDecrypt ? new CannotUnwrap(`${id} cannot unwrap ${contextText(context)}`, { cause }) : cause;
      }
    },
  };
}
