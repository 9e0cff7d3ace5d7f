import type { Tx } from "../db/sql.ts";
import type { Caller } from "../shared/caller.ts";
import type { EnvelopeId, OrgId } from "../shared/ids.ts";
import { Problem } from "../shared/problems.ts";
import { currentText } from "../texts/current-texts.ts";
import type { Texts } from "../texts/text.ts";
import { insertAcceptance } from "./store.ts";

/** The terms that a sender accepts before anything can be vaulted. */
export interface Terms {
  readonly terms_version: string;
  readonly terms_sha256: string;
  readonly text: string;
  readonly effective_at: string;
}

export function currentTerms(texts: Texts): Terms {
  const { version, sha256, text } = currentText(texts, "terms");
  return { terms_version: version, terms_sha256: sha256, text, effective_at: texts.current.terms_effective_at };
}

export interface Certification {
  readonly accepted: boolean;
  readonly terms_version: string;
  /** if missing, the caller's key or member accepts */
  readonly accepted_by?: { readonly name: string; readonly email: string };
}

/** Returns null if the terms were not accepted. Throws if the envelope is to be vaulted and the current terms were not accepted. */
export function acceptanceOf(
  { texts }: { readonly texts: Texts },
  certification: Certification | undefined,
  auto_vault_enabled: boolean,
): Certification | null {
  if (certification?.accepted !== true) {
    if (!auto_vault_enabled) return null;
    throw refused("certification_required", "certification", "must accept the current terms");
  }
  const { terms_version } = currentTerms(texts);
  if (certification.terms_version !== terms_version) {
    throw refused("certification_terms_outdated", "certification.terms_version", `must be ${terms_version}`);
  }
  return certification;
}

function refused(code: "certification_required" | "certification_terms_outdated", field: string, message: string): Problem {
  return new Problem(code, "", { details: [{ location: "body", field, code, message }] });
}

export interface Accepted {
  readonly terms_version: string;
  readonly terms_sha256: string;
  readonly accepted_by: { readonly name: string; readonly email: string } | null;
}

export async function recordAcceptance(
  { texts }: { readonly texts: Texts },
  tx: Tx,
  org: OrgId,
  caller: Caller,
  envelope_id: EnvelopeId,
  { accepted_by }: Certification,
): Promise<Accepted> {
  const { terms_version, terms_sha256 } = currentTerms(texts);
  const by = accepted_by === undefined ? null : { name: accepted_by.name, email: accepted_by.email };
  const { actor } = caller;
  await insertAcceptance(tx, org, envelope_id, { terms_version, terms_sha256, accepted_by: by ?? { actor: actor.id }, actor });
  return { terms_version, terms_sha256, accepted_by: by };
}
