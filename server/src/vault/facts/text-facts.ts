import { disclosureElements, type Facts } from "@countersign/evidence";
import { type Read, sql } from "../../db/sql.ts";
import { currentTerms } from "../../envelopes/certification.ts";
import type { EnvelopeId, OrgId } from "../../shared/ids.ts";
import { currentTexts } from "../../signing/texts.ts";

interface Named {
  readonly kind: Facts["texts"][number]["kind"];
  readonly version: string;
  readonly sha256: string;
}

/** Every text that somebody agreed to in this envelope, and whether it is one that this installation published. */
export async function textFacts(read: Read, org: OrgId, envelope_id: EnvelopeId): Promise<Facts["texts"]> {
  const { rows } = await read.query<Named>(sql`
    select 'disclosure' as kind, disclosure_version as version, disclosure_sha256 as sha256 from consents
    where org_id = ${org} and envelope_id = ${envelope_id}
    union
    select 'intent', intent_version, intent_sha256 from signatures where org_id = ${org} and envelope_id = ${envelope_id}
    union
    select 'terms', terms_version, terms_sha256 from certification_acceptances where org_id = ${org} and envelope_id = ${envelope_id}
    order by kind, version, sha256`);
  return rows.map((named) => {
    const published = isPublished(named);
    // The disclosures in server/texts are written to this list, point by point.
    return { ...named, published, elements: named.kind === "disclosure" && published ? [...disclosureElements] : [] };
  });
}

function isPublished({ kind, version, sha256 }: Named): boolean {
  if (kind === "terms") return currentTerms().terms_version === version && currentTerms().terms_sha256 === sha256;
  return currentTexts(kind).some((text) => text.version === version && text.sha256 === sha256);
}
