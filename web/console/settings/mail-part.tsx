import { useState } from "preact/hooks";
import { SelectField, TextField } from "../parts/field.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/mail-settings/en.ts";
import { type PartProps, SettingsPart } from "./part.tsx";

const words = en.times;

/** Times, replies and the file of e-mails. */
export function MailPart({ settings, onSaved, onChanged }: PartProps) {
  const sending = useSending();
  const [time_zone, setZone] = useState(settings.time_zone);
  const [contact, setContact] = useState(settings.contact_email ?? "");
  const [completed_mail, setCompleted] = useState(settings.completed_mail);
  const changes = {
    ...(time_zone.trim() !== settings.time_zone && { time_zone: time_zone.trim() }),
    ...(contact.trim() !== (settings.contact_email ?? "") && { contact_email: contact.trim() === "" ? null : contact.trim() }),
    ...(completed_mail !== settings.completed_mail && { completed_mail }),
  };
  return (
    <SettingsPart title={words.title} sending={sending} changes={changes} onSaved={onSaved} onChanged={onChanged}>
      <div class="columns">
        <TextField label={words.zone} name="time_zone" hint={words.zoneHint} value={time_zone} onText={setZone} sending={sending} />
        <TextField
          label={words.contact}
          name="contact_email"
          type="email"
          optional
          hint={words.contactHint}
          value={contact}
          onText={setContact}
          sending={sending}
        />
      </div>
      <SelectField
        label={words.completed}
        name="completed_mail"
        hint={words.completedHint}
        value={completed_mail}
        choices={[
          ["link", words.link],
          ["attachment", words.attachment],
        ]}
        onChoice={setCompleted}
        sending={sending}
      />
    </SettingsPart>
  );
}
