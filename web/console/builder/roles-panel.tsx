import { useState } from "preact/hooks";
import { TextField } from "../parts/field.tsx";
import { en as words } from "../words/builder/en.ts";
import { type Editor, edit, select } from "./editor.ts";
import { addRole, renameRole } from "./edits.ts";
import { Letter } from "./letter.tsx";
import { markOf } from "./roles.ts";

/** The roles. A signer is assigned to each role when the document is sent. */
export function RolesPanel({ editor }: { editor: Editor }) {
  const { doc, role, isReadOnly } = editor;
  const { roles } = doc.value;
  const [renamed, setRenamed] = useState<string | null>(null);
  const add = (name: string) => {
    edit(editor, addRole(doc.peek(), name), { say: words.roleAdded(name) });
    role.value = name;
  };
  const rename = (from: string, to: string) => {
    edit(editor, renameRole(doc.peek(), from, to), { say: words.renamed(from, to) });
    if (role.peek() === from) role.value = to;
    setRenamed(null);
  };
  return (
    <section class="panel stack tight" aria-label={words.roles}>
      <h2>{words.roles}</h2>
      {roles.length === 0 && <p class="quiet small">{words.firstRole(role.value)}</p>}
      <ul class="roles">
        {roles.map((name) =>
          renamed === name ? (
            <li key={name}>
              <NameForm label={words.newName(name)} value={name} button={words.rename} onName={(to) => rename(name, to)} />
            </li>
          ) : (
            <RoleLine key={name} editor={editor} name={name} onRename={() => setRenamed(name)} />
          ),
        )}
      </ul>
      {!isReadOnly && <NameForm label={words.newRole} value="" button={words.addRole} onName={add} />}
    </section>
  );
}

function RoleLine({ editor, name, onRename }: { editor: Editor; name: string; onRename: () => void }) {
  const { doc, isReadOnly } = editor;
  const { letter, colour } = markOf(name, doc.value.roles);
  const keys = new Set(doc.value.fields.filter((field) => field.role === name).map(({ key }) => key));
  const selectAll = () => {
    select(
      editor,
      doc
        .peek()
        .boxes.filter((box) => keys.has(box.field))
        .map(({ id }) => id),
    );
    editor.announcement.value = words.allSelected(name);
  };
  return (
    <li class={`role-line role-${colour}`}>
      <Letter letter={letter} />
      <span class="role-name">{name}</span>
      <button
        type="button"
        class="text-button"
        disabled={keys.size === 0}
        aria-label={words.selectAll(keys.size, name)}
        onClick={selectAll}
      >
        {words.fields(keys.size)}
      </button>
      {!isReadOnly && (
        <button type="button" class="text-button" aria-label={words.renameOne(name)} onClick={onRename}>
          {words.rename}
        </button>
      )}
    </li>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly value: string;
  readonly button: string;
  readonly onName: (name: string) => void;
}

function NameForm({ label, value, button, onName }: NameFormProps) {
  const [name, setName] = useState(value);
  return (
    <form
      class="name-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() === "") return;
        onName(name.trim());
        setName(value);
      }}
    >
      <TextField label={label} name="role_name" value={name} onText={setName} autoComplete="off" maxLength={100} />
      <button type="submit" class="button">
        {button}
      </button>
    </form>
  );
}
