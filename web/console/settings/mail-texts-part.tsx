import { mailTextKinds } from "@countersign/client/lists";
import type { Locale, MailText, MailTextKind, MailTextPreview, MailTexts } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { AreaField, SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { languages } from "../parts/languages.ts";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import type { PartProps } from "./part.tsx";

const TITLE = "Words of e-mails";

const kindWords: Record<MailTextKind, string> = {
  invitation: "Invitation to sign",
  reminder: "Reminder",
  completed: "Everyone has signed",
  declined: "Declined",
  voided: "Voided",
  expired: "Expired",
  copy: "Link to a copy",
};

/** The organization's own subject, introduction and footer for each kind of e-mail and language. */
export function MailTextsPart({ onChanged }: Pick<PartProps, "onChanged">) {
  const loaded = useLoad("mail-texts", () => call("list_mail_texts"));
  const [kind, setKind] = useState<MailTextKind>("invitation");
  const [locale, setLocale] = useState<Locale>("en");
  if (loaded.data === null) return <ErrorNotice error={loaded.error} onRetry={loaded.reload} />;
  const all = loaded.data;
  return (
    <Card title={TITLE}>
      <p class="quiet">
        Plain text. Link, deadline and warnings are always included. Placeholders:{" "}
        {all.placeholders.map((name) => `{{${name}}}`).join(", ")}
      </p>
      <div class="columns">
        <SelectField
          label="E-mail"
          name="kind"
          value={kind}
          choices={mailTextKinds.map((one) => [one, `${kindWords[one]}${isOwn(all, one) ? " (changed)" : ""}`] as const)}
          onChoice={setKind}
        />
        <SelectField label="Language" name="locale" value={locale} choices={languages} onChoice={setLocale} />
      </div>
      <TextForm key={`${kind} ${locale}`} all={all} kind={kind} locale={locale} onSaved={loaded.reload} onChanged={onChanged} />
    </Card>
  );
}

const isOwn = ({ texts }: MailTexts, kind: MailTextKind): boolean => texts.some((text) => text.kind === kind);

interface TextFormProps extends Pick<PartProps, "onChanged"> {
  readonly all: MailTexts;
  readonly kind: MailTextKind;
  readonly locale: Locale;
  readonly onSaved: () => Promise<void>;
}

function TextForm({ all, kind, locale, onSaved, onChanged }: TextFormProps) {
  const sending = useSending();
  const isThis = (text: { readonly kind: MailTextKind; readonly locale: Locale }) => text.kind === kind && text.locale === locale;
  const own: MailText | undefined = all.texts.find(isThis);
  const standard = all.standard.find(isThis);
  const [subject, setSubject] = useState(own?.subject ?? "");
  const [intro, setIntro] = useState(own?.intro ?? "");
  const [footer, setFooter] = useState(own?.footer ?? "");
  const [preview, setPreview] = useState<MailTextPreview | null>(null);
  const given = { subject: orNull(subject), intro: orNull(intro), footer: orNull(footer) };
  const isChanged =
    given.subject !== (own?.subject ?? null) || given.intro !== (own?.intro ?? null) || given.footer !== (own?.footer ?? null);
  useEffect(() => {
    onChanged(TITLE, isChanged);
    return () => onChanged(TITLE, false);
  }, [isChanged]);
  const isEmpty = given.subject === null && given.intro === null && given.footer === null;
  const save = async () => {
    if (isEmpty) await call("remove_mail_texts", { query: { kind, locale } });
    else await call("set_mail_text", { body: { kind, locale, ...given } });
    await onSaved();
  };
  const show = async (send: boolean) => setPreview(await call("preview_mail_text", { body: { kind, locale, ...given, send } }));
  return (
    <Form sending={sending} onSend={save} wide>
      <TextField
        label="Subject"
        name="subject"
        optional
        maxLength={200}
        placeholder={standard?.subject ?? ""}
        value={subject}
        onText={setSubject}
        sending={sending}
      />
      <AreaField
        label="Introduction"
        name="intro"
        optional
        maxLength={2000}
        hint={`Standard: ${standard?.intro ?? ""}`}
        value={intro}
        onText={setIntro}
        sending={sending}
      />
      <AreaField
        label="Footer"
        name="footer"
        optional
        maxLength={500}
        hint="Below the e-mail, such as your postal address. Standard: the name of your organization."
        value={footer}
        onText={setFooter}
        sending={sending}
      />
      <div class="save-line">
        <SubmitButton sending={sending}>Save</SubmitButton>
        <ActionButton sending={sending} onAction={() => show(false)}>
          Preview
        </ActionButton>
        <ActionButton sending={sending} onAction={() => show(true)}>
          Send preview
        </ActionButton>
        {isChanged && !sending.isBusy && <p class="quiet">Unsaved changes.</p>}
      </div>
      {preview !== null && (
        <figure class="stack tight">
          <figcaption class="quiet small" role="status">
            {preview.sent_to === null ? "Preview with sample values" : `Preview sent to ${preview.sent_to}`}
          </figcaption>
          <p>
            <strong>{preview.subject}</strong>
          </p>
          <pre class="mail-preview">{preview.text}</pre>
        </figure>
      )}
    </Form>
  );
}

const orNull = (text: string): string | null => (text.trim() === "" ? null : text.trim());
