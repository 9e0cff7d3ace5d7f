// Tokens that a public form without proof of the address gives to its visitors. No key or member requested them: the service did.

import type { Json } from "./canonical.ts";

// The id of the service as an actor.
const SERVICE = "system";

/** Whether no one vouches for the person: any visitor could open the form, and type any address. */
export const isOfForm = ({
  credential,
  issued_by,
}: {
  readonly credential?: Json | undefined;
  readonly issued_by?: Json | undefined;
}): boolean => credential === "embed_token" && issued_by === SERVICE;
