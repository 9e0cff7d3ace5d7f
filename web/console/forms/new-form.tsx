import type { Form, TemplateSummary } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call, list } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { Form as FormBox } from "../parts/form.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { useWhenChanged } from "../when-changed.ts";
import { en as w } from "../words/forms/en.ts";
import { type EditedPerson, peopleFor, recipientsFrom } from "./people.ts";
import { PeopleFields } from "./people-fields.tsx";

interface NewFormProps {
  /** empty: the user chooses one */
  readonly template_id: string;
  readonly onClose: () => void;
  readonly onCreated: (form: Form) => void;
}

// The newest; a form of an older one is made from the template's own screen.
const MOST_TEMPLATES = 100;

export function NewFormDialog({ template_id: first, onClose, onCreated }: NewFormProps) {
  const sending = useSending();
  const [template_id, setTemplate] = useState(first);
  const [name, setName] = useState("");
  const [visitor_role, setRole] = useState("");
  const [verify_email, setVerify] = useState(true);
  const [people, setPeople] = useState<readonly EditedPerson[]>([]);
  const templates = useLoad("templates of forms", () => list("list_templates", { query: { page: 1, limit: MOST_TEMPLATES } }));
  const chosen = useLoad(`template ${template_id}`, async () =>
    template_id === "" ? null : call("get_template", { params: { template_id } }),
  );
  const roles = chosen.data?.roles ?? [];
  useWhenChanged(chosen.data?.template_id ?? "", () => {
    const [role = ""] = roles;
    setName(chosen.data?.name ?? "");
    setRole(role);
    setPeople(peopleFor(roles, role));
  });
  const choose = (role: string) => {
    setRole(role);
    setPeople(peopleFor(roles, role));
  };
  const send = async () => {
    const settings = { verify_email, recipients: recipientsFrom(people), ...(visitor_role !== "" && { visitor_role }) };
    onCreated(await call("create_form", { body: { template_id, ...(name.trim() !== "" && { name: name.trim() }), settings } }));
  };
  return (
    <Dialog title={w.createTitle} onClose={onClose}>
      <FormBox sending={sending} onSend={send}>
        <ErrorNotice error={templates.error ?? chosen.error} onRetry={chosen.error === null ? templates.reload : chosen.reload} />
        <SelectField
          label={w.fields.template}
          name="template_id"
          required
          value={template_id}
          choices={choicesWith(templates.data?.data ?? [], chosen.data)}
          onChoice={setTemplate}
          sending={sending}
        />
        <TextField label={w.fields.name} name="name" value={name} onText={setName} hint={w.fields.nameHint} sending={sending} />
        {roles.length > 0 && (
          <SelectField
            label={w.fields.role}
            name="settings.visitor_role"
            value={visitor_role}
            choices={roles.map((role) => [role, role] as const)}
            onChoice={choose}
            sending={sending}
          />
        )}
        <Checkbox
          label={w.fields.verify}
          checked={verify_email}
          onCheck={setVerify}
          hint={verify_email ? w.fields.verifyHint : w.fields.noVerifyHint}
        />
        <PeopleFields people={people} roles={roles.filter((role) => role !== visitor_role)} onChange={setPeople} sending={sending} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {w.cancel}
          </button>
          <SubmitButton sending={sending}>{w.createButton}</SubmitButton>
        </div>
      </FormBox>
    </Dialog>
  );
}

type Named = Readonly<Pick<TemplateSummary, "template_id" | "name">>;

/** The chosen template is in the list even if it is older than those that were loaded. */
function choicesWith(templates: readonly Named[], chosen: Named | null): (readonly [string, string])[] {
  const isListed = chosen === null || templates.some(({ template_id }) => template_id === chosen.template_id);
  const all = isListed || chosen === null ? templates : [chosen, ...templates];
  return [["", w.fields.chooseTemplate], ...all.map(({ template_id, name }) => [template_id, name] as const)];
}
