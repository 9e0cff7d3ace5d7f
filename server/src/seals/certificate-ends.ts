import { X509Certificate } from "node:crypto";
import type { Read } from "../db/sql.ts";
import type { SealDeps } from "./seal.ts";
import { listRoots } from "./store.ts";

/** p12: SEAL_P12_FILE, with its chain. root: what issues the certificates of organizations. */
export interface CertificateEnd {
  readonly kind: "p12" | "root";
  readonly ends_at: Date;
}

/**
 * When the certificates end that seal documents and that only an operator can replace. Those of organizations are left out: the first seal in
 * their last 90 days issues a new one, and an organization that seals nothing needs none.
 */
export async function certificateEnds(read: Read, { bought }: Pick<SealDeps, "bought">): Promise<CertificateEnd[]> {
  const root = (await listRoots(read)).at(-1);
  return [
    ...(bought === null ? [] : [{ kind: "p12", ends_at: firstEnd(bought.certificates) } as const]),
    // Made with the first seal.
    ...(root === undefined ? [] : [{ kind: "root", ends_at: firstEnd([root]) } as const]),
  ];
}

const firstEnd = (certificates: readonly Uint8Array[]): Date =>
  new Date(Math.min(...certificates.map((der) => Date.parse(new X509Certificate(der).validTo))));
