import type { ApiKey, NewApiKey } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Dialog } from "../../ui/dialog.tsx";
import { call } from "../api.ts";
import { ActionButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { useSending } from "../sending.ts";
import { gracePeriods } from "./grace.ts";
import { KeyForm } from "./key-form.tsx";

interface KeyActionsProps {
  readonly of: ApiKey;
  /** the updated key and a message about the result */
  readonly onDone: (changed: ApiKey, words: string) => void;
  readonly onMessage: (words: string) => void;
}

type Open = "change" | "rotate" | "deactivate" | null;

export function KeyActions({ of, onDone, onMessage }: KeyActionsProps) {
  const [open, setOpen] = useState<Open>(null);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const sending = useSending();
  const close = () => setOpen(null);
  const params = { key_id: of.key_id };
  const test = async () => {
    const { endpoints } = await call("test_webhook", { params });
    onMessage(testedWords(endpoints));
  };
  const deactivate = async () => {
    await call("deactivate_key", { params });
    onDone(await call("get_key", { params }), "Key deactivated. Requests with it now get 401.");
  };
  if (of.status === "deactivated") return <p class="notice">Deactivated. Kept for the audit trail.</p>;
  return (
    <>
      <div class="buttons">
        <button type="button" class="button" onClick={() => setOpen("change")}>
          Edit
        </button>
        <button type="button" class="button" onClick={() => setOpen("rotate")}>
          Rotate
        </button>
        <ActionButton sending={sending} onAction={test}>
          Test webhook
        </ActionButton>
        <button type="button" class="button danger" onClick={() => setOpen("deactivate")}>
          Deactivate
        </button>
      </div>
      <ErrorNotice error={sending.error} />
      {open === "change" && (
        <Dialog title="Edit key" onClose={close}>
          <KeyForm
            from={of}
            button="Save"
            onSend={async (body) => {
              onDone(await call("update_key", { params, body }), "Saved. The key itself has not changed.");
              close();
            }}
            onClose={close}
          />
        </Dialog>
      )}
      {open === "rotate" && <Rotate of={of} onMade={setMade} onClose={close} />}
      {open === "deactivate" && (
        <Confirm
          title="Deactivate key"
          button="Deactivate key"
          kind="danger"
          typed={of.partner_name}
          onConfirm={deactivate}
          onClose={close}
        >
          <p>Requests with this key get 401 from now on. A deactivated key cannot be reactivated.</p>
        </Confirm>
      )}
      {made !== null && (
        <SecretOnce
          title="Your new key"
          lead="Copy it now. It is shown only once. Store it where your program keeps its secrets."
          secret={made.api_key}
          what="API key"
          onClose={() => {
            const { api_key: _, ...key } = made;
            onDone(
              key,
              key.previous_key_expires_at === null
                ? "Key rotated. The previous key no longer works."
                : "Key rotated. Both keys work until the previous one expires.",
            );
            setMade(null);
          }}
        />
      )}
    </>
  );
}

const testedWords = (endpoints: number): string =>
  endpoints === 0
    ? "No endpoint is enabled, so no event was sent. Add one under Webhooks."
    : `A webhook.test event is being sent to ${endpoints === 1 ? "1 endpoint" : `${endpoints} endpoints`}.`;

function Rotate({ of, onMade, onClose }: { of: ApiKey; onMade: (made: NewApiKey) => void; onClose: () => void }) {
  const [grace, setGrace] = useState("86400");
  const rotate = async () => {
    const body = { grace_period_seconds: Number(grace) };
    onMade(await call("rotate_key", { params: { key_id: of.key_id }, body }));
  };
  return (
    <Confirm title="Rotate key" button="Rotate key" onConfirm={rotate} onClose={onClose}>
      <div class="stack">
        <p>You get a new key. The current key keeps working during the grace period, so that you can switch without downtime.</p>
        <SelectField
          label="Grace period for the current key"
          name="grace_period_seconds"
          value={grace}
          choices={gracePeriods}
          onChoice={setGrace}
        />
      </div>
    </Confirm>
  );
}
