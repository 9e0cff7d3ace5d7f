import type { CurrentUser, Locale } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { mail } from "../boot.ts";
import { SubmitButton } from "../parts/button.tsx";
import { SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { languages } from "../parts/languages.ts";
import { StatusNotice } from "../parts/status-notice.tsx";
import { showToast } from "../parts/toast.tsx";
import { useSending } from "../sending.ts";
import { renew } from "../session.ts";
import { en } from "../words/own-details/en.ts";

interface DetailsProps {
  readonly person: CurrentUser;
  readonly onChanged: (person: CurrentUser) => void;
}

/** The user's own name and language. */
export function NameAndLanguage({ person, onChanged }: DetailsProps) {
  const sending = useSending();
  const [name, setName] = useState(person.user.name);
  const [locale, setLocale] = useState<Locale | "">(person.locale ?? "");
  const save = async () => {
    const changed = await call("update_me", { body: { name: name.trim(), locale: locale === "" ? null : locale } });
    onChanged(changed);
    setName(changed.user.name);
    // The name is in the frame, too.
    await renew();
    showToast(en.saved);
  };
  return (
    <Form sending={sending} onSend={save}>
      <TextField label={en.name} name="name" required autoComplete="name" maxLength={200} value={name} onText={setName} sending={sending} />
      <SelectField
        label={en.language}
        name="locale"
        hint={en.languageHint}
        choices={[["", en.organization], ...languages]}
        value={locale}
        onChoice={setLocale}
        sending={sending}
      />
      <div class="buttons">
        <SubmitButton sending={sending}>{en.save}</SubmitButton>
      </div>
    </Form>
  );
}

/** The new address counts once the link that is mailed to it was used. */
export function ChangeEmail({ email }: { email: string }) {
  const sending = useSending();
  const [new_email, setEmail] = useState("");
  const [asked, setAsked] = useState("");
  if (mail === "outbox") return <p>{en.email.noMail}</p>;
  const request = async () => {
    await call("request_email_change", { body: { new_email: new_email.trim() } });
    setAsked(new_email.trim());
    setEmail("");
  };
  return (
    <>
      <StatusNotice>{asked !== "" && en.email.asked(asked, email)}</StatusNotice>
      <Form sending={sending} onSend={request}>
        <TextField
          label={en.email.label}
          name="new_email"
          required
          type="email"
          autoComplete="email"
          hint={en.email.hint}
          value={new_email}
          onText={setEmail}
          sending={sending}
        />
        <div class="buttons">
          <SubmitButton sending={sending}>{en.email.button}</SubmitButton>
        </div>
      </Form>
    </>
  );
}
