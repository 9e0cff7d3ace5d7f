import type { Passkey } from "@countersign/client/pages";
import { useState } from "preact/hooks";
import { isSupported, makePasskey } from "../../passkeys.ts";
import { call } from "../api.ts";
import { ActionButton, Card, ErrorNotice, Form, Moment, Screen, TextField } from "../parts.tsx";
import { beganWith, person } from "../session.ts";
import { useTask } from "../task.ts";
import { useFocusOnChange } from "../use-focus-on-change.ts";
import { loadPerson, logInByPasskey, signOut } from "../visit.ts";

/** The person's passkeys, and signing out. */
export function Security() {
  const leaving = useTask();
  const [done, setDone] = useState("");
  return (
    <Screen title="Security" lead={`Logged in as ${person.value?.email}`}>
      <div class="party-status" role="status">
        {done !== "" && <p class="notice good">{done}</p>}
      </div>
      <Passkeys onDone={setDone} />
      <Card title="Session">
        <p>Sessions last 30 minutes. Sign out if others use this device.</p>
        <div class="buttons">
          <ActionButton task={leaving} onAction={signOut}>
            Sign out
          </ActionButton>
        </div>
        <ErrorNotice error={leaving.error} />
      </Card>
    </Screen>
  );
}

function Passkeys({ onDone }: { onDone: (words: string) => void }) {
  const passkeys = person.value?.passkeys ?? [];
  // The first passkey needs a code, so that a stolen device cannot add one. Every further change needs a passkey.
  const needed = passkeys.length === 0 ? "code" : "passkey";
  const mayChange = beganWith.value === needed;
  return (
    <Card title="Passkeys">
      <p>
        A passkey is kept by your device or password manager and signs each request that you confirm. It proves more than a code: a code
        only shows that someone can read the mail of your address. The other people of your parties get an e-mail about every change.
      </p>
      {passkeys.length === 0 ? (
        <p class="quiet">You have no passkey yet.</p>
      ) : (
        <ul class="party-list">
          {passkeys.map((passkey) => (
            <li key={passkey.passkey_id}>
              <Item passkey={passkey} mayRemove={mayChange} onDone={onDone} />
            </li>
          ))}
        </ul>
      )}
      {!isSupported ? (
        <p class="notice">This browser does not support passkeys, so none can be added here. You can decide with codes.</p>
      ) : mayChange ? (
        <Add onDone={onDone} />
      ) : needed === "passkey" ? (
        <ToPasskey />
      ) : (
        <p class="notice">Sign out and log in with a code to add a passkey.</p>
      )}
    </Card>
  );
}

function Add({ onDone }: { onDone: (words: string) => void }) {
  const task = useTask();
  const [name, setName] = useState("");
  const add = async () => {
    onDone("");
    const credential = await makePasskey(await call("POST /passkeys"));
    await call("POST /passkeys/verify", { body: { credential, ...(name.trim() !== "" && { name: name.trim() }) } });
    setName("");
    await loadPerson();
    onDone("Passkey added. Use it for your next decision. To add or remove others, log in with it.");
  };
  return (
    <Form task={task} onSend={add}>
      <TextField
        label="Name of the new passkey"
        name="name"
        value={name}
        onText={setName}
        task={task}
        maxLength={100}
        hint="So that you recognize it later, for example Work laptop."
        autoComplete="off"
      />
      <div class="buttons">
        <ActionButton task={task} kind="primary">
          Add passkey
        </ActionButton>
      </div>
    </Form>
  );
}

interface ItemProps {
  readonly passkey: Passkey;
  readonly mayRemove: boolean;
  readonly onDone: (words: string) => void;
}

function Item({ passkey, mayRemove, onDone }: ItemProps) {
  const task = useTask();
  const [isAsked, setAsked] = useState(false);
  const place = useFocusOnChange<HTMLElement>(isAsked);
  const { passkey_id, name, created_at, last_used_at, backed_up } = passkey;
  const remove = async () => {
    onDone("");
    await call(`DELETE /passkeys/${passkey_id}`);
    onDone(`The passkey “${name}” was removed. Decisions that you made with it stay valid.`);
    await loadPerson();
  };
  return (
    <article ref={place} tabIndex={-1} class="card stack tight">
      <h3>{name}</h3>
      <p class="quiet small">
        Added <Moment at={created_at} />. {last_used_at === null ? "Not used yet." : <Used at={last_used_at} />}
        {backed_up && " Synchronized or backed up when it was added."}
      </p>
      {mayRemove && !isAsked && (
        <div class="buttons">
          <button type="button" class="button" aria-label={`Remove passkey ${name}`} onClick={() => setAsked(true)}>
            Remove
          </button>
        </div>
      )}
      {isAsked && (
        <div class="stack tight">
          <p>Remove this passkey? If you logged in with it, you have to log in again.</p>
          <div class="buttons">
            <ActionButton task={task} kind="danger" onAction={remove}>
              Remove passkey
            </ActionButton>
            <button type="button" class="button" onClick={() => setAsked(false)}>
              Cancel
            </button>
          </div>
          <ErrorNotice error={task.error} />
        </div>
      )}
    </article>
  );
}

const Used = ({ at }: { at: string }) => (
  <>
    Last used <Moment at={at} />.
  </>
);

/** Continues with a session that began with a passkey. */
function ToPasskey() {
  const task = useTask();
  return (
    <div class="stack tight">
      <p class="notice">You logged in with a code. Log in with one of your passkeys to add or remove a passkey.</p>
      <div class="buttons">
        <ActionButton task={task} onAction={logInByPasskey}>
          Log in with passkey
        </ActionButton>
      </div>
      <ErrorNotice error={task.error} />
    </div>
  );
}
