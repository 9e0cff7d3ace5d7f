import { placeableFieldTypes } from "@countersign/client/lists";
import type { PlaceableFieldType } from "@countersign/client/types";
import { Chip } from "../parts/chip.tsx";
import { Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { lazy } from "../parts/lazy.tsx";
import { en as words } from "../words/field-panel/en.ts";
import { nameOf } from "./announcements.ts";
import { DefaultValue } from "./default-value.tsx";
import { type Editor, edit } from "./editor.ts";
import { editField } from "./edits.ts";
import { type Box, canBeCreated, type Field, isLabel, ofType, typeNames } from "./field.ts";
import { FieldSettingsPart } from "./field-settings.tsx";
import { duplicate, remove } from "./keys.ts";
import { PlaceInputs } from "./place-inputs.tsx";

const CopyToPages = lazy(async () => (await import("./copy-to-pages.tsx")).CopyToPages);

/** The settings of the selected field. */
export function FieldPanel({ editor, field, box }: { editor: Editor; field: Field; box: Box }) {
  const { doc, work, isReadOnly } = editor;
  const put = (changes: Partial<Field>, part: string | null = null) =>
    edit(editor, editField(doc.peek(), field.key, changes), { part: part === null ? null : `${part} ${field.key}`, say: "" });
  const fieldErrors = work.value.fieldErrors.filter((one) => one.field === field.key);
  const errorOf = (part: string) => fieldErrors.find((one) => one.part === part)?.message ?? null;
  const isShownBelow = (part: string) => ["name", "role", "default_value", "options"].includes(part) || part.startsWith("settings.");
  const elsewhere = fieldErrors.filter(({ part }) => !isShownBelow(part));
  const count = doc.value.boxes.filter((one) => one.field === field.key).length;
  return (
    <section class="panel stack" aria-label={words.one}>
      <div class="panel-head">
        <h2>{nameOf(field)}</h2>
        <Origin field={field} />
      </div>
      {elsewhere.map(({ part, message }) => (
        <p key={`${part} ${message}`} class="error">
          {`${part} ${message}`}
        </p>
      ))}
      <fieldset class="stack" disabled={isReadOnly}>
        <TextField
          label={words.name}
          name="field_name"
          value={field.name}
          onText={(name) => put({ name }, "name")}
          error={errorOf("name")}
          autoComplete="off"
        />
        <TypeField editor={editor} field={field} onType={(type) => put(ofOtherType(field, type, doc.peek().roles))} />
        {!isLabel(field) && (
          <>
            <RoleField editor={editor} field={field} error={errorOf("role")} onRole={(role) => put({ role })} />
            <Checkbox label={words.required} checked={field.required} onCheck={(required) => put({ required })} />
          </>
        )}
        <FieldSettingsPart
          field={field}
          errorOf={errorOf}
          onChange={(changes, part) => put({ ...changes, ...followOf(field, changes) }, part)}
        />
        <DefaultValue field={field} error={errorOf("default_value")} onValue={(default_value) => put({ default_value }, "default")} />
        {count > 1 && <p class="quiet small">{words.repeated(count)}</p>}
        <PlaceInputs editor={editor} box={box} />
      </fieldset>
      {!isReadOnly && (
        <>
          <CopyToPages editor={editor} />
          <div class="buttons">
            <button type="button" class="button" onClick={() => duplicate(editor)}>
              {words.duplicate}
            </button>
            <button type="button" class="button danger" onClick={() => remove(editor)}>
              {words.remove}
            </button>
          </div>
        </>
      )}
    </section>
  );
}

const ofOtherType = ({ role, required }: Field, type: PlaceableFieldType, roles: readonly string[]): Partial<Field> => ({
  ...ofType(type, role ?? roles[0] ?? null),
  required: required && !isLabel({ type }),
});

/** A field that the sender fills in is locked for its signer, and a day that is filled in at signing has no default. */
function followOf(field: Field, { settings }: Partial<Field>): Partial<Field> {
  if (settings === undefined) return {};
  const [was, is] = [field.settings.sender_fills === true, settings.sender_fills === true];
  return { ...(was !== is && { readonly: is }), ...(settings.fill !== undefined && { default_value: null }) };
}

function Origin({ field }: { field: Field }) {
  if (field.anchor !== null)
    return <Chip tone="going">{field.anchor.requested === null ? words.byText : words.byTextOf(field.anchor.requested.anchor_text)}</Chip>;
  if (!canBeCreated(field)) return <Chip>{words.byTag}</Chip>;
  return null;
}

interface TypeFieldProps {
  readonly editor: Editor;
  readonly field: Field;
  readonly onType: (type: PlaceableFieldType) => void;
}

/** The type can be changed only before the first save. */
function TypeField({ editor, field, onType }: TypeFieldProps) {
  const isNew = !editor.work.value.known.has(field.key);
  if (isNew && canBeCreated(field)) {
    return (
      <SelectField
        label={words.type}
        name="field_type"
        value={field.type as PlaceableFieldType}
        choices={placeableFieldTypes.map((type) => [type, typeNames[type]] as const)}
        onChoice={onType}
      />
    );
  }
  return <p class="small">{field.readonly ? words.readOnly(typeNames[field.type]) : typeNames[field.type]}</p>;
}

interface RoleFieldProps {
  readonly editor: Editor;
  readonly field: Field;
  readonly error: string | null;
  readonly onRole: (role: string) => void;
}

function RoleField({ editor, field, error, onRole }: RoleFieldProps) {
  const roles = editor.doc.value.roles;
  const choices = roles.map((role) => [role, role] as const);
  return (
    <div>
      <SelectField
        label={words.role}
        name="field_role"
        value={field.role ?? ""}
        choices={field.role === null ? [["", words.firstSigner], ...choices] : choices}
        onChoice={(role) => role !== "" && onRole(role)}
      />
      {error !== null && <p class="error">{words.roleFault(error)}</p>}
    </div>
  );
}
