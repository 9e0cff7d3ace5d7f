import type { WebhookEndpoint } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ActionButton } from "../parts/button.tsx";
import { changedIn } from "../parts/changed.ts";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/webhooks/en.ts";
import { EndpointForm } from "./endpoint-form.tsx";
import type { Notice } from "./notice.ts";
import { ReplayRange } from "./replay-range.tsx";

const { actions } = words;

interface EndpointActionsProps {
  readonly of: WebhookEndpoint;
  readonly onChanged: (changed: WebhookEndpoint) => void;
  readonly onNotice: (notice: Notice) => void;
}

export function EndpointActions({ of, onChanged, onNotice }: EndpointActionsProps) {
  const [open, setOpen] = useState<"edit" | "replay" | null>(null);
  const testing = useSending();
  const toggling = useSending();
  const close = () => setOpen(null);
  const params = { endpoint_id: of.endpoint_id };
  const test = async () => {
    await call("test_endpoint", { params });
    onNotice({ words: actions.tested });
  };
  /** Shown immediately, and undone if the request fails. */
  const setEnabled = (now: WebhookEndpoint, enabled: boolean) =>
    toggling.run(async () => {
      onChanged({ ...now, enabled, disabled_reason: enabled ? null : "manual", disabled_at: enabled ? null : new Date().toISOString() });
      try {
        const changed = await call("update_endpoint", { params, body: { enabled } });
        onChanged(changed);
        onNotice({ words: enabled ? actions.enabled : actions.disabled, undo: () => void setEnabled(changed, !enabled) });
      } catch (error) {
        onChanged(now);
        throw error;
      }
    });
  return (
    <>
      <div class="buttons">
        <ActionButton sending={testing} onAction={test}>
          {actions.test}
        </ActionButton>
        <button type="button" class="button" onClick={() => setOpen("replay")}>
          {actions.replay}
        </button>
        <button type="button" class="button" onClick={() => setOpen("edit")}>
          {actions.edit}
        </button>
        <button type="button" class="button" onClick={() => void setEnabled(of, !of.enabled)}>
          {of.enabled ? actions.disable : actions.enable}
        </button>
      </div>
      <ErrorNotice error={testing.error ?? toggling.error} />
      {open === "edit" && (
        <Dialog title={actions.editTitle} onClose={close}>
          <EndpointForm
            from={of}
            button={words.save}
            onSend={async (body) => {
              onChanged(await call("update_endpoint", { params, body: changedIn(body, of) }));
              onNotice({ words: actions.saved });
              close();
            }}
            onClose={close}
          />
        </Dialog>
      )}
      {open === "replay" && <ReplayRange of={of} onClose={close} onNotice={onNotice} />}
    </>
  );
}
