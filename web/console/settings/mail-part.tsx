import { useState } from "preact/hooks";
import { SelectField, TextField } from "../parts/field.tsx";
import { useSending } from "../sending.ts";
import { type PartProps, SettingsPart } from "./part.tsx";

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
    <SettingsPart title="Times, replies and files" sending={sending} changes={changes} onSaved={onSaved} onChanged={onChanged}>
      <div class="columns">
        <TextField
          label="Time zone"
          name="time_zone"
          hint="Such as Europe/Berlin. Used for deadlines. After signing, a signer gets times in their own zone."
          value={time_zone}
          onText={setZone}
          sending={sending}
        />
        <TextField
          label="Contact address"
          name="contact_email"
          type="email"
          optional
          hint="Replies go to the member who sent the envelope or created the API key. If that member has left, they go here."
          value={contact}
          onText={setContact}
          sending={sending}
        />
      </div>
      <SelectField
        label="When everyone has signed"
        name="completed_mail"
        hint="An attached document counts as a copy that was handed out. With automatic vault storage or a secured party it is marked as a copy on every page."
        value={completed_mail}
        choices={[
          ["link", "Send a link to the document"],
          ["attachment", "Send a link and attach the document"],
        ]}
        onChoice={setCompleted}
        sending={sending}
      />
    </SettingsPart>
  );
}
