import { Type } from "typebox";
import { acting, type Endpoint, endpoint } from "../http/endpoint.ts";
import { idOf, nullable, OptionalTimestamp, Timestamp } from "../http/shapes.ts";
import { ceremonyStates } from "./builtin/ceremony.ts";
import { declineSigning } from "./builtin/decline-signing.ts";
import { openSigning } from "./builtin/open-signing.ts";
import { presentCeremony } from "./present.ts";
import { type SigningDeps, signerStatuses } from "./submission.ts";

const CeremonyView = Type.Object({
  envelope: Type.Object({
    envelope_id: idOf("envelope"),
    name: Type.String(),
    status: Type.Enum(["sent", "viewed", "completed", "vaulted"]),
    expires_at: OptionalTimestamp,
    sender: Type.String(),
    message: nullable(Type.String()),
  }),
  you: Type.Object({
    name: nullable(Type.String()),
    email: Type.String(),
    role: nullable(Type.String()),
    status: nullable(Type.Enum([...signerStatuses])),
    mode: Type.Enum(["sign", "view"]),
  }),
  state: Type.Enum([...ceremonyStates]),
  token_expires_at: Timestamp,
  server_time: Timestamp,
});

// Room for a reason; a letter to the sender does not belong in a record that is kept for years.
const MAX_REASON_CHARACTERS = 500;

const ofToken = {
  access: { widget: "sign" },
  params: { envelope_id: "envelope" },
  missing: "envelope_not_found",
} as const;

/** What the signing page calls, with the token that it was opened with. */
export function signingEndpoints(deps: SigningDeps): Endpoint[] {
  return [
    acting({
      name: "open_signing",
      summary: "What the signing page needs to begin; records who opened, and a signer's first opening",
      path: "/embed/sign/:envelope_id",
      ...ofToken,
      answer: [200, CeremonyView],
      problems: ["envelope_ended"],
      examples: {
        answer: {
          envelope: {
            envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41",
            name: "Lease",
            status: "viewed",
            expires_at: "2026-02-14T09:00:00.000Z",
            sender: "Example Company",
            message: null,
          },
          you: { name: "Ann", email: "ann@example.com", role: "Buyer", status: "viewed", mode: "sign" },
          state: "ready",
          token_expires_at: "2026-01-15T09:15:00.000Z",
          server_time: "2026-01-15T09:00:02.000Z",
        },
      },
      run: async (who) => presentCeremony(await openSigning(deps, who), who.holder),
    }),
    endpoint({
      name: "decline_signing",
      summary: "Decline to sign, which ends the envelope for all signers",
      method: "POST",
      path: "/embed/sign/:envelope_id/decline",
      ...ofToken,
      body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: MAX_REASON_CHARACTERS })) }),
      answer: [200, Type.Object({ envelope_id: idOf("envelope"), status: Type.Literal("declined"), declined_at: Timestamp })],
      problems: ["envelope_ended", "already_signed", "read_only"],
      examples: {
        request: { reason: "The price is not what we agreed" },
        answer: { envelope_id: "env_01h2xcejqtf2nbrexx3vqjhp41", status: "declined", declined_at: "2026-01-15T09:03:00.000Z" },
      },
      run: async (who, { params, body }) => {
        const declined_at = await declineSigning(deps, who, body.reason ?? null);
        return { envelope_id: params.envelope_id, status: "declined", declined_at: declined_at.toISOString() } as const;
      },
    }),
  ];
}
