import type { LegalText, LegalTextKind } from "@countersign/client/types";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { languageOf } from "../parts/languages.ts";
import { useLoad } from "../use-load.ts";

const kindWords: Record<LegalTextKind, string> = {
  disclosure: "Consent to electronic records",
  intent: "Intent to sign",
  terms: "Vault certification terms",
  agreement: "Agreement of makers of transferable records",
};

/** Whether a lawyer has read what signers are asked to accept. */
export function LegalTexts() {
  const loaded = useLoad("legal-texts", () => call("list_legal_texts"));
  if (loaded.data === null) return <ErrorNotice error={loaded.error} onRetry={loaded.reload} />;
  return (
    <Card title="Legal texts">
      <p class="quiet">
        What signers and senders are asked to accept. A text that no lawyer has read in its language is marked. Have it read before you rely
        on it.
      </p>
      <ul class="stack tight">
        {loaded.data.texts.map((text) => (
          <li key={`${text.kind} ${text.locale}`}>
            {kindWords[text.kind]}, {languageOf(text.locale)}, {text.version} <ReviewChip text={text} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

const ReviewChip = ({ text: { review } }: { readonly text: LegalText }) =>
  review === null ? (
    <Chip tone="caution">Not read by a lawyer</Chip>
  ) : (
    <Chip tone="good">
      Read by {review.by}, {review.at}
    </Chip>
  );
