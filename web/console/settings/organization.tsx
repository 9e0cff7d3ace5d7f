import type { OrganizationSettings } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { SelectField, TextField } from "../parts/field.tsx";
import { languages } from "../parts/languages.ts";
import { useSending } from "../sending.ts";
import { me, renew } from "../session.ts";
import { en } from "../words/settings/en.ts";
import { type PartProps, SettingsPart } from "./part.tsx";

const words = en.organization;

export function OrganizationPart({ settings, onSaved, onChanged }: PartProps) {
  const sending = useSending();
  const [name, setName] = useState(settings.name);
  const [default_locale, setLocale] = useState(settings.default_locale);
  const changes = {
    ...(name !== settings.name && { name }),
    ...(default_locale !== settings.default_locale && { default_locale }),
  };
  const saved = (now: OrganizationSettings) => {
    setName(now.name);
    onSaved(now);
    // The menu shows the name from the session.
    if (now.name !== me().org.name) void renew().catch(() => undefined);
  };
  return (
    <SettingsPart title={words.title} sending={sending} changes={changes} onSaved={saved} onChanged={onChanged}>
      <div class="columns">
        <TextField
          label={words.name}
          name="name"
          required
          autoComplete="organization"
          hint={words.nameHint}
          value={name}
          onText={setName}
          sending={sending}
        />
        <SelectField
          label={words.language}
          name="default_locale"
          hint={words.languageHint}
          value={default_locale}
          choices={languages}
          onChoice={setLocale}
          sending={sending}
        />
      </div>
    </SettingsPart>
  );
}
