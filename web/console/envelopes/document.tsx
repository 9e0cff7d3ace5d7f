import type { Envelope, EnvelopeDocument, Recipient } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { fileName } from "../../save-file.ts";
import { call } from "../api.ts";
import { ActionButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { saveFrom } from "../parts/save.ts";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/documents/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";
import { blanksOf } from "./blanks-of.ts";
import { Sheets } from "./sheets.tsx";
import { versionWords } from "./version-words.ts";

interface DocumentCardProps {
  readonly envelope: Envelope;
  readonly recipients: readonly Recipient[];
}

/** The document as it is now, the download, and the completion certificate once the envelope has ended. */
export function DocumentCard({ envelope, recipients }: DocumentCardProps) {
  const { envelope_id, envelope_name, status } = envelope;
  const params = { envelope_id };
  const loaded = useLoad(`${envelope_id} ${status}`, async () => {
    const [{ pages, fields }, { documents }] = await Promise.all([
      call("get_envelope_fields", { params }),
      call("list_envelope_documents", { params }),
    ]);
    return { pages, fields, documents };
  });
  const sending = useSending();
  const certifying = useSending();
  const [asText, setAsText] = useState(false);
  const download = () => saveFrom("get_envelope_document", `${fileName(envelope_name)}.pdf`, { params: { envelope_id } });
  const certificate = () =>
    saveFrom("get_completion_certificate", `${fileName(envelope_name)} - completion certificate.pdf`, { params: { envelope_id } });
  const pages = loaded.data?.pages ?? [];
  const hasEnded = !isDraft(status) && !isOpen(status) && !isDiscarded(envelope);
  // A signed original that was uploaded is shown once the vault has it.
  const isShown = status !== "completed" || envelope.metadata.sent_at !== null;
  const version = [status, ...recipients.map((one) => `${one.recipient_id} ${one.status}`)].join(" ");
  return (
    <Card
      title="Document"
      actions={
        <>
          {pages.length > 0 && (
            <>
              <button type="button" class="button" aria-pressed={asText} onClick={() => setAsText(!asText)}>
                Text view
              </button>
              <ActionButton sending={sending} onAction={download}>
                Download
              </ActionButton>
            </>
          )}
          {hasEnded && (
            <ActionButton sending={certifying} onAction={certificate}>
              Completion certificate
            </ActionButton>
          )}
        </>
      }
    >
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      <ErrorNotice error={sending.error} />
      <ErrorNotice error={certifying.error} />
      {loaded.data !== null && pages.length === 0 && <p class="quiet">No document yet.</p>}
      {pages.length > 0 && (
        <>
          <p class="quiet">
            {words.pages(pages.length)}, {versionWords(envelope, recipients)}.
          </p>
          <Parts envelope_id={envelope_id} documents={loaded.data?.documents ?? []} />
          {isShown ? (
            <Sheets
              key={version}
              envelope_id={envelope_id}
              pages={pages}
              asText={asText}
              blanks={isOpen(status) ? blanksOf(loaded.data?.fields ?? [], recipients) : []}
            />
          ) : (
            <p class="quiet">The pages are shown here once the document is stored in the vault.</p>
          )}
        </>
      )}
    </Card>
  );
}

/** Several documents, each with its own download. */
function Parts({ envelope_id, documents }: { envelope_id: string; documents: readonly EnvelopeDocument[] }) {
  const sending = useSending();
  if (documents.length < 2) return null;
  const download = ({ document_id, name }: EnvelopeDocument) =>
    saveFrom("get_envelope_document_file", `${fileName(name)}.pdf`, { params: { envelope_id, document_id } });
  return (
    <>
      <ol class="envelope-parts">
        {documents.map((document) => (
          <li key={document.document_id}>
            <span>
              <strong>{document.name}</strong>{" "}
              <span class="quiet">
                {words.pages(document.pages)}
                {document.first_page !== null && `, ${words.firstPage(document.first_page)}`}
              </span>
            </span>
            <ActionButton sending={sending} label={words.downloadOne(document.name)} onAction={() => download(document)}>
              {words.download}
            </ActionButton>
          </li>
        ))}
      </ol>
      <ErrorNotice error={sending.error} />
    </>
  );
}
