import type { EnvelopeSummary } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { navigate } from "../navigation.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { type MenuItem, RowMenu } from "../parts/row-menu.tsx";
import { saveFrom } from "../parts/save.ts";
import { showToast } from "../parts/toast.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { en as listWords } from "../words/list/en.ts";
import { en } from "../words/repeat/en.ts";
import { isDraft, isOpen } from "./api.ts";
import { duplicate } from "./duplicate.ts";

const DiscardDialog = lazy(async () => (await import("./discard-dialog.tsx")).DiscardDialog);
const RowLinkDialog = lazy(async () => (await import("./row-link-dialog.tsx")).RowLinkDialog);
const VoidDialog = lazy(async () => (await import("./void-dialog.tsx")).VoidDialog);
const SaveTemplateDialog = lazy(async () => (await import("./save-template-dialog.tsx")).SaveTemplateDialog);

type Row = Pick<EnvelopeSummary, "envelope_id" | "envelope_name" | "status">;
export type RowAction = "link" | "template" | "void" | "discard";

interface RowActionsProps {
  readonly envelope: Row;
  readonly onAsk: (act: RowAction) => void;
  readonly onRemind: () => void;
  readonly onDuplicate: () => void;
  readonly onDownload: () => void;
}

/** The menu of an envelope in the list. What it offers depends on the status of the envelope and the role of the user. */
export function RowActions({ envelope, onAsk, onRemind, onDuplicate, onDownload }: RowActionsProps) {
  const { envelope_id, envelope_name, status } = envelope;
  const isMember = may("envelopes:write");
  const isActing = isMember && isOpen(status);
  const items: (MenuItem & { readonly isOffered: boolean })[] = [
    { words: en.open, icon: "eye", isOffered: true, onPress: () => navigate(`/envelopes/${envelope_id}`) },
    { words: en.remind, icon: "bell", isOffered: isActing, onPress: onRemind },
    { words: en.copyLink, icon: "link", isOffered: isActing, onPress: () => onAsk("link") },
    { words: listWords.download, icon: "download", isOffered: status !== "pending", onPress: onDownload },
    { words: en.duplicate, icon: "copy", isOffered: isMember, onPress: onDuplicate },
    { words: en.saveAsTemplate, icon: "page", isOffered: isMember, onPress: () => onAsk("template") },
    { words: en.void, icon: "cross", danger: true, isOffered: isActing, onPress: () => onAsk("void") },
    { words: en.discard, icon: "cross", danger: true, isOffered: isMember && isDraft(status), onPress: () => onAsk("discard") },
  ];
  return <RowMenu label={en.actionsFor(envelope_name)} items={items.filter(({ isOffered }) => isOffered)} />;
}

/** What the menus of the list share: which dialog is open, what was done, and what failed. */
export function useRowActions(onChanged: () => Promise<void>) {
  const sending = useSending();
  const [asking, setAsking] = useState<{ readonly act: RowAction; readonly envelope: Row } | null>(null);
  const finish = async (words: string) => {
    showToast(words);
    await onChanged();
  };
  const remind = async ({ envelope_id, envelope_name }: Row) => {
    const { reminded } = await call("remind_signers", { params: { envelope_id }, body: {} });
    await finish(en.reminded(reminded.length, envelope_name));
  };
  const run = (act: () => Promise<void>) => void sending.run(act);
  const menu = (envelope: EnvelopeSummary) => (
    <RowActions
      envelope={envelope}
      onAsk={(act) => setAsking({ act, envelope })}
      onRemind={() => run(() => remind(envelope))}
      onDuplicate={() => run(() => duplicate(envelope.envelope_id))}
      onDownload={() => run(() => saveFrom("get_envelope_document", "document.pdf", { params: { envelope_id: envelope.envelope_id } }))}
    />
  );
  const shown = (
    <>
      <ErrorNotice error={sending.error} />
      {asking !== null && <RowDialog {...asking} onDone={finish} onClose={() => setAsking(null)} />}
    </>
  );
  return { menu, shown };
}

interface RowDialogProps {
  readonly act: RowAction;
  readonly envelope: Row;
  readonly onDone: (words: string) => Promise<void>;
  readonly onClose: () => void;
}

function RowDialog({ act, envelope, onDone, onClose }: RowDialogProps) {
  switch (act) {
    case "link":
      return <RowLinkDialog envelope_id={envelope.envelope_id} onDone={onDone} onClose={onClose} />;
    case "template":
      return <SaveTemplateDialog envelope={envelope} onClose={onClose} />;
    case "void":
      return <VoidDialog envelope={envelope} onDone={onDone} onClose={onClose} />;
    case "discard":
      return <DiscardDialog envelope={envelope} onDone={onDone} onClose={onClose} />;
  }
}
