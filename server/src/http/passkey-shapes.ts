import { Type } from "typebox";
import { named, nullable } from "./shapes.ts";

/** What browsers are asked for a passkey, and what they answer. */

const Bytes = named(
  "Base64Url",
  Type.String({ minLength: 1, maxLength: 8_000, pattern: "^[A-Za-z0-9_-]+$", "x-message": "must be base64url without padding" }),
);
/** Browsers may add members that we do not use, so these are the ones of the standard. */
const shared = {
  id: Bytes,
  rawId: Bytes,
  type: Type.Literal("public-key"),
  authenticatorAttachment: Type.Optional(nullable(Type.String({ maxLength: 100 }))),
  clientExtensionResults: Type.Optional(Type.Unknown()),
};
/** The answer of a browser that was asked to make a passkey. */
export const Registration = named(
  "PasskeyRegistration",
  Type.Object({
    ...shared,
    response: named(
      "PasskeyRegistrationResponse",
      Type.Object({
        clientDataJSON: Bytes,
        attestationObject: Bytes,
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 20 })),
        authenticatorData: Type.Optional(Bytes),
        publicKey: Type.Optional(nullable(Bytes)),
        publicKeyAlgorithm: Type.Optional(Type.Integer()),
      }),
    ),
  }),
);
/** The answer of a browser that was asked for a passkey. */
export const Assertion = named(
  "PasskeyAssertion",
  Type.Object({
    ...shared,
    response: named(
      "PasskeyAssertionResponse",
      Type.Object({
        clientDataJSON: Bytes,
        authenticatorData: Bytes,
        signature: Bytes,
        userHandle: Type.Optional(nullable(Bytes)),
      }),
    ),
  }),
);

export const AssertionOptionsView = named(
  "PasskeyAssertionOptions",
  Type.Object({ challenge: Type.String(), rpId: Type.String(), userVerification: Type.Literal("required"), timeout: Type.Integer() }),
);
const CredentialView = named("PasskeyDescriptor", Type.Object({ type: Type.Literal("public-key"), id: Type.String() }));
export const RegistrationOptionsView = named(
  "PasskeyRegistrationOptions",
  Type.Object({
    challenge: Type.String(),
    rp: named("PasskeySite", Type.Object({ id: Type.String(), name: Type.String() })),
    user: named("PasskeyUser", Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() })),
    pubKeyCredParams: Type.Array(named("PasskeyAlgorithm", Type.Object({ type: Type.Literal("public-key"), alg: Type.Integer() }))),
    excludeCredentials: Type.Array(CredentialView),
    authenticatorSelection: named(
      "PasskeySelection",
      Type.Object({
        residentKey: Type.Literal("required"),
        requireResidentKey: Type.Literal(true),
        userVerification: Type.Literal("required"),
      }),
    ),
    attestation: Type.Literal("none"),
    timeout: Type.Integer(),
  }),
);
