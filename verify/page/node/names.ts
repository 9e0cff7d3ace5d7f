// Distinguished names (RFC 5280, 4.1.2.4), printed and compared as OpenSSL does.

import * as asn1 from "asn1js";
import { type Block, bytesOf, members, oidOf } from "./der.ts";

const shortNames: Readonly<Record<string, string>> = {
  "2.5.4.3": "CN",
  "2.5.4.4": "SN",
  "2.5.4.5": "serialNumber",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.9": "street",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "2.5.4.12": "title",
  "2.5.4.13": "description",
  "2.5.4.15": "businessCategory",
  "2.5.4.17": "postalCode",
  "2.5.4.41": "name",
  "2.5.4.42": "GN",
  "2.5.4.43": "initials",
  "2.5.4.44": "generationQualifier",
  "2.5.4.46": "dnQualifier",
  "2.5.4.65": "pseudonym",
  "2.5.4.97": "organizationIdentifier",
  "0.9.2342.19200300.100.1.1": "UID",
  "0.9.2342.19200300.100.1.25": "DC",
  "1.2.840.113549.1.9.1": "emailAddress",
  "1.3.6.1.4.1.311.60.2.1.1": "jurisdictionL",
  "1.3.6.1.4.1.311.60.2.1.2": "jurisdictionST",
  "1.3.6.1.4.1.311.60.2.1.3": "jurisdictionC",
};

type Attribute = { readonly oid: string; readonly text: string | null; readonly bytes: Uint8Array };

const attributesOf = (rdn: Block): Attribute[] =>
  members(rdn).map((attribute) => {
    const [name, value] = members(attribute);
    if (value === undefined) throw new Error("a name without a value");
    return { oid: oidOf(name), text: textOf(value), bytes: bytesOf(value) };
  });

function textOf(value: Block): string | null {
  return value instanceof asn1.BaseStringBlock ? value.getValue() : null;
}

/** One line for each step of the name, as Node shows it. */
export function printName(name: Block): string {
  return members(name)
    .map((rdn) =>
      attributesOf(rdn)
        .map(({ oid, text, bytes }) => `${shortNames[oid] ?? oid}=${text === null ? `#${hexOf(bytes)}` : escaped(text)}`)
        .join(" + "),
    )
    .join("\n");
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex").toUpperCase();

// RFC 2253, 2.4, and the control characters of ASCII as hexadecimal.
function escaped(text: string): string {
  return text
    .replace(/[,+"\\<>;]/g, "\\$&")
    .replace(/^[# ]/, "\\$&")
    .replace(/ $/, "\\ ")
    .replace(/\p{Cc}/gu, (control) => {
      const code = control.charCodeAt(0);
      return code > 0x7f ? control : `\\${code.toString(16).toUpperCase().padStart(2, "0")}`;
    });
}

/** Whether two names are the same, apart from case, spaces and the kind of string. */
export function namesMatch(a: Block, b: Block): boolean {
  return folded(a) === folded(b);
}

function folded(name: Block): string {
  const steps = members(name).map((rdn) =>
    attributesOf(rdn)
      .map(({ oid, text, bytes }) => [
        oid,
        text === null
          ? hexOf(bytes)
          : text
              .trim()
              .replace(/\s+/g, " ")
              .replace(/[A-Z]+/g, lower),
      ])
      .sort(([a = ""], [b = ""]) => (a < b ? -1 : 1)),
  );
  return JSON.stringify(steps);
}

// OpenSSL folds only the case of ASCII letters.
const lower = (text: string): string => text.toLowerCase();
