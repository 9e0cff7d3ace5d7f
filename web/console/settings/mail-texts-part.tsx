import { mailTextKinds } from "@countersign/client/lists";
import type { Locale, MailText, MailTextKind, MailTextPreview, MailTexts } from "@countersign/client/types";
import { useEffect, useState } from "preact/hooks";
import { call } from "../api.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { AreaField, SelectField, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { languages } from "../parts/languages.ts";
import { Pending } from "../parts/pending.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/mail-settings/en.ts";
import { en as settings } from "../words/settings/en.ts";
import type { PartProps } from "./part.tsx";

const words = en.texts;
const TITLE = words.title;
const kindWords: Record<MailTextKind, string> = words.kinds;

/** The organization's own subject, introduction and footer for each kind of e-mail and language. */
export function MailTextsPart({ onChanged }: Pick<PartProps, "onChanged">) {
  const loaded = useLoad("mail-texts", () => call("list_mail_texts"));
  const [kind, setKind] = useState<MailTextKind>("invitation");
  const [locale, setLocale] = useState<Locale>("en");
  if (loaded.data === null)
    return (
      <Card title={TITLE}>
        <Pending of={loaded} />
      </Card>
    );
  const all = loaded.data;
  return (
    <Card title={TITLE}>
      <p class="quiet">
        {words.lead} {all.placeholders.map((name) => `{{${name}}}`).join(", ")}
      </p>
      <div class="columns">
        <SelectField
          label={words.kind}
          name="kind"
          value={kind}
          choices={mailTextKinds.map((one) => [one, isOwn(all, one) ? words.changed(kindWords[one]) : kindWords[one]] as const)}
          onChoice={setKind}
        />
        <SelectField label={words.language} name="locale" value={locale} choices={languages} onChoice={setLocale} />
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
        label={words.subject}
        name="subject"
        optional
        maxLength={200}
        placeholder={standard?.subject ?? ""}
        value={subject}
        onText={setSubject}
        sending={sending}
      />
      <AreaField
        label={words.intro}
        name="intro"
        optional
        maxLength={2000}
        hint={words.introHint(standard?.intro ?? "")}
        value={intro}
        onText={setIntro}
        sending={sending}
      />
      <AreaField
        label={words.footer}
        name="footer"
        optional
        maxLength={500}
        hint={words.footerHint}
        value={footer}
        onText={setFooter}
        sending={sending}
      />
      <div class="save-line">
        <SubmitButton sending={sending}>{settings.save}</SubmitButton>
        <ActionButton sending={sending} onAction={() => show(false)}>
          {words.preview}
        </ActionButton>
        <ActionButton sending={sending} onAction={() => show(true)}>
          {words.send}
        </ActionButton>
        {isChanged && !sending.isBusy && <p class="quiet">{settings.unsaved}</p>}
      </div>
      {preview !== null && (
        <figure class="stack tight">
          <figcaption class="quiet small" role="status">
            {preview.sent_to === null ? words.sample : words.sent(preview.sent_to)}
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
