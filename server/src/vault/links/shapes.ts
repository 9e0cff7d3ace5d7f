import { Type } from "typebox";
import { about, named } from "../../http/shapes.ts";
import type { SignedMessage } from "./link.ts";

/** Schemas of signed messages between installations. */

const Base64 = Type.String({ pattern: "^[A-Za-z0-9+/]+={0,2}$", "x-message": "must be base64", maxLength: 65_536 });
export const signed = {
  bytes: about(Base64, "The message in canonical JSON, as base64"),
  signature: about(Base64, "Ed25519 over these bytes by the records key of the vault that sends them, as base64"),
};
export const SignedBody = Type.Object(signed);
export const SignedView = named("LinkMessageFile", Type.Object(signed));

export const messageOfBody = ({ bytes, signature }: { bytes: string; signature: string }): SignedMessage => ({
  bytes: Buffer.from(bytes, "base64"),
  signature: Buffer.from(signature, "base64"),
});
