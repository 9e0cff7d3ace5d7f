import { registeredActKinds } from "@countersign/client/lists";
import type { RegisteredActKind, RegistryMode, RegistryState } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { kindWords } from "../acts/words.tsx";
import { call } from "../api.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Pending } from "../parts/pending.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { refusedFields } from "../refused-fields.ts";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/settings/en.ts";
import type { PartProps } from "./part.tsx";

/** The registry with which changes of control are registered. Only admins see it. */
export function RegistryPart({ onChanged }: Pick<PartProps, "onChanged">) {
  const loaded = useLoad("registry", () => call("get_registry"));
  if (loaded.data === null)
    return (
      <Card title={TITLE}>
        <Pending of={loaded} />
      </Card>
    );
  return <RegistryForm state={loaded.data} onSaved={loaded.put} onChanged={onChanged} />;
}

interface RegistryFormProps extends Pick<PartProps, "onChanged"> {
  readonly state: RegistryState;
  readonly onSaved: (state: RegistryState) => void;
}

const words = en.registry;
const TITLE = words.title;

function RegistryForm({ state: { registry, waiting, last_error }, onSaved, onChanged }: RegistryFormProps) {
  const sending = useSending();
  const [url, setUrl] = useState(registry?.url ?? "");
  const [mode, setMode] = useState<RegistryMode>(registry?.mode ?? "gate");
  const [kinds, setKinds] = useState<readonly RegisteredActKind[]>(registry?.kinds ?? []);
  const [secret, setSecret] = useState<string | null>(null);
  const isChanged =
    url.trim() !== (registry?.url ?? "") || (registry !== null && (mode !== registry.mode || !isSameSet(kinds, registry.kinds)));
  useEffect(() => onChanged(TITLE, isChanged), [isChanged]);
  const wrong = sending.errorOf("kinds");
  const check = (kind: RegisteredActKind, isOn: boolean) => setKinds(isOn ? [...kinds, kind] : kinds.filter((each) => each !== kind));
  const save = async () => {
    const { secret: made, ...state } = await call("set_registry", { body: { url: url.trim(), mode, kinds: [...kinds] } });
    setSecret(made);
    onSaved(state);
    // It is in the first answer only.
    if (registry === null && made === null) throw refusedFields(words.secretLost, []);
  };
  const remove = async () => {
    await call("remove_registry");
    setUrl("");
    setKinds([]);
    onSaved({ registry: null, waiting: 0, last_error: null });
  };
  return (
    <Card title={TITLE}>
      <p class="quiet">{words.lead}</p>
      <Form sending={sending} onSend={save} shown={["url", "mode", "kinds"]} wide>
        <TextField
          label={words.url}
          name="url"
          required
          inputMode="url"
          hint={words.urlHint}
          value={url}
          onText={setUrl}
          sending={sending}
        />
        <SelectField
          label={words.mode}
          name="mode"
          value={mode}
          choices={[
            ["gate", words.gate],
            ["notify", words.notify],
          ]}
          onChoice={setMode}
          sending={sending}
        />
        <fieldset class="stack tight" {...(wrong !== null && { "aria-describedby": "registry-kinds", "data-wrong": true, tabIndex: -1 })}>
          <legend>{words.acts}</legend>
          <div class="columns">
            {registeredActKinds.map((kind) => (
              <Checkbox key={kind} label={kindWords[kind]} checked={kinds.includes(kind)} onCheck={(isOn) => check(kind, isOn)} />
            ))}
          </div>
          {wrong !== null && (
            <p class="error" id="registry-kinds">
              {words.acts} {wrong}
            </p>
          )}
        </fieldset>
        {waiting > 0 && <p role="status">{words.waiting(waiting)}</p>}
        {last_error !== null && <p class="error">{words.failed(last_error.replaceAll("_", " "))}</p>}
        <div class="save-line">
          <SubmitButton sending={sending}>{en.save}</SubmitButton>
          {registry !== null && (
            <ActionButton sending={sending} onAction={remove}>
              {words.remove}
            </ActionButton>
          )}
          {isChanged && !sending.isBusy && <p class="quiet">{en.unsaved}</p>}
        </div>
      </Form>
      {secret !== null && (
        <SecretOnce title={words.secretTitle} lead={words.secretLead} secret={secret} what={words.secret} onClose={() => setSecret(null)} />
      )}
    </Card>
  );
}

const isSameSet = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((each) => other.includes(each));
