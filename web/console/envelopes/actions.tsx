import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { fileName } from "../../save-file.ts";
import { Link } from "../link.tsx";
import { ActionButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { lazy } from "../parts/lazy.tsx";
import { type MenuItem, RowMenu } from "../parts/row-menu.tsx";
import { saveFrom } from "../parts/save.ts";
import { type Sending, useSending } from "../sending.ts";
import { may } from "../session.ts";
import { en as words } from "../words/envelope/en.ts";
import { en as recipientWords } from "../words/recipients/en.ts";
import { en } from "../words/repeat/en.ts";
import { isDiscarded, isDraft, isOpen } from "./api.ts";
import { atTurn } from "./at-turn.ts";
import { duplicate } from "./duplicate.ts";
import { openTask } from "./open-task.ts";
import { ownTurn } from "./own-turn.ts";
import { remindWith } from "./remind-with.ts";
import type { EnvelopeData } from "./use-envelope.ts";

const DiscardDialog = lazy(async () => (await import("./discard-dialog.tsx")).DiscardDialog);
const SaveTemplateDialog = lazy(async () => (await import("./save-template-dialog.tsx")).SaveTemplateDialog);
const VoidDialog = lazy(async () => (await import("./void-dialog.tsx")).VoidDialog);
const VaultDialog = lazy(async () => (await import("./vault-dialog.tsx")).VaultDialog);
const { files } = words;

interface EnvelopeActionsProps {
  readonly data: EnvelopeData;
  readonly onDone: (words: string) => Promise<void>;
}

type Asked = "void" | "discard" | "vault" | "template";

/** What can be done with the envelope in its current status: the next step as a button, the rest in menus. */
export function EnvelopeActions({ data, onDone }: EnvelopeActionsProps) {
  const [asking, setAsking] = useState<Asked | null>(null);
  const { envelope } = data;
  const sending = useSending();
  const close = () => setAsking(null);
  return (
    <>
      <Downloads data={data} sending={sending} />
      {may("envelopes:write") && (
        <>
          <NextStep data={data} sending={sending} onDone={onDone} onVault={() => setAsking("vault")} />
          <More envelope={envelope} sending={sending} onAsk={setAsking} />
        </>
      )}
      <ErrorNotice error={sending.error} />
      {asking === "discard" && <DiscardDialog envelope={envelope} onDone={onDone} onClose={close} />}
      {asking === "void" && <VoidDialog envelope={envelope} onDone={onDone} onClose={close} />}
      {asking === "template" && <SaveTemplateDialog envelope={envelope} onClose={close} />}
      {asking === "vault" && <VaultDialog envelope={envelope} onDone={onDone} onClose={close} />}
    </>
  );
}

/** Every file of the envelope, under the names that the server gives them. */
function Downloads({ data: { envelope, documents }, sending }: { data: EnvelopeData; sending: Sending }) {
  const { envelope_id, status } = envelope;
  const params = { envelope_id };
  const save = (act: () => Promise<void>) => () => void sending.run(act);
  const hasEnded = !isDraft(status) && !isOpen(status) && !isDiscarded(envelope);
  const items: (MenuItem & { readonly isOffered: boolean })[] = [
    {
      words: files.document,
      icon: "page",
      isOffered: isDiscarded(envelope) ? documents.length > 0 : status !== "pending",
      onPress: save(() => saveFrom("get_envelope_document", "document.pdf", { params })),
    },
    ...documents.map(({ document_id, document_no, name }) => ({
      words: files.single(document_no, name),
      icon: "page" as const,
      isOffered: documents.length > 1,
      onPress: save(() => saveFrom("get_envelope_document_file", `${fileName(name)}.pdf`, { params: { envelope_id, document_id } })),
    })),
    {
      words: files.certificate,
      icon: "check",
      isOffered: hasEnded,
      onPress: save(() => saveFrom("get_completion_certificate", "completion certificate.pdf", { params })),
    },
    {
      words: files.trail,
      icon: "clock",
      isOffered: true,
      onPress: save(() => saveFrom("export_audit_trail", "audit trail.csv", { params })),
    },
    {
      words: files.evidence,
      icon: "vault",
      isOffered: status === "vaulted",
      onPress: save(() => saveFrom("get_evidence_bundle", "evidence.zip", { params })),
    },
  ];
  return <RowMenu label={files.label} words={files.button} icon="download" items={items.filter(({ isOffered }) => isOffered)} />;
}

interface NextStepProps {
  readonly data: EnvelopeData;
  readonly sending: Sending;
  readonly onDone: (words: string) => Promise<void>;
  readonly onVault: () => void;
}

function NextStep({ data, sending, onDone, onVault }: NextStepProps) {
  const { envelope_id, status, metadata } = data.envelope;
  const remind = remindWith(data, onDone);
  const turn = isOpen(status) ? atTurn(data.recipients) : [];
  const isMailed = turn.some(({ delivery, status: one }) => delivery === "email" && one !== "locked");
  if (isDraft(status)) {
    return (
      <Link to={`/envelopes/${envelope_id}/prepare`} class="button primary">
        {words.edit}
      </Link>
    );
  }
  const own = ownTurn(data.envelope, data.recipients);
  const slug = own?.slug ?? null;
  if (isMailed || slug !== null) {
    return (
      <>
        {isMailed && (
          <ActionButton sending={sending} kind={slug === null ? "primary" : "plain"} onAction={() => remind()}>
            <Glyph name="bell" />
            {turn.length > 1 ? words.remindAll : words.remind}
          </ActionButton>
        )}
        {slug !== null && (
          <ActionButton sending={sending} kind="primary" onAction={() => openTask(envelope_id, slug)}>
            {own?.kind === "signer" ? recipientWords.signNow : recipientWords.openNow}
          </ActionButton>
        )}
      </>
    );
  }
  if (status === "completed" && !metadata.auto_vault_enabled) {
    return (
      <button type="button" class="button primary" onClick={onVault}>
        {words.store}
      </button>
    );
  }
  if (status !== "vaulted") return null;
  return (
    <Link to={`/vault/${envelope_id}`} class="button">
      {words.openInVault}
    </Link>
  );
}

function More({ envelope, sending, onAsk }: { envelope: Envelope; sending: Sending; onAsk: (act: Asked) => void }) {
  const { envelope_id, envelope_name, status } = envelope;
  const items: (MenuItem & { readonly isOffered: boolean })[] = [
    { words: en.duplicate, icon: "copy", isOffered: true, onPress: () => void sending.run(() => duplicate(envelope_id)) },
    { words: en.saveAsTemplate, icon: "page", isOffered: true, onPress: () => onAsk("template") },
    { words: en.void, icon: "cross", danger: true, isOffered: isOpen(status), onPress: () => onAsk("void") },
    { words: en.discard, icon: "cross", danger: true, isOffered: isDraft(status), onPress: () => onAsk("discard") },
  ];
  return <RowMenu label={en.actionsFor(envelope_name)} words={en.more} items={items.filter(({ isOffered }) => isOffered)} />;
}
