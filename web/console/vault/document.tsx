import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Sheets } from "../envelopes/sheets.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/documents/en.ts";
import { en } from "../words/vault/en.ts";
import type { RecordProps } from "./record-props.ts";

const w = en.document;

/** The signed document, as a marked copy. It is made and recorded when this is opened. */
export function VaultDocument({ envelope_id, copy }: RecordProps) {
  const loaded = useLoad(envelope_id, () => call("get_envelope_fields", { params: { envelope_id } }));
  const [asText, setAsText] = useState(false);
  const pages = loaded.data?.pages ?? [];
  const isSound = copy.state !== "tampered" && copy.state !== "destroying" && copy.state !== "destroyed";
  return (
    <Card
      title={w.document}
      actions={
        isSound &&
        pages.length > 0 && (
          <button type="button" class="button" aria-pressed={asText} onClick={() => setAsText(!asText)}>
            {w.textView}
          </button>
        )
      }
    >
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {!isSound && (
        <p class="quiet">
          {w.thePagesCannot}
          {copy.state === "tampered" ? w.theStoredFile : w.theDocumentWas}.
        </p>
      )}
      {isSound && pages.length > 0 && (
        <>
          <p class="quiet">
            {words.pages(pages.length)}, {words.markedCopy}.
          </p>
          <Sheets envelope_id={envelope_id} pages={pages} asText={asText} />
        </>
      )}
    </Card>
  );
}
