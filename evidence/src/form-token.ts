// Tokens that a public form without proof of the address gives to its visitors. No key or member requested them: the service did.

import type { Json } from "./canonical.ts";

// The id of the service as an actor.
const SERVICE = "system";

/** Whether nobody vouches for the person: anyone could have opened the form, and typed any address. */
export const isOfForm = ({
  credential,
  issued_by,
}: {
  readonly credential?: Json | undefined;
  readonly issued_by?: Json | undefined;
}): boolean => credential === "embed_token" && issued_by === SERVICE;
