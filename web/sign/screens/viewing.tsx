import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { opened } from "../ceremony.ts";
import { Heading } from "./heading.tsx";

/** For read-only viewers. Documents with identity questions are not shown to them. */
export function ViewingTask() {
  const now = opened.value;
  if (now === null) return null;
  const { signed, total } = now.signers;
  return (
    <div class="stack tight">
      <Heading>{now.envelope.name}</Heading>
      <p>{now.document === null ? lazyWords.value.viewingWithheld : lazyWords.value.viewing(now.you.email)}</p>
      <p class="quiet small">{signed === total ? lazyWords.value.doneAll : lazyWords.value.doneCount(signed, total)}</p>
    </div>
  );
}
