import type { Envelope, EnvelopeDocument, Recipient } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Zoom } from "../builder/zoom.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/documents/en.ts";
import { en } from "../words/envelope/en.ts";
import { isDraft, isOpen } from "./api.ts";
import { blanksOf } from "./blanks-of.ts";
import { emptyFields, shortened } from "./empty-fields.ts";
import { Sheets } from "./sheets.tsx";
import { versionWords } from "./version-words.ts";

interface DocumentCardProps {
  readonly envelope: Envelope;
  readonly recipients: readonly Recipient[];
  readonly documents: readonly EnvelopeDocument[];
}

/** The document as it is now, with the fields that are still to be filled in. */
export function DocumentCard({ envelope, recipients, documents }: DocumentCardProps) {
  const { envelope_id, status } = envelope;
  const loaded = useLoad(`${envelope_id} ${status}`, () => call("get_envelope_fields", { params: { envelope_id } }));
  const [asText, setAsText] = useState(false);
  const [zoom, setZoom] = useState(1);
  const { pages, fields } = loaded.data ?? { pages: [], fields: [] };
  // Their recipient was removed after sending.
  const isSent = !isDraft(status) && envelope.metadata.sent_at !== null;
  const empty = isSent ? emptyFields(fields, (role) => !recipients.some((one) => one.role === role)) : [];
  // A signed original that was uploaded is shown once the vault has it.
  const isShown = status !== "completed" || envelope.metadata.sent_at !== null;
  const version = [status, ...recipients.map((one) => `${one.recipient_id} ${one.status}`)].join(" ");
  return (
    <Card
      title={en.document}
      actions={
        pages.length > 0 && (
          <>
            {!asText && isShown && <Zoom zoom={zoom} onZoom={setZoom} />}
            <button type="button" class="button" aria-pressed={asText} onClick={() => setAsText(!asText)}>
              {en.textView}
            </button>
          </>
        )
      }
    >
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {loaded.data !== null && pages.length === 0 && <p class="quiet">{en.noDocument}</p>}
      {empty.length > 0 && <p class="notice">{en.staysEmpty(...shortened(empty))}</p>}
      {pages.length > 0 && (
        <>
          <p class="quiet">
            {words.pages(pages.length)}, {versionWords(envelope, recipients)}.
          </p>
          <Parts documents={documents} />
          {isShown ? (
            <Sheets
              key={version}
              envelope_id={envelope_id}
              pages={pages}
              asText={asText}
              blanks={isOpen(status) ? blanksOf(fields, recipients) : []}
              zoom={zoom}
              hasThumbnails
            />
          ) : (
            <p class="quiet">{en.fromVault}</p>
          )}
        </>
      )}
    </Card>
  );
}

/** The names of several documents, and where each begins. */
function Parts({ documents }: { documents: readonly EnvelopeDocument[] }) {
  if (documents.length < 2) return null;
  return (
    <ol class="envelope-parts">
      {documents.map(({ document_id, name, pages, first_page }) => (
        <li key={document_id}>
          <span>
            <strong>{name}</strong>{" "}
            <span class="quiet">
              {words.pages(pages)}
              {first_page !== null && `, ${words.firstPage(first_page)}`}
            </span>
          </span>
        </li>
      ))}
    </ol>
  );
}
