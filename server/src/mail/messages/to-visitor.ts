import type { Locale } from "../../shared/locales.ts";
import type { Look } from "../look.ts";
import type { Words } from "../message.ts";
import { words } from "../words/words.ts";
import { writeLetter } from "../write-letter.ts";
import { named } from "./envelope.ts";

export interface FormFacts {
  readonly locale: Locale;
  readonly look: Look;
  readonly form_name: string;
  /** the name of the organization that a reply goes to; null if replies go nowhere */
  readonly replies_to: string | null;
  readonly url: string;
}

/** To the address that a visitor entered on a public form. It has no text of the visitor, not even the name: the visitor may be another person. */
export function formLink({ locale, look, form_name, replies_to, url }: FormFacts): Words {
  const w = words[locale];
  const org = named(look.org_name);
  const document = named(form_name);
  const all = { name: "", sender: org, from: org, org, document };
  return writeLetter({
    kind: "form_link",
    locale,
    look: { ...look, org_name: org },
    subject: w.form.subject(all),
    heading: w.form.heading,
    opening: [w.form.intro(all)],
    facts: [{ label: w.facts.document, value: document }],
    link: { lead: w.openDocument, button: w.openDocument, url, fails: w.buttonFails },
    closing: [w.form.validFor, ...(replies_to === null ? [] : [w.questions(named(replies_to))])],
    notices: [w.personal, w.form.notYou],
    footer: [org, w.sentWith],
  });
}
