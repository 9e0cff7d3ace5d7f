import { locales } from "../../shared/locales.ts";
import { words } from "../words/words.ts";
import { type MailText, mailTextKinds } from "./text.ts";

const NAMED = {
  name: "{{recipient_name}}",
  sender: "{{sender_name}}",
  from: "{{sender_name}} ({{organization}})",
  org: "{{organization}}",
  document: "{{envelope_name}}",
};

/** The words that are used without an organization's own, with placeholders, as a text to begin with. */
export const standardTexts: readonly MailText[] = mailTextKinds.flatMap((kind) =>
  locales.map((locale) => {
    const { subject, intro } = words[locale][kind];
    return { kind, locale, subject: subject(NAMED), intro: intro(NAMED), footer: "{{organization}}" };
  }),
);
