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
import { graces } from "./grace.ts";
import { KeyForm } from "./key-form.tsx";

interface KeyActsProps {
  readonly of: ApiKey;
  /** the key as it is now, and what happened */
  readonly onDone: (changed: ApiKey, words: string) => void;
  readonly onSaid: (words: string) => void;
}

type Open = "change" | "rotate" | "deactivate" | null;

export function KeyActs({ of, onDone, onSaid }: KeyActsProps) {
  const [open, setOpen] = useState<Open>(null);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const sending = useSending();
  const close = () => setOpen(null);
  const params = { key_id: of.key_id };
  const test = async () => {
    const { endpoints } = await call("test_webhook", { params });
    onSaid(testedWords(endpoints));
  };
  const deactivate = async () => {
    await call("deactivate_key", { params });
    onDone(await call("get_key", { params }), "The key is deactivated: it is refused from the next request on.");
  };
  if (of.status === "deactivated") return <p class="notice">This key is refused. It stays here so that what it did can still be told.</p>;
  return (
    <>
      <div class="buttons">
        <button type="button" class="button" onClick={() => setOpen("change")}>
          Change
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
        <Dialog title="Change the key" onClose={close}>
          <KeyForm
            from={of}
            button="Save"
            onSend={async (body) => {
              onDone(await call("update_key", { params, body }), "Saved. The same key keeps working.");
              close();
            }}
            onClose={close}
          />
        </Dialog>
      )}
      {open === "rotate" && <Rotate of={of} onMade={setMade} onClose={close} />}
      {open === "deactivate" && (
        <Confirm
          title="Deactivate the key"
          button="Deactivate key"
          kind="danger"
          typed={of.partner_name}
          onConfirm={deactivate}
          onClose={close}
        >
          <p>Programs that use it are refused from the next request on. A deactivated key cannot be made active again.</p>
        </Confirm>
      )}
      {made !== null && (
        <SecretOnce
          title="The new key"
          lead="It is shown this once. Put it where your program keeps its secrets."
          secret={made.api_key}
          what="API key"
          onClose={() => {
            const { api_key: _, ...key } = made;
            onDone(
              key,
              key.previous_key_expires_at === null
                ? "Rotated. The key before it is refused now."
                : "Rotated. Until the countdown below ends, both keys work.",
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
    ? "No endpoint is enabled, so nobody was told. Add one under Webhooks."
    : `A webhook.test event is on its way to ${endpoints === 1 ? "1 endpoint" : `${endpoints} endpoints`}.`;

function Rotate({ of, onMade, onClose }: { of: ApiKey; onMade: (made: NewApiKey) => void; onClose: () => void }) {
  const [grace, setGrace] = useState("86400");
  const rotate = async () => {
    const body = { grace_period_seconds: Number(grace) };
    onMade(await call("rotate_key", { params: { key_id: of.key_id }, body }));
  };
  return (
    <Confirm title="Rotate the key" button="Rotate key" onConfirm={rotate} onClose={onClose}>
      <div class="stack">
        <p>You get a new key. The present one goes on working for a while, so that you can put the new one in place without a gap.</p>
        <SelectField label="The present key works for" name="grace_period_seconds" value={grace} choices={graces} onChoice={setGrace} />
      </div>
    </Confirm>
  );
}
