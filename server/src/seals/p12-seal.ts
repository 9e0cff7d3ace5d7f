import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { Pkcs12Fault, readPkcs12, trustFault } from "@countersign/pdf/pool";
import { describeCertificate, type P12Seal, SealSettingRefused, signBy } from "./seal.ts";

// A seal is relied on for years after its certificate has expired; a shorter key would not last that long.
const MIN_RSA_BITS = 2048;
const CURVES = ["prime256v1", "secp384r1"];

/** Reads the file and refuses certificates that no PDF reader would accept, so that this fails at the start and not in a document. */
export function openP12Seal(file: { readonly bytes: Uint8Array; readonly password: string }, now: Date): P12Seal {
  const { keys, certificates } = readFile(file);
  const [pkcs8, ...more] = keys;
  if (pkcs8 === undefined || more.length > 0) throw new SealSettingRefused("SEAL_P12_FILE must contain exactly one private key");
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: "der", type: "pkcs8" });
  refuseKey(key);
  const all = certificates.map((der) => new X509Certificate(der));
  const own = all.find((certificate) => certificate.checkPrivateKey(key));
  if (own === undefined) throw new SealSettingRefused("SEAL_P12_FILE contains no certificate for its private key");
  const issuers = issuersOf(own, all);
  const described = describeCertificate(own.raw);
  const expired = expiryOf(described, now);
  if (expired !== null) throw new SealSettingRefused(expired);
  refuseChain(own, issuers, now);
  const { certificate_sha256, not_before, not_after } = described;
  return { certificates: [own.raw, ...issuers.map(({ raw }) => raw)], sign: signBy(key), certificate_sha256, not_before, not_after };
}

/** Why it cannot seal at this time; null if it can. */
export function expiryOf({ not_before, not_after }: Pick<P12Seal, "not_before" | "not_after">, at: Date): string | null {
  if (at > not_after) return `the certificate of SEAL_P12_FILE has expired (${not_after.toISOString()}); set another`;
  return at < not_before ? `the certificate of SEAL_P12_FILE is not valid before ${not_before.toISOString()}` : null;
}

function readFile({ bytes, password }: { readonly bytes: Uint8Array; readonly password: string }): ReturnType<typeof readPkcs12> {
  try {
    return readPkcs12(bytes, password);
  } catch (cause) {
    if (!(cause instanceof Pkcs12Fault)) throw cause;
    const sentences = {
      unreadable: "SEAL_P12_FILE is not a PKCS #12 file, or is damaged",
      wrong_password: "SEAL_P12_PASSWORD is not the password of SEAL_P12_FILE",
      unsupported: `SEAL_P12_FILE cannot be read: it is ${cause.message}`,
    };
    throw new SealSettingRefused(sentences[cause.reason], { cause });
  }
}

function refuseKey({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): void {
  const { namedCurve = "", modulusLength = 0 } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === "ec" && CURVES.includes(namedCurve)) return;
  if (asymmetricKeyType === "rsa" && modulusLength >= MIN_RSA_BITS) return;
  throw new SealSettingRefused(`SEAL_P12_FILE must contain a key on P-256 or P-384, or an RSA key of at least ${MIN_RSA_BITS} bits`);
}

/** The issuers in order, from the certificate's own upwards, as far as the file contains them. */
function issuersOf(own: X509Certificate, all: readonly X509Certificate[]): X509Certificate[] {
  const chain = [own];
  for (;;) {
    const last = chain.at(-1) ?? own;
    const issuer = all.find((one) => !chain.includes(one) && last.checkIssued(one) && last.verify(one.publicKey));
    if (issuer === undefined) break;
    chain.push(issuer);
  }
  const [, ...issuers] = chain;
  if (issuers.length === 0) {
    throw new SealSettingRefused("SEAL_P12_FILE contains no certificate of the issuer. Export it together with its chain");
  }
  return issuers;
}

function refuseChain(certificate: X509Certificate, issuers: readonly X509Certificate[], at: Date): void {
  const fault = trustFault({ certificate, others: issuers, roots: issuers.slice(-1), at });
  if (fault === null) return;
  throw new SealSettingRefused(
    fault === "untrusted"
      ? "SEAL_P12_FILE cannot be used for documents: its certificate is not allowed to sign them, or an issuer in it is not allowed to issue certificates"
      : "a certificate of an issuer in SEAL_P12_FILE has expired; export it with the current chain",
  );
}
