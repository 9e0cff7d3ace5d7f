import type { Sandbox } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { navigate } from "../navigation.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { SubmitButton } from "../parts/button.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Empty } from "../parts/empty.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { isTest, may, me, switchOrg } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/sandboxes/en.ts";

/** The organizations for tests that belong to this one, or to the one of this sandbox. */
export function Sandboxes() {
  const loaded = useLoad("sandboxes", async () => (await call("list_sandboxes")).sandboxes);
  const [isCreating, setCreating] = useState(false);
  const [ending, setEnding] = useState<Ending | null>(null);
  useReloadWhile(loaded.data?.some(({ resetting_since }) => resetting_since !== null) ?? false, loaded.reload);
  const created = async ({ name }: Sandbox) => {
    setCreating(false);
    await loaded.reload();
    showToast(words.created(name));
  };
  const create =
    !isTest() && may("settings:manage") ? (
      <button type="button" class="button primary" onClick={() => setCreating(true)}>
        {words.create}
      </button>
    ) : undefined;
  return (
    <Screen
      title={words.title}
      lead={isTest() ? words.inTest : words.lead}
      actions={loaded.data === null || loaded.data.length === 0 ? undefined : create}
    >
      <ErrorNotice error={loaded.error} />
      {loaded.data === null && loaded.isSlow && <Skeleton />}
      {loaded.data?.length === 0 && (
        <Empty title={words.none} action={create}>
          {words.noneText}
        </Empty>
      )}
      {loaded.data !== null && loaded.data.length > 0 && (
        <Table rows={loaded.data} caption={words.caption} columns={columnsWith(setEnding)} keyOf={({ org_id }) => org_id} />
      )}
      <ApiCall operation="list_sandboxes" credential="$TOKEN" />
      {isCreating && <CreateDialog onDone={created} onClose={() => setCreating(false)} />}
      {ending !== null && <EndDialog {...ending} onDone={loaded.reload} onClose={() => setEnding(null)} />}
    </Screen>
  );
}

interface Ending {
  readonly sandbox: Sandbox;
  readonly act: "reset" | "delete";
}

const columnsWith = (onEnd: (ending: Ending) => void): readonly Column<Sandbox>[] => [
  { head: words.columns.name, cell: ({ name }) => name },
  { head: words.columns.id, cell: ({ org_id }) => <code>{org_id}</code>, minor: true },
  { head: words.columns.created, cell: ({ created_at }) => <When at={created_at} />, minor: true },
  { head: words.columns.actions, cell: (sandbox) => <Actions sandbox={sandbox} onEnd={onEnd} /> },
];

function Actions({ sandbox, onEnd }: { readonly sandbox: Sandbox; readonly onEnd: (ending: Ending) => void }) {
  const canEnd = !isTest() && may("settings:manage");
  return (
    <div class="buttons">
      {sandbox.resetting_since === null ? <Open sandbox={sandbox} /> : <span class="quiet">{words.resetting}</span>}
      {canEnd &&
        (["reset", "delete"] as const).map((act) => (
          <button key={act} type="button" class="button" onClick={() => onEnd({ sandbox, act })}>
            {words[act].button}
            <span class="hidden-visually"> {sandbox.name}</span>
          </button>
        ))}
    </div>
  );
}

interface EndDialogProps extends Ending {
  readonly onDone: () => Promise<void>;
  readonly onClose: () => void;
}

function EndDialog({ sandbox: { org_id, name }, act, onDone, onClose }: EndDialogProps) {
  const { title, text, button, done } = words[act];
  const end = async () => {
    await (act === "reset" ? call("reset_sandbox", { params: { org_id } }) : call("delete_sandbox", { params: { org_id } }));
    await onDone();
    showToast(done(name));
  };
  return (
    <Confirm title={title(name)} button={button} kind="danger" typed={name} onConfirm={end} onClose={onClose}>
      {text.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Confirm>
  );
}

// A reset takes seconds.
const RELOAD_MS = 2_000;

function useReloadWhile(isGoingOn: boolean, reload: () => Promise<void>): void {
  useEffect(() => {
    if (!isGoingOn) return;
    const timer = setInterval(() => void reload(), RELOAD_MS);
    return () => clearInterval(timer);
  }, [isGoingOn]);
}

function Open({ sandbox: { org_id, name } }: { readonly sandbox: Sandbox }) {
  const sending = useSending();
  if (org_id === me().org.org_id) return <span class="quiet">{words.here}</span>;
  const open = async () => {
    await switchOrg(org_id);
    navigate("/");
  };
  return (
    <>
      <button type="button" class="button" onClick={() => void sending.run(open)}>
        {words.open}
        <span class="hidden-visually"> {name}</span>
      </button>
      <ErrorNotice error={sending.error} />
    </>
  );
}

interface CreateDialogProps {
  readonly onDone: (made: Sandbox) => Promise<void>;
  readonly onClose: () => void;
}

function CreateDialog({ onDone, onClose }: CreateDialogProps) {
  const sending = useSending();
  const [name, setName] = useState(() => words.dialog.suggestion(me().org.name).slice(0, MAX_NAME));
  return (
    <Dialog title={words.create} onClose={onClose}>
      <Form sending={sending} onSend={async () => onDone(await call("create_sandbox", { body: { name: name.trim() } }))}>
        <TextField
          label={words.dialog.name}
          name="name"
          required
          maxLength={MAX_NAME}
          value={name}
          onText={setName}
          hint={words.dialog.hint}
          sending={sending}
        />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {words.dialog.cancel}
          </button>
          <SubmitButton sending={sending}>{words.dialog.button}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

const MAX_NAME = 60;
