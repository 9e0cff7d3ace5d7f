import type { Envelope } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RowMenu } from "../parts/row-menu.tsx";
import { useSending } from "../sending.ts";
import { hasRole } from "../session.ts";
import { en } from "../words/repeat/en.ts";
import { isDraft, isOpen } from "./api.ts";
import { duplicate } from "./row-actions.tsx";
import { SaveTemplateDialog } from "./save-template-dialog.tsx";
import { VaultDialog } from "./vault-dialog.tsx";
import { VoidDialog } from "./void-dialog.tsx";

interface EnvelopeActionsProps {
  readonly envelope: Envelope;
  readonly onDone: (words: string) => Promise<void>;
}

/** The actions for the envelope in its current status. The overview explains what the user's role does not allow. */
export function EnvelopeActions({ envelope, onDone }: EnvelopeActionsProps) {
  const [asking, setAsking] = useState<"void" | "discard" | "vault" | "template" | null>(null);
  const { envelope_id, envelope_name, status, metadata } = envelope;
  const sending = useSending();
  const close = () => setAsking(null);
  if (!hasRole("member")) return null;
  const discard = async () => {
    await call("discard_envelope", { params: { envelope_id } });
    await onDone("Draft discarded.");
  };
  const repeat = [
    { words: en.duplicate, onPress: () => void sending.run(() => duplicate(envelope_id)) },
    { words: en.saveAsTemplate, onPress: () => setAsking("template") },
  ];
  return (
    <>
      <RowMenu label={en.actionsFor(envelope_name)} words={en.more} items={repeat} />
      {isDraft(status) && (
        <>
          <button type="button" class="button danger" onClick={() => setAsking("discard")}>
            Discard
          </button>
          <Link to={`/envelopes/${envelope_id}/prepare`} class="button primary">
            Continue editing
          </Link>
        </>
      )}
      {isOpen(status) && (
        <button type="button" class="button danger" onClick={() => setAsking("void")}>
          Void
        </button>
      )}
      {status === "completed" && !metadata.auto_vault_enabled && (
        <button type="button" class="button primary" onClick={() => setAsking("vault")}>
          Store in vault
        </button>
      )}
      {status === "vaulted" && (
        <Link to={`/vault/${envelope_id}`} class="button">
          Open in vault
        </Link>
      )}
      {asking === "discard" && (
        <Confirm title="Discard draft" button="Discard" kind="danger" onConfirm={discard} onClose={close}>
          <p>“{envelope_name}” is voided and can no longer be sent. Its timeline is kept.</p>
        </Confirm>
      )}
      {asking === "void" && <VoidDialog envelope={envelope} onDone={onDone} onClose={close} />}
      {asking === "template" && <SaveTemplateDialog envelope={envelope} onClose={close} />}
      <ErrorNotice error={sending.error} />
      {asking === "vault" && <VaultDialog envelope={envelope} onDone={onDone} onClose={close} />}
    </>
  );
}
