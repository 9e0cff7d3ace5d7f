import { fingerprintKinds } from "@countersign/evidence";
import { Type } from "typebox";
import { type Endpoint, endpoint, listing } from "../../http/endpoint.ts";
import { about, idOf, NOT_BLANK, named, Timestamp } from "../../http/shapes.ts";
import type { VaultDeps } from "../copy.ts";
import { CopyStateShape } from "../shapes.ts";
import * as examples from "./examples.ts";
import { presentPossibleDuplicate, presentReview } from "./present.ts";
import { reviewDuplicate } from "./review-duplicate.ts";
import { listPossibleDuplicates } from "./store.ts";

const KindShape = named(
  "FingerprintKind",
  Type.Enum([...fingerprintKinds], {
    description:
      "file: the same file. revision: the file with something appended. ours: made from the same record by this service. text: the same words. instrument: the same declared instrument. pdf_id: the same identifier of the PDF",
  }),
);

const alike = { envelope_id: idOf("envelope"), envelope_name: Type.String(), state: CopyStateShape, stored_at: Timestamp };

const PossibleDuplicateView = named(
  "PossibleDuplicate",
  Type.Object({
    ...alike,
    other: named("PossibleDuplicateOther", Type.Object(alike)),
    kinds: about(Type.Array(KindShape), "What both records have in common"),
  }),
);

const DuplicatesQuery = Type.Partial(
  Type.Object({ envelope_id: Type.String({ maxLength: 100, description: "Only the matches of this record" }) }),
);

const ReviewBody = Type.Object({
  other_envelope_id: idOf("envelope"),
  statement: Type.String({
    minLength: 1,
    maxLength: 2_000,
    pattern: "\\S",
    "x-message": NOT_BLANK,
    description: "What you compared and found, for the audit trail",
  }),
});

const ReviewView = named(
  "DuplicateReview",
  Type.Object({
    envelope_id: idOf("envelope"),
    other_envelope_id: idOf("envelope"),
    statement: Type.String(),
    reviewed_by: about(idOf("user"), "The person behind the session or key"),
    at: Timestamp,
  }),
);

/** Records that may be the same document, and what people found when they compared them. */
export function fingerprintEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    listing({
      name: "list_possible_duplicates",
      summary: "List records that may be the same document",
      description:
        "Returns each vaulted record that has its file, its words or its declared instrument in common with another one and that no one has compared with it yet, newest first. Copies that left the vault or were destroyed count too. Check 1 is not satisfied for these records from their next evaluation on. A pair can be listed twice, once for each record.",
      resource: "Vault",
      sdk: "vault.possibleDuplicates.list",
      path: "/partner/possible-duplicates",
      access: { anyScope: ["vault:read"], custodian: "closed" },
      query: DuplicatesQuery,
      item: PossibleDuplicateView,
      examples: { answer: examples.possibleDuplicate },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listPossibleDuplicates(read, caller.org, query.envelope_id ?? null, { page, limit });
        return { items: items.map(presentPossibleDuplicate), total };
      },
    }),
    endpoint({
      name: "review_duplicate",
      summary: "Record that two records were compared",
      description:
        "Records what a person found who compared a vaulted record with one that is alike. That person must be another one than the depositor of the record: all keys that one person created count as that person. The record is then evaluated again, and check 1 is attested. The other record needs a review of its own.",
      resource: "Vault",
      sdk: "vault.duplicateReviews.create",
      method: "POST",
      path: "/partner/envelopes/:envelope_id/duplicate-review",
      access: { anyScope: ["vault:write"] },
      params: { envelope_id: "envelope" },
      missing: "envelope_not_found",
      body: ReviewBody,
      answer: [201, ReviewView],
      problems: ["envelope_not_vaulted", "same_principal", "no_principal", "nothing_to_review"],
      examples: { request: examples.reviewRequest, answer: examples.review },
      run: async (caller, { params, body }) => presentReview(await reviewDuplicate(deps, caller, params.envelope_id, body)),
    }),
  ];
}
