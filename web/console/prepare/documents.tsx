import type { EnvelopeDocument, TemplateSummary } from "@countersign/client/types";
import { useRef, useState } from "preact/hooks";
import { call } from "../api.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import type { Sending } from "../sending.ts";
import { upload } from "../upload.ts";
import { en as words } from "../words/documents/en.ts";
import { ChooseTemplate } from "./choose-template.tsx";
import { ACCEPTED_TYPES, FileField } from "./file-field.tsx";
import { sendFiles } from "./send-files.ts";

interface DocumentsProps {
  readonly envelope_id: string;
  readonly documents: readonly EnvelopeDocument[];
  /** what was typed, by document; the step saves it */
  readonly names: Readonly<Record<string, string>>;
  readonly onNames: (names: Readonly<Record<string, string>>) => void;
  readonly sending: Sending;
  readonly inTurn: (act: () => Promise<void>) => Promise<void>;
  readonly onChanged: () => Promise<void>;
}

/** The documents of a draft in order. Every change but that of a name is saved at once. */
export function Documents({ envelope_id, documents, names, onNames, sending, inTurn, onChanged }: DocumentsProps) {
  const [announcement, setAnnouncement] = useState("");
  const [warnings, setWarnings] = useState<readonly string[]>([]);
  const [asking, setAsking] = useState<EnvelopeDocument | "template" | null>(null);
  const [share, setShare] = useState<number | null>(null);
  const list = useRef<HTMLOListElement>(null);
  const params = { envelope_id };
  /** Runs one change after another. What it says is read to screen readers. */
  const change = (said: string, act: () => Promise<{ readonly warnings?: readonly { readonly message: string }[] }>) =>
    sending.run(async () => {
      const answer = await act();
      setWarnings((answer.warnings ?? []).map(({ message }) => message));
      await onChanged();
      setAnnouncement(said);
    });
  const move = (document: EnvelopeDocument, by: 1 | -1) => {
    const document_no = document.document_no + by;
    const { document_id, name } = document;
    return change(words.moved(name, document_no, documents.length), () =>
      call("change_envelope_document", { params: { envelope_id, document_id }, body: { document_no } }),
    );
  };
  const add = (files: readonly File[]) =>
    change(words.added(files.map(({ name }) => name)), () => sendFiles(envelope_id, files, setShare, onChanged));
  const addTemplate = async ({ template_id, name }: TemplateSummary) => {
    setAsking(null);
    await change(words.added([name]), () => call("add_envelope_document", { params, body: { template_id } }));
  };
  return (
    <div class="stack">
      <ol class="prepare-documents" ref={list}>
        {documents.map((document) => (
          <DocumentRow
            key={document.document_id}
            document={document}
            count={documents.length}
            isBusy={sending.isBusy}
            typed={names[document.document_id] ?? document.name}
            onType={(name) => onNames({ ...names, [document.document_id]: name })}
            onMove={(by) => void move(document, by)}
            onReplace={(file) =>
              void change(words.replaced(document.name), () =>
                upload(
                  "replace_envelope_document",
                  { params: { envelope_id, document_id: document.document_id }, body: { file } },
                  { onProgress: (sent, total) => setShare(sent / total) },
                ).finally(() => setShare(null)),
              )
            }
            onRemove={() => setAsking(document)}
          />
        ))}
      </ol>
      <p class="hidden-visually" role="status">
        {announcement}
      </p>
      {warnings.map((message) => (
        <p key={message} class="notice" role="status">
          {message}
        </p>
      ))}
      <FileField label={words.add} files={[]} share={share} error={null} onFiles={(files) => void add(files)} />
      <div class="buttons">
        <button type="button" class="button" onClick={() => setAsking("template")}>
          {words.addFrom}
        </button>
      </div>
      <ErrorNotice error={sending.error} />
      {asking === "template" && (
        <Dialog title={words.addFrom} onClose={() => setAsking(null)}>
          <ChooseTemplate chosen={null} onChoose={(template) => void addTemplate(template)} />
        </Dialog>
      )}
      {asking !== null && asking !== "template" && (
        <Confirm
          title={words.removeTitle(asking.name)}
          button={words.remove}
          kind="danger"
          onConfirm={async () => {
            await inTurn(async () => {
              await call("remove_envelope_document", { params: { envelope_id, document_id: asking.document_id } });
              await onChanged();
            });
            setAnnouncement(words.removed(asking.name));
            requestAnimationFrame(() => list.current?.querySelector("input")?.focus());
          }}
          onClose={() => setAsking(null)}
        >
          <p>{words.removeText}</p>
        </Confirm>
      )}
    </div>
  );
}

interface DocumentRowProps {
  readonly document: EnvelopeDocument;
  readonly count: number;
  readonly isBusy: boolean;
  readonly typed: string;
  readonly onType: (name: string) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onReplace: (file: File) => void;
  readonly onRemove: () => void;
}

function DocumentRow({ document, count, isBusy, typed, onType, onMove, onReplace, onRemove }: DocumentRowProps) {
  const { document_no, name } = document;
  const picker = useRef<HTMLInputElement>(null);
  return (
    <li class="prepare-document">
      <span class="prepare-document-no" aria-hidden="true">
        {document_no}
      </span>
      <div class="prepare-document-name">
        <TextField
          label={words.numbered(document_no)}
          name={`documents[${document_no - 1}].name`}
          autoComplete="off"
          maxLength={200}
          hint={words.pages(document.pages)}
          value={typed}
          onText={onType}
          onBlur={() => typed.trim() === "" && onType(name)}
        />
      </div>
      <div class="buttons end">
        {count > 1 && (
          <>
            <button
              type="button"
              class="button"
              aria-label={words.moveUp(name)}
              disabled={isBusy || document_no === 1}
              onClick={() => onMove(-1)}
            >
              {words.up}
            </button>
            <button
              type="button"
              class="button"
              aria-label={words.moveDown(name)}
              disabled={isBusy || document_no === count}
              onClick={() => onMove(1)}
            >
              {words.down}
            </button>
          </>
        )}
        <button type="button" class="button" aria-label={words.replaceOne(name)} disabled={isBusy} onClick={() => picker.current?.click()}>
          {words.replace}
        </button>
        <input
          ref={picker}
          class="hidden-visually"
          type="file"
          tabIndex={-1}
          aria-label={words.replaceOne(name)}
          accept={ACCEPTED_TYPES}
          onChange={({ currentTarget }) => {
            const [file] = currentTarget.files ?? [];
            if (file !== undefined) onReplace(file);
            currentTarget.value = "";
          }}
        />
        {count > 1 && (
          <button type="button" class="button" aria-label={words.removeOne(name)} disabled={isBusy} onClick={onRemove}>
            {words.remove}
          </button>
        )}
      </div>
    </li>
  );
}
