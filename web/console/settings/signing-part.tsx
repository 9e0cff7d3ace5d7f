import { useState } from "preact/hooks";
import { Checkbox } from "../parts/field.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/settings/en.ts";
import { type PartProps, SettingsPart } from "./part.tsx";

const words = en.signing;

/** Which links may be used to sign. */
export function SigningPart({ settings, onSaved, onChanged }: PartProps) {
  const sending = useSending();
  const [isMailed, setMailed] = useState(settings.require_mailed_link);
  const changes = isMailed === settings.require_mailed_link ? {} : { require_mailed_link: isMailed };
  return (
    <SettingsPart title={words.title} sending={sending} changes={changes} onSaved={onSaved} onChanged={onChanged}>
      <Checkbox label={words.mailed} checked={isMailed} onCheck={setMailed} hint={words.mailedHint} />
    </SettingsPart>
  );
}
