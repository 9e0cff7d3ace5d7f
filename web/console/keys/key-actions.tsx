import type { ApiKey, NewApiKey } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ActionButton } from "../parts/button.tsx";
import { changedIn } from "../parts/changed.ts";
import { Confirm } from "../parts/confirm.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { SelectField } from "../parts/field.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/keys/en.ts";
import { gracePeriods } from "./grace.ts";
import { KeyForm } from "./key-form.tsx";

const { actions } = words;

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
    onDone(await call("get_key", { params }), actions.deactivated);
  };
  if (of.status === "deactivated") return <p class="notice">{actions.kept}</p>;
  return (
    <>
      <div class="buttons">
        <button type="button" class="button" onClick={() => setOpen("change")}>
          {actions.edit}
        </button>
        <button type="button" class="button" onClick={() => setOpen("rotate")}>
          {actions.rotate}
        </button>
        <ActionButton sending={sending} onAction={test}>
          {actions.test}
        </ActionButton>
        <button type="button" class="button danger" onClick={() => setOpen("deactivate")}>
          {actions.deactivate}
        </button>
      </div>
      <ErrorNotice error={sending.error} />
      {open === "change" && (
        <Dialog title={actions.editTitle} onClose={close}>
          <KeyForm
            from={of}
            button={words.save}
            onSend={async (body) => {
              onDone(await call("update_key", { params, body: changedIn(body, of) }), actions.saved);
              close();
            }}
            onClose={close}
          />
        </Dialog>
      )}
      {open === "rotate" && <Rotate of={of} onMade={setMade} onClose={close} />}
      {open === "deactivate" && (
        <Confirm
          title={actions.deactivateTitle}
          button={actions.deactivateTitle}
          kind="danger"
          typed={of.partner_name}
          onConfirm={deactivate}
          onClose={close}
        >
          <p>{actions.deactivateText}</p>
        </Confirm>
      )}
      {made !== null && (
        <SecretOnce
          title={words.secret.title}
          lead={words.secret.lead}
          secret={made.api_key}
          what={words.secret.what}
          onClose={() => {
            const { api_key: _, ...key } = made;
            onDone(key, key.previous_key_expires_at === null ? actions.rotated : actions.rotatedBoth);
            setMade(null);
          }}
        />
      )}
    </>
  );
}

const testedWords = (endpoints: number): string => (endpoints === 0 ? actions.noEndpoint : actions.tested(endpoints));

function Rotate({ of, onMade, onClose }: { of: ApiKey; onMade: (made: NewApiKey) => void; onClose: () => void }) {
  const [grace, setGrace] = useState("86400");
  const rotate = async () => {
    const body = { grace_period_seconds: Number(grace) };
    onMade(await call("rotate_key", { params: { key_id: of.key_id }, body }));
  };
  return (
    <Confirm title={actions.rotateTitle} button={actions.rotateTitle} onConfirm={rotate} onClose={onClose}>
      <div class="stack">
        <p>{actions.rotateText}</p>
        <SelectField label={actions.grace} name="grace_period_seconds" value={grace} choices={gracePeriods} onChoice={setGrace} />
      </div>
    </Confirm>
  );
}
