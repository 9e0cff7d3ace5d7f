// npm run mails -- <folder>: writes every e-mail to signers in every language, and those to senders, as HTML, text and pictures (light, dark, phone), to look at.
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { chromium } from "@playwright/test";
import { LOGO_ID } from "../server/dist/mail/draw-letter.js";
import { lookOf } from "../server/dist/mail/look.js";
import * as senderMails from "../server/dist/mail/messages/to-sender.js";
import * as mails from "../server/dist/mail/messages/to-signer.js";
import { locales } from "../server/dist/shared/locales.js";
import { startChromium } from "../web/browser/chromium.mjs";

const folder = resolve(process.argv[2] ?? "test-results/mails");
mkdirSync(folder, { recursive: true });

// A square with a white arch, as a mail program gets it: part of the message.
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><rect width="40" height="40" rx="10" fill="#0b6b66"/><path d="M11 28V16a9 9 0 0 1 18 0v12" fill="none" stroke="#fff" stroke-width="3"/></svg>';

const at = new Date("2026-12-13T16:30:00Z");

/** @param {(typeof locales)[number]} locale */
function factsIn(locale) {
  return {
    locale,
    time_zone: "Europe/Berlin",
    look: lookOf({ name: "Harbor Dental Group", has_logo: true, accent: null, accent_text: null }),
    recipient_name: "Nora Winter",
    envelope_name: "Equipment service agreement",
    pages: 3,
    sender_name: "Mara Klein",
    replies_to: "Mara Klein",
    message: "Here is the agreement we discussed on Friday. Please add your service contact and sign. Thank you, Mara",
    expires_at: at,
    mail_subject: null,
    texts: {},
    part: { fields: 2, initials: 1, signatures: 1 },
    url: "https://sign.harbor.example/s/7f3k29qd1b0e4c58a94c7d10f3b82e65#k=8fd2c1b07a4e4f6e9a5d3c2b1a0f9e8d",
  };
}

/** @param {(typeof locales)[number]} locale */
function allIn(locale) {
  const facts = factsIn(locale);
  return [
    mails.invitationToSign(facts),
    mails.yourTurnToSign(facts),
    mails.reminderToSign(facts),
    mails.correctedSigner(facts),
    mails.newLinkForSigner(facts),
    mails.newLinkToCopy({ ...facts, copy_url: facts.url }),
    mails.completedForSigner({ ...facts, copy_url: facts.url, completed_at: at, attached: true }),
    mails.voidedForSigner({ ...facts, reason: "The price has changed." }),
    mails.declinedForSigner(facts),
    mails.expiredForSigner({ ...facts, expired_at: at }),
  ];
}

/** To members, in English. */
function toSenders() {
  const facts = {
    envelope_name: "Equipment service agreement",
    org_name: "Harbor Dental Group",
    url: "https://harbor.example/console/envelopes/1",
  };
  const signer_name = "Nora Winter";
  return [
    senderMails.completedForSender(facts),
    senderMails.declinedForSender({ ...facts, signer_name, reason: "The price has changed." }),
    senderMails.lockedForSender({ ...facts, signer_name }),
    senderMails.expiredForSender({ ...facts, expired_at: at }),
    senderMails.deliveryFailedForSender({ ...facts, signer_name, address: "nora@example.com", task: "sign" }),
  ];
}

const launched = await startChromium((options) => chromium.launch(options));
if ("missing" in launched) throw new Error(launched.missing);
const browser = launched.started;
/** @type {[string, import("@playwright/test").BrowserContextOptions][]} */
const views = [
  ["light", { viewport: { width: 800, height: 700 } }],
  ["dark", { viewport: { width: 800, height: 700 }, colorScheme: "dark" }],
  ["phone", { viewport: { width: 390, height: 700 } }],
];
try {
  for (const [view, options] of views) {
    const page = await browser.newPage(options);
    for (const locale of locales) {
      for (const { kind, subject, text, html } of [...allIn(locale), ...(locale === "en" ? toSenders() : [])]) {
        const name = `${kind.replace("signing_", "")}.${locale}`;
        if (view === "light") {
          writeFileSync(join(folder, `${name}.html`), html);
          writeFileSync(join(folder, `${name}.txt`), `Subject: ${subject}\n\n${text}`);
        }
        await page.setContent(html.replace(`cid:${LOGO_ID}`, `data:image/svg+xml;base64,${Buffer.from(LOGO).toString("base64")}`));
        await page.screenshot({ path: join(folder, `${name}.${view}.png`), fullPage: true });
      }
    }
    await page.close();
  }
} finally {
  await browser.close();
}
console.log(folder);
