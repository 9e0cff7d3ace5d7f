import { randomInt } from "node:crypto";
import { expect } from "vitest";
import { onePage, text } from "../../pdf/fixtures/pages.ts";
import { writePdf } from "../../pdf/fixtures/writer.ts";
import type { Answer } from "./client.ts";
import { form } from "./form.ts";
import { mailTo } from "./mail.ts";
import type { TestOrg, TestService } from "./service.ts";

/** Public forms, and the visitors who start them. */

export const consentPdf = writePdf(
  onePage({
    content: [text("Child: {{Child;role=Parent}}", 72, 700), text("{{Signature;role=Parent;type=signature}}", 72, 560)].join(" "),
  }),
);

export interface TestForm {
  readonly form_id: string;
  readonly template_id: string;
  readonly slug: string;
  readonly url: string;
}

export async function newForm(org: TestOrg, settings: object = {}, bytes: Uint8Array = consentPdf): Promise<TestForm> {
  const made = await org.admin("POST", "/partner/templates", form({ name: "Photo consent" }, { bytes }));
  const { template_id } = made.json.data;
  const { status, json } = await org.admin("POST", "/partner/forms", { body: { template_id, settings } });
  expect([status, json.details]).toEqual([201, undefined]);
  const { form_id, url } = json.data;
  return { form_id, template_id, url, slug: url.split("/f/")[1] };
}

/** A visitor with an address of their own, behind a proxy that the service trusts. */
export const newIp = (): string => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

export const visitor = (email = "ann@example.com", more: object = {}) => ({ name: "Ann Lee", email, locale: "en", ...more });

export const start = (service: TestService, slug: string, body: object = visitor(), ip: string = newIp()): Promise<Answer> =>
  service.send("POST", `/forms/${slug}/start`, { body, headers: { "x-forwarded-for": ip } });

export const confirm = (service: TestService, slug: string, code: string, ip: string = newIp()): Promise<Answer> =>
  service.send("POST", `/forms/${slug}/confirm`, { body: { code }, headers: { "x-forwarded-for": ip } });

/** The codes in the mails to an address, oldest first. */
export async function codesTo(service: TestService, email: string): Promise<string[]> {
  return (await mailTo(service, email, "form_link")).map(
    ({ text: mail }) => /\/f\/[0-9a-f]{32}\?lang=\w+#c=([0-9a-f]{32})/.exec(mail)?.[1] ?? "",
  );
}

/** Starts the form and opens the link of the mail. */
export async function confirmed(service: TestService, slug: string, email: string): Promise<string> {
  expect((await start(service, slug, visitor(email))).status).toBe(202);
  const code = (await codesTo(service, email)).at(-1) ?? expect.fail("no mail");
  const { status, json } = await confirm(service, slug, code);
  expect([status, json.error]).toEqual([200, undefined]);
  return json.data.embed_url;
}
