// Whether those who issue the record agreed that it is a transferable record.

import { isImported } from "../imported.ts";
import { makersOf } from "../makers.ts";
import type { Finding } from "./annex.ts";
import { byChecks, notShown, type Told } from "./clause.ts";

const NONE = "No agreement of a maker that the document is a transferable record is recorded.";

/** Attributed to the signers as far as their signatures are. */
export function agreementOfMakers(told: Told): Finding {
  const { facts } = told;
  const makers = makersOf(facts);
  if (makers.length === 0) return notShown(NONE, "The sender named no role of a maker, or it was not signed in this service.");
  // Entries of another vault have other numbers.
  const entries = isImported(facts) ? [] : makers.flatMap(({ agreed }) => (agreed === null ? [] : [agreed.seq]));
  const fact = makers.map(({ name, role, agreed }) => `${name} (${role}) ${wordsOf(agreed)}.`).join(" ");
  const without = makers.filter(({ agreed }) => agreed === null);
  if (without.length > 0) return notShown(fact, `Nothing is recorded of ${without.map(({ name }) => name).join(", ")}.`, entries);
  return byChecks(told, ["consent_and_attribution"], fact, entries);
}

function wordsOf(agreed: ReturnType<typeof makersOf>[number]["agreed"]): string {
  if (agreed === null) return "did not accept an agreement before signing";
  const hash = agreed.said?.agreement_sha256;
  const text = typeof hash === "string" ? `with SHA-256 ${hash}` : "whose hash was erased";
  return `accepted at ${agreed.at}, before signing, a published text ${text}, which says that the document is a transferable record`;
}
