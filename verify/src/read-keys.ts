import { readFileSync, statSync } from "node:fs";
import { canonicalize, type Json, readTrustKeys, type TrustKeys, writePem } from "@countersign/evidence";
import { readBundle } from "./read-bundle.ts";
import { BundleRejected, type Files, fileOf, toFileMap } from "./step.ts";

export type ReadKeys = { readonly files: Files; readonly keys: TrustKeys };

/**
 * The list of an installation's keys, from a bundle or from its trust document (`/.well-known/countersign-trust.json`), as the files of a
 * bundle. Says nothing about who signed it.
 */
export function readKeys(path: string): ReadKeys {
  const files = isTrustDocument(path) ? filesOf(readFileSync(path, "utf8")) : toFileMap(readBundle(path));
  const keys = readTrustKeys(fileOf(files, "trust/keys.json"));
  if (keys === null) throw new BundleRejected("trust/keys.json", "is not a list of keys in canonical form");
  return { files, keys };
}

const isTrustDocument = (path: string): boolean => statSync(path).isFile() && readFileSync(path).subarray(0, 1).toString() === "{";

function filesOf(text: string): Files {
  try {
    const { root_certificate, keys, signature, roots } = JSON.parse(text) as Record<string, Json>;
    const files = new Map<string, Uint8Array>([
      ["trust/root.crt", Buffer.from(writePem([Buffer.from(String(root_certificate), "base64")]))],
      ["trust/keys.json", Buffer.from(canonicalize(keys ?? null))],
      ["trust/keys.sig", Buffer.from(String(signature), "hex")],
    ]);
    if (roots) files.set("trust/roots.json", Buffer.from(canonicalize(roots)));
    return files;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new BundleRejected("the trust document", `cannot be read: ${reason}`);
  }
}
