import { canonicalize } from "../../canonical.ts";
import type { Facts } from "../../facts.ts";
import { complianceOf } from "./compliance.ts";

/**
 * The text of `compliance.json`; its UTF-8 bytes are hashed into the chain beside the certificate's. Throws if the facts are those of
 * a preview.
 * @example const json_sha256 = sha256(complianceJson(facts))
 */
export function complianceJson(facts: Facts): string {
  const compliance = complianceOf(facts);
  if (compliance === null) throw new Error("a preview has no certificate");
  return canonicalize(compliance);
}
