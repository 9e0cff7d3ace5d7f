import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { opened } from "../ceremony.ts";
import { Heading } from "./heading.tsx";
import { Copy, Notes } from "./recipient.tsx";

/** For people who get a copy, and for others who can only read. Documents with identity questions are not shown to the latter. */
export function ViewingTask() {
  const now = opened.value;
  if (now === null) return null;
  const { signed, total } = now.signers;
  const isCopy = now.recipient !== null;
  const isAll = now.envelope.status === "completed" || now.envelope.status === "vaulted";
  return (
    <>
      <div class="stack tight">
        <Heading>{now.envelope.name}</Heading>
        <p>{isCopy ? lazyWords.value.copyLead(now.envelope.sender) : readerWords()}</p>
        <p class="quiet small">{signed === total ? lazyWords.value.doneAll : lazyWords.value.doneCount(signed, total)}</p>
      </div>
      {isCopy && <Notes />}
      {isCopy && <Copy isAll={isAll} />}
    </>
  );
}

function readerWords(): string {
  const now = opened.value;
  return now === null || now.document === null ? lazyWords.value.viewingWithheld : lazyWords.value.viewing(now.you.email);
}
