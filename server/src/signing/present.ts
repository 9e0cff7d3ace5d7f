import { iso, isoOrNull } from "../http/shapes.ts";
import type { TokenHolder } from "../shared/caller.ts";
import type { Ceremony } from "./builtin/ceremony.ts";

/** How the signing page begins. */
export const presentCeremony = ({ envelope, you, state, server_time }: Ceremony & { server_time: Date }, holder: TokenHolder) => ({
  envelope: {
    envelope_id: envelope.envelope_id,
    name: envelope.envelope_name,
    status: envelope.status,
    expires_at: isoOrNull(envelope.expires_at),
    sender: envelope.sender,
    message: envelope.message,
  },
  you: {
    name: you?.name ?? null,
    email: holder.user_email,
    role: you?.role ?? null,
    status: you?.status ?? null,
    mode: you === null ? ("view" as const) : ("sign" as const),
  },
  state,
  token_expires_at: iso(holder.token_expires_at),
  server_time: iso(server_time),
});
