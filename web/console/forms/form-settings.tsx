import type { Form, FormSettingsBody } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { changedIn } from "../parts/changed.ts";
import { AreaField, Checkbox, SelectField, TextField } from "../parts/field.tsx";
import { Form as FormBox } from "../parts/form.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { useSending } from "../sending.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as w } from "../words/forms/en.ts";
import { inputTime, momentOf } from "../zone-inputs.ts";
import { editedPeople, recipientsFrom } from "./people.ts";
import { PeopleFields } from "./people-fields.tsx";

interface FormSettingsProps {
  readonly form: Form;
  readonly onSaved: (form: Form) => void;
}

const editedOf = ({ name, settings }: Form) => ({
  name,
  visitor_role: settings.visitor_role,
  verify_email: settings.verify_email,
  max_per_day: String(settings.max_per_day),
  max_total: settings.max_total === null ? "" : String(settings.max_total),
  closes_at: settings.closes_at === null ? "" : inputTime(settings.closes_at),
  success_text: settings.success_text ?? "",
  people: editedPeople(settings.recipients),
});
type Edited = ReturnType<typeof editedOf>;

const numberOrNull = (text: string): number | null => (text.trim() === "" ? null : Number(text));

const settingsFrom = (edited: Edited): FormSettingsBody => ({
  visitor_role: edited.visitor_role,
  verify_email: edited.verify_email,
  max_per_day: Number(edited.max_per_day),
  max_total: numberOrNull(edited.max_total),
  closes_at: edited.closes_at === "" ? null : momentOf(edited.closes_at),
  success_text: edited.success_text.trim() === "" ? null : edited.success_text,
  recipients: recipientsFrom(edited.people),
});

export function FormSettingsCard({ form, onSaved }: FormSettingsProps) {
  const { form_id, template_id } = form;
  const sending = useSending();
  const [before, setBefore] = useState(() => editedOf(form));
  const [edited, setEdited] = useState(before);
  const [isChanged, setChanged] = useState(false);
  const template = useLoad(`template ${template_id}`, () => call("get_template", { params: { template_id } }));
  const { notice } = useLeaving(() => (isChanged ? w.unsaved : null));
  const change = (changed: Partial<Edited>) => {
    setEdited((now) => ({ ...now, ...changed }));
    setChanged(true);
  };
  const save = async () => {
    const settings = changedIn(settingsFrom(edited), settingsFrom(before));
    const body = { ...(edited.name !== before.name && { name: edited.name.trim() }), settings };
    const saved = await call("update_form", { params: { form_id }, body });
    setBefore(editedOf(saved));
    setEdited(editedOf(saved));
    setChanged(false);
    onSaved(saved);
  };
  const roles = [...new Set([edited.visitor_role, ...(template.data?.roles ?? [])])];
  const mayChange = may("envelopes:write");
  return (
    <Card title={w.settings}>
      {notice}
      <FormBox sending={sending} onSend={save} wide>
        <fieldset class="stack plain-fields" disabled={!mayChange}>
          <TextField
            label={w.fields.name}
            name="name"
            required
            value={edited.name}
            onText={(name) => change({ name })}
            hint={w.fields.nameHint}
            sending={sending}
          />
          <SelectField
            label={w.fields.role}
            name="settings.visitor_role"
            value={edited.visitor_role}
            choices={roles.map((role) => [role, role] as const)}
            onChoice={(visitor_role) => change({ visitor_role })}
            sending={sending}
          />
          <Checkbox
            label={w.fields.verify}
            checked={edited.verify_email}
            onCheck={(verify_email) => change({ verify_email })}
            hint={edited.verify_email ? w.fields.verifyHint : w.fields.noVerifyHint}
          />
          <div class="columns">
            <TextField
              label={w.fields.perDay}
              name="settings.max_per_day"
              required
              type="number"
              min={1}
              value={edited.max_per_day}
              onText={(max_per_day) => change({ max_per_day })}
              sending={sending}
            />
            <TextField
              label={w.fields.total}
              name="settings.max_total"
              type="number"
              min={1}
              value={edited.max_total}
              onText={(max_total) => change({ max_total })}
              hint={w.fields.totalHint}
              sending={sending}
              optional
            />
            <TextField
              label={w.fields.closes}
              name="settings.closes_at"
              type="datetime-local"
              value={edited.closes_at}
              onText={(closes_at) => change({ closes_at })}
              hint={w.fields.closesHint}
              sending={sending}
              optional
            />
          </div>
          <AreaField
            label={w.fields.success}
            name="settings.success_text"
            value={edited.success_text}
            onText={(success_text) => change({ success_text })}
            hint={w.fields.successHint}
            maxLength={1_000}
            sending={sending}
            optional
          />
          <PeopleFields
            people={edited.people}
            roles={roles.filter((role) => role !== edited.visitor_role)}
            onChange={(people) => change({ people: [...people] })}
            sending={sending}
          />
        </fieldset>
        {mayChange && (
          <div class="stack tight">
            <div class="buttons">
              <SubmitButton sending={sending}>{w.save}</SubmitButton>
            </div>
            <p class="quiet small">{w.unchanged}</p>
          </div>
        )}
      </FormBox>
    </Card>
  );
}
