// How long a seal can be verified, by what is in the file (PAdES; ETSI EN 319 142-1, 6).

import { X509Certificate } from "node:crypto";
import { trustedPath } from "./cms/chain.ts";
import { bytesOf, oid, readWhole } from "./cms/der.ts";
import { isShownUnrevoked } from "./cms/revocation.ts";
import { readSignedData, type SignedData } from "./cms/signed-data.ts";
import type { ValidationData } from "./validation-data.ts";

/**
 * What the file proves with the given roots (ETSI EN 319 142-1, 6): B-T a time stamp of the signature, B-LT also the certificates and
 * revocation data of both chains, B-LTA also a document time stamp over these.
 */
export type SealLevel = "B-B" | "B-T" | "B-LT" | "B-LTA";

export type TrustedRoots = { readonly roots: readonly Uint8Array[]; readonly timestamp_roots?: readonly Uint8Array[] };

/** Whether the file itself has what it takes to verify the signature and its time stamp at that time. */
export function provesBothChains(signed: SignedData, data: ValidationData, at: Date, options: TrustedRoots): boolean {
  const token = signed.signer.unsigned.get(oid.signatureTimeStamp);
  if (token === undefined) return false;
  const authority = readSignedData(readWhole(bytesOf(token)));
  return provesChain(signed, data, at, options.roots) && provesChain(authority, data, at, options.timestamp_roots ?? options.roots);
}

// A root is trusted without a proof: neither its certificate nor its revocation data has to be in the file.
function provesChain({ signer, certificates }: SignedData, data: ValidationData, at: Date, roots: readonly Uint8Array[]): boolean {
  if (signer.certificate === null) return false;
  const others = [...certificates, ...data.certificates.map(readCertificate).filter((each) => each !== null)];
  const path = trustedPath({ certificate: signer.certificate, others, roots: roots.map((root) => new X509Certificate(root)), at });
  return (
    path?.every((certificate, index) => {
      const issuer = path[index + 1];
      return issuer === undefined || isShownUnrevoked({ certificate, issuer, at }, data);
    }) ?? false
  );
}

function readCertificate(der: Uint8Array): X509Certificate | null {
  try {
    return new X509Certificate(der);
  } catch {
    return null;
  }
}
