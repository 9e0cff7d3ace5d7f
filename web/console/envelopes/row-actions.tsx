import type { EnvelopeSummary, Recipient } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { navigate } from "../navigation.ts";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { lazy } from "../parts/lazy.tsx";
import { type MenuItem, RowMenu } from "../parts/row-menu.tsx";
import { saveFrom } from "../parts/save.ts";
import { Skeleton } from "../parts/table.tsx";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as listWords } from "../words/list/en.ts";
import { en } from "../words/repeat/en.ts";
import { isDraft, isOpen } from "./api.ts";
import { duplicate } from "./duplicate.ts";

const LinkDialog = lazy(async () => (await import("./link-dialog.tsx")).LinkDialog);
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
  const isMember = hasRole("member");
  const isActing = isMember && isOpen(status);
  const items: (MenuItem & { readonly isOffered: boolean })[] = [
    { words: en.open, icon: "eye", isOffered: true, onPress: () => navigate(`/envelopes/${envelope_id}`) },
    { words: en.remind, icon: "bell", isOffered: isActing, onPress: onRemind },
    { words: en.copyLink, icon: "link", isOffered: isActing, onPress: () => onAsk("link") },
    { words: listWords.download, icon: "download", isOffered: status !== "pending", onPress: onDownload },
    { words: en.duplicate, icon: "copy", isOffered: isMember, onPress: onDuplicate },
    { words: en.saveAsTemplate, icon: "file", isOffered: isMember, onPress: () => onAsk("template") },
    { words: en.void, icon: "cross", danger: true, isOffered: isActing, onPress: () => onAsk("void") },
    { words: en.discard, icon: "cross", danger: true, isOffered: isMember && isDraft(status), onPress: () => onAsk("discard") },
  ];
  return <RowMenu label={en.actionsFor(envelope_name)} items={items.filter(({ isOffered }) => isOffered)} />;
}

/** What the menus of the list share: which dialog is open, what was done, and what failed. */
export function useRowActions(onChanged: () => Promise<void>) {
  const sending = useSending();
  const [asking, setAsking] = useState<{ readonly act: RowAction; readonly envelope: Row } | null>(null);
  const [message, setMessage] = useState("");
  const finish = async (words: string) => {
    setMessage(words);
    await onChanged();
  };
  const remind = async ({ envelope_id, envelope_name }: Row) => {
    const { reminded } = await call("remind_signers", { params: { envelope_id }, body: {} });
    await finish(en.reminded(reminded.length, envelope_name));
  };
  const run = (act: () => Promise<void>) => {
    setMessage("");
    void sending.run(act);
  };
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
      <p class={message === "" ? "hidden-visually" : "notice good"} role="status">
        {message}
      </p>
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
  const { envelope_id, envelope_name } = envelope;
  const discard = async () => {
    await call("discard_envelope", { params: { envelope_id } });
    await onDone("Draft discarded.");
  };
  switch (act) {
    case "link":
      return <LinkOfRow envelope_id={envelope_id} onDone={onDone} onClose={onClose} />;
    case "template":
      return <SaveTemplateDialog envelope={envelope} onClose={onClose} />;
    case "void":
      return <VoidDialog envelope={envelope} onDone={onDone} onClose={onClose} />;
    case "discard":
      return (
        <Confirm title="Discard draft" button="Discard" kind="danger" onConfirm={discard} onClose={onClose}>
          <p>“{envelope_name}” is voided and can no longer be sent. Its timeline is kept.</p>
        </Confirm>
      );
  }
}

/** Who has not acted yet and can be given a link. */
const isWaiting = ({ kind, status, slug }: Recipient): boolean =>
  kind !== "cc" && slug !== null && (status === "pending" || status === "viewed");

/** The link of one person. If several have not acted yet, the user chooses first. */
function LinkOfRow({ envelope_id, onDone, onClose }: Omit<RowDialogProps, "act" | "envelope"> & { readonly envelope_id: string }) {
  const loaded = useLoad(`recipients ${envelope_id}`, () => call("list_recipients", { params: { envelope_id } }));
  const [chosen, setChosen] = useState("");
  const [isChosen, setDone] = useState(false);
  const waiting = (loaded.data?.recipients ?? []).filter(isWaiting);
  const person = waiting.find(({ slug }) => slug === chosen) ?? waiting[0];
  if (person !== undefined && person.slug !== null && (isChosen || waiting.length === 1)) {
    return <LinkDialog envelope_id={envelope_id} recipient={{ name: person.name, slug: person.slug }} onDone={onDone} onClose={onClose} />;
  }
  return (
    <Dialog title={en.link.title} onClose={onClose}>
      {loaded.data === null && loaded.error === null && <Skeleton lines={2} />}
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {loaded.data !== null && waiting.length === 0 && <p>{en.link.none}</p>}
      {waiting.length > 1 && (
        <>
          <SelectField
            label={en.link.person}
            name="person"
            value={person?.slug ?? ""}
            choices={waiting.map(({ slug, name }) => [slug ?? "", name] as const)}
            onChoice={setChosen}
          />
          <div class="buttons end">
            <button type="button" class="button primary" onClick={() => setDone(true)}>
              {en.link.next}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}
