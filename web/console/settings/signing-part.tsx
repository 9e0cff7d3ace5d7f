import { useState } from "preact/hooks";
import { Checkbox } from "../parts/field.tsx";
import { useSending } from "../sending.ts";
import { type PartProps, SettingsPart } from "./part.tsx";

/** Which links may be used to sign. */
export function SigningPart({ settings, onSaved, onChanged }: PartProps) {
  const sending = useSending();
  const [isMailed, setMailed] = useState(settings.require_mailed_link);
  const changes = isMailed === settings.require_mailed_link ? {} : { require_mailed_link: isMailed };
  return (
    <SettingsPart title="Signing" sending={sending} changes={changes} onSaved={onSaved} onChanged={onChanged}>
      <Checkbox
        label="Require the link in the e-mail"
        checked={isMailed}
        onCheck={setMailed}
        hint="Signers can only sign with the link in the e-mail that the service sent them. Embedded signing and links that you share yourself are rejected. Requires a mail server."
      />
    </SettingsPart>
  );
}
