import { Type } from "typebox";
import { type Endpoint, reading } from "../http/endpoint.ts";
import { about, Day, LocaleName, named, nullable, Sha256 } from "../http/shapes.ts";
import { currentTexts, shownKinds } from "../texts/current-texts.ts";
import { reviews } from "../texts/reviews.ts";
import type { Texts } from "../texts/text.ts";

const TextView = named(
  "LegalText",
  Type.Object({
    kind: named("LegalTextKind", Type.Enum([...shownKinds])),
    version: Type.String(),
    locale: LocaleName,
    sha256: Sha256,
    review: about(
      nullable(named("LegalTextReview", Type.Object({ by: Type.String(), at: Day }))),
      "Which lawyer who practises in this language has read the text, and when. Null: none has",
    ),
  }),
);
const example = {
  kind: "disclosure",
  version: "2026-11",
  locale: "de",
  sha256: "7d2762a2bc506f10367c2f86f6f104c5418f082e93b1ca0e9c28872787e30b67",
  review: null,
};

function reviewOf(sha256: string) {
  const review = reviews[sha256];
  return review === undefined ? null : { by: review.by, at: review.at };
}

/** What signers and senders are asked to accept, and whether a lawyer has read it. */
export const legalTextEndpoints = (deps: { readonly texts: Texts }): Endpoint[] => [
  reading({
    name: "list_legal_texts",
    summary: "List the current legal texts",
    description:
      "Lists the texts that signers and senders are asked to accept, in every language, and whether a lawyer who practises in that language has read them. Every role can call it.",
    resource: "Organization",
    sdk: "legalTexts.list",
    path: "/org/legal-texts",
    access: { session: "any" },
    answer: [200, named("LegalTexts", Type.Object({ texts: Type.Array(TextView) }))],
    examples: { answer: { texts: [example] } },
    run: async () => ({
      texts: shownKinds.flatMap((kind) =>
        currentTexts(deps.texts, kind).map(({ version, locale, sha256 }) => ({
          kind,
          version,
          locale,
          sha256,
          review: reviewOf(sha256),
        })),
      ),
    }),
  }),
];
