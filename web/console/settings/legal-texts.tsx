import type { LegalText, LegalTextKind } from "@countersign/client/types";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { languageOf } from "../parts/languages.ts";
import { Pending } from "../parts/pending.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/mail-settings/en.ts";

const words = en.legal;
const kindWords: Record<LegalTextKind, string> = words.kinds;

/** Whether a lawyer has read what signers are asked to accept. */
export function LegalTexts() {
  const loaded = useLoad("legal-texts", () => call("list_legal_texts"));
  if (loaded.data === null)
    return (
      <Card title={words.title}>
        <Pending of={loaded} />
      </Card>
    );
  return (
    <Card title={words.title}>
      <p class="quiet">{words.lead}</p>
      <ul class="stack tight plain-list">
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
  review === null ? <Chip tone="caution">{words.notRead}</Chip> : <Chip tone="good">{words.read(review.by, review.at)}</Chip>;
