import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ActionButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Glyph } from "../parts/glyph.tsx";
import { lazy } from "../parts/lazy.tsx";
import { type MenuItem, RowMenu } from "../parts/row-menu.tsx";
import { saveFrom } from "../parts/save.ts";
import { type Sending, useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { en as listWords } from "../words/list/en.ts";
import { en } from "../words/repeat/en.ts";
import { isDraft, isOpen } from "./api.ts";
import { duplicate } from "./duplicate.ts";
import { atTurn } from "./progress.ts";
import { remindWith } from "./remind-with.ts";
import type { EnvelopeData } from "./use-envelope.ts";

const SaveTemplateDialog = lazy(async () => (await import("./save-template-dialog.tsx")).SaveTemplateDialog);
const VoidDialog = lazy(async () => (await import("./void-dialog.tsx")).VoidDialog);
const VaultDialog = lazy(async () => (await import("./vault-dialog.tsx")).VaultDialog);
const { files } = listWords;

interface EnvelopeActionsProps {
  readonly data: EnvelopeData;
  readonly onDone: (words: string) => Promise<void>;
}

type Asked = "void" | "discard" | "vault" | "template";

/** What can be done with the envelope in its current status: the next step as a button, the rest in menus. */
export function EnvelopeActions({ data, onDone }: EnvelopeActionsProps) {
  const [asking, setAsking] = useState<Asked | null>(null);
  const { envelope } = data;
  const { envelope_id, envelope_name } = envelope;
  const sending = useSending();
  const close = () => setAsking(null);
  const discard = async () => {
    await call("discard_envelope", { params: { envelope_id } });
    await onDone("Draft discarded.");
  };
  return (
    <>
      <Downloads envelope={envelope} sending={sending} />
      {hasRole("member") && (
        <>
          <NextStep data={data} sending={sending} onDone={onDone} onVault={() => setAsking("vault")} />
          <More envelope={envelope} sending={sending} onAsk={setAsking} />
        </>
      )}
      <ErrorNotice error={sending.error} />
      {asking === "discard" && (
        <Confirm title="Discard draft" button="Discard" kind="danger" onConfirm={discard} onClose={close}>
          <p>“{envelope_name}” can no longer be edited or sent. Its timeline is kept.</p>
        </Confirm>
      )}
      {asking === "void" && <VoidDialog envelope={envelope} onDone={onDone} onClose={close} />}
      {asking === "template" && <SaveTemplateDialog envelope={envelope} onClose={close} />}
      {asking === "vault" && <VaultDialog envelope={envelope} onDone={onDone} onClose={close} />}
    </>
  );
}

/** Every file of the envelope, under the names that the server gives them. */
function Downloads({ envelope: { envelope_id, status }, sending }: { envelope: Envelope; sending: Sending }) {
  const params = { envelope_id };
  const save = (act: () => Promise<void>) => () => void sending.run(act);
  const hasEnded = !isDraft(status) && !isOpen(status);
  const items: (MenuItem & { readonly isOffered: boolean })[] = [
    {
      words: files.document,
      icon: "file",
      isOffered: status !== "pending",
      onPress: save(() => saveFrom("get_envelope_document", "document.pdf", { params })),
    },
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
        Continue editing
      </Link>
    );
  }
  if (isMailed) {
    return (
      <ActionButton sending={sending} kind="primary" onAction={() => remind()}>
        <Glyph name="bell" />
        {turn.length > 1 ? "Remind all" : "Remind"}
      </ActionButton>
    );
  }
  if (status === "completed" && !metadata.auto_vault_enabled) {
    return (
      <button type="button" class="button primary" onClick={onVault}>
        Store in vault
      </button>
    );
  }
  if (status !== "vaulted") return null;
  return (
    <Link to={`/vault/${envelope_id}`} class="button">
      Open in vault
    </Link>
  );
}

function More({ envelope, sending, onAsk }: { envelope: Envelope; sending: Sending; onAsk: (act: Asked) => void }) {
  const { envelope_id, envelope_name, status } = envelope;
  const items: (MenuItem & { readonly isOffered: boolean })[] = [
    { words: en.duplicate, icon: "copy", isOffered: true, onPress: () => void sending.run(() => duplicate(envelope_id)) },
    { words: en.saveAsTemplate, icon: "file", isOffered: true, onPress: () => onAsk("template") },
    { words: en.void, icon: "cross", danger: true, isOffered: isOpen(status), onPress: () => onAsk("void") },
    { words: en.discard, icon: "cross", danger: true, isOffered: isDraft(status), onPress: () => onAsk("discard") },
  ];
  return <RowMenu label={en.actionsFor(envelope_name)} words={en.more} items={items.filter(({ isOffered }) => isOffered)} />;
}
