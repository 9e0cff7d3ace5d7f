import * as asn1 from "asn1js";
import { issue } from "../../pdf/fixtures/certificates.ts";
import type { Certified } from "./receiver.ts";

const SUBJECT_ALT_NAME = "2.5.29.17";
const IP_ADDRESS = { tagClass: 3, tagNumber: 7 } as const;

/** A self-signed certificate for one IPv4 address. */
export function certified(address: string): Certified {
  const bytes = Uint8Array.from(address.split(".").map(Number));
  const name = new asn1.Sequence({ value: [new asn1.Primitive({ idBlock: IP_ADDRESS, valueHex: bytes.buffer })] });
  const { key, certificate } = issue({
    issuer: null,
    name: "Test receiver",
    extensions: [{ id: SUBJECT_ALT_NAME, critical: false, value: name }],
  });
  const lines = Buffer.from(certificate).toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: key.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
}
