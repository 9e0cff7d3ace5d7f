import { type Static, Type } from "typebox";
import { type Endpoint, endpoint, reading } from "../../http/endpoint.ts";
import { about, iso, LocaleName, named, nullable, Timestamp } from "../../http/shapes.ts";
import type { MailDeps } from "../message.ts";
import { previewText } from "./preview-text.ts";
import { removeTexts } from "./remove-texts.ts";
import { setText } from "./set-text.ts";
import { standardTexts } from "./standard-texts.ts";
import { listTexts, type StoredText } from "./store.ts";
import { type MailText, mailTextKinds, placeholders } from "./text.ts";

const Kind = named("MailTextKind", Type.Enum([...mailTextKinds]));
const where = { kind: Kind, locale: LocaleName };
const Part = (maxLength: number) => Type.Optional(nullable(Type.String({ minLength: 1, maxLength })));
const PLACEHOLDERS = `Plain text. It can contain ${placeholders.map((name) => `{{${name}}}`).join(", ")}`;
const parts = {
  subject: about(Part(200), `${PLACEHOLDERS}. Null: the standard subject`),
  intro: about(Part(2_000), `${PLACEHOLDERS}. Null: the standard introduction`),
  footer: about(Part(500), `Below the message, such as your postal address. ${PLACEHOLDERS}. Null: the organization's name`),
};
const TextBody = Type.Object({ ...where, ...parts });
const shown = { ...where, subject: nullable(Type.String()), intro: nullable(Type.String()), footer: nullable(Type.String()) };
const TextView = named("MailText", Type.Object({ ...shown, updated_at: Timestamp }));
const StandardView = named("StandardMailText", Type.Object(shown));
const ListView = named(
  "MailTexts",
  Type.Object({
    texts: about(Type.Array(TextView), "The organization's own words"),
    standard: about(Type.Array(StandardView), "The standard words of every kind in every language, with placeholders"),
    placeholders: Type.Array(Type.String()),
  }),
);
const RemovedView = named("RemovedMailTexts", Type.Object({ removed: Type.Literal(true) }));
const PreviewView = named(
  "MailTextPreview",
  Type.Object({
    subject: Type.String(),
    text: Type.String(),
    html: Type.String(),
    sent_to: about(nullable(Type.String()), "Your address, if the preview was mailed"),
  }),
);

const request = {
  kind: "invitation",
  locale: "en",
  subject: "{{organization}} needs your signature: {{envelope_name}}",
  intro: "Dear {{recipient_name}},\n{{sender_name}} has prepared a document for you.",
  footer: "Acme, 8 Quay Street, 20457 Hamburg",
} as const;
const stored = { ...request, updated_at: "2026-01-05T09:30:00.000Z" };
const preview = {
  subject: "Acme needs your signature: Service agreement",
  text: "Hello Ada, please review and sign\n",
  html: "<!doctype html>",
  sent_to: "ada@example.com",
};

const shared = { resource: "Organization", access: { permission: "mail:manage" }, path: "/org/mail-texts" } as const;

const textOf = ({ kind, locale, subject = null, intro = null, footer = null }: Static<typeof TextBody>): MailText => ({
  kind,
  locale,
  subject,
  intro,
  footer,
});

const present = ({ kind, locale, subject, intro, footer, updated_at }: StoredText) => ({
  kind,
  locale,
  subject,
  intro,
  footer,
  updated_at: iso(updated_at),
});

/** The organization's own words in e-mails to signers. The link of a preview leads to the console. */
export function mailTextEndpoints(deps: MailDeps, pages: { readonly consoleUrl: string }): Endpoint[] {
  return [
    reading({
      name: "list_mail_texts",
      summary: "List the words of e-mails",
      description:
        "Returns the organization's own words for e-mails to signers, the standard words of every kind in every language, and the placeholders that both can contain.",
      sdk: "mailTexts.list",
      ...shared,
      answer: [200, ListView],
      examples: {
        answer: {
          texts: [stored],
          standard: [
            {
              kind: "invitation",
              locale: "en",
              subject: "{{sender_name}} asks you to sign: {{envelope_name}}",
              intro: "{{sender_name}} ({{organization}}) has sent you a document to read and sign.",
              footer: "{{organization}}",
            },
          ],
          placeholders: [...placeholders],
        },
      },
      run: async ({ org }, _input, read) => ({
        texts: (await listTexts(read, org)).map(present),
        standard: standardTexts.map(({ kind, locale, subject, intro, footer }) => ({ kind, locale, subject, intro, footer })),
        placeholders: [...placeholders],
      }),
    }),
    endpoint({
      name: "set_mail_text",
      summary: "Set the words of an e-mail",
      description:
        "Replaces subject, introduction and footer of one kind of e-mail in one language. What you leave out is standard. Markup is shown as text. Link, deadline and warnings cannot be changed. A placeholder that does not exist returns 422 with its name.",
      sdk: "mailTexts.set",
      method: "PUT",
      ...shared,
      body: TextBody,
      answer: [200, TextView],
      examples: { request, answer: stored },
      run: async (admin, { body }) => present(await setText(deps, admin, textOf(body))),
    }),
    endpoint({
      name: "remove_mail_texts",
      summary: "Restore the standard words of e-mails",
      description:
        "Removes the organization's own words for one kind of e-mail in one language; without `kind` or `locale`, for every kind or language. Removing them again changes nothing.",
      sdk: "mailTexts.remove",
      method: "DELETE",
      ...shared,
      query: Type.Partial(Type.Object(where)),
      answer: [200, RemovedView],
      examples: { answer: { removed: true } },
      run: async (admin, { query: { kind = null, locale = null } }) => {
        await removeTexts(deps, admin, kind, locale);
        return { removed: true } as const;
      },
    }),
    endpoint({
      name: "preview_mail_text",
      summary: "Preview the words of an e-mail",
      description:
        "Returns an e-mail of one kind with the given words and sample values. With `send`, it is also mailed to you, and to no one else. Its link opens no document.",
      sdk: "mailTexts.preview",
      method: "POST",
      ...shared,
      path: "/org/mail-texts/preview",
      body: Type.Object({ ...where, ...parts, send: Type.Optional(Type.Boolean()) }),
      answer: [200, PreviewView],
      examples: { request: { ...request, send: true }, answer: preview },
      run: async (admin, { body: { send = false, ...body } }) => {
        const { subject, text, html, sent_to } = await previewText(deps, admin, textOf(body), { url: pages.consoleUrl, send });
        return { subject, text, html, sent_to };
      },
    }),
  ];
}
