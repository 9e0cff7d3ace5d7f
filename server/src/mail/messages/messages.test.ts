import { describe, expect, test } from "vitest";
import fc from "../../../../testing/properties.ts";
import * as accountMails from "../../orgs/messages.ts";
import * as actMails from "../../vault/acts/messages.ts";
import * as personMails from "../../vault/people/messages.ts";
import { MAX_QUOTE_CHARACTERS } from "../letter.ts";
import type { Words } from "../message.ts";
import * as senderMails from "./to-sender.ts";
import * as signerMails from "./to-signer.ts";

const { declinedForSender, deliveryFailedForSender } = senderMails;
const { correctedSigner, declinedForSigner, expiredForSigner, invitationToSign, voidedForSigner } = signerMails;

const at = new Date("2026-03-04T05:06:07.089Z");
const url = "https://sign.example.com/s/abc?lang=en#token=x&y";

interface Texts {
  readonly envelope_name: string;
  readonly org_name: string;
  /** free text: the sender's message, reasons, names of signers */
  readonly said: string;
}

type Mails = typeof accountMails & typeof actMails & typeof personMails & typeof senderMails & typeof signerMails;

/** Every kind of message, made from the same values. A message that is not listed here does not compile. */
function allMessages({ envelope_name, org_name, said }: Texts): Words[] {
  const signing = { envelope_name, org_name, url, expires_at: at };
  const envelope = { envelope_name, org_name, url };
  const mails: { [Name in keyof Mails]: Words } = {
    invitationToSign: invitationToSign({ ...signing, message: said }),
    yourTurnToSign: signerMails.yourTurnToSign({ ...signing, message: said }),
    reminderToSign: signerMails.reminderToSign(signing),
    correctedSigner: signerMails.correctedSigner(signing),
    newLinkForSigner: signerMails.newLinkForSigner(signing),
    newLinkToCopy: signerMails.newLinkToCopy({ envelope_name, org_name, copy_url: url }),
    completedForSigner: signerMails.completedForSigner({ envelope_name, org_name, copy_url: url }),
    voidedForSigner: signerMails.voidedForSigner({ envelope_name, org_name, reason: said }),
    declinedForSigner: declinedForSigner({ envelope_name, org_name }),
    expiredForSigner: signerMails.expiredForSigner({ envelope_name, org_name, expired_at: at }),
    completedForSender: senderMails.completedForSender(envelope),
    declinedForSender: declinedForSender({ ...envelope, signer_name: said, reason: said }),
    lockedForSender: senderMails.lockedForSender({ ...envelope, signer_name: said }),
    paperRequestedForSender: senderMails.paperRequestedForSender({ ...envelope, signer_name: said }),
    expiredForSender: senderMails.expiredForSender({ ...envelope, expired_at: at }),
    deliveryFailedForSender: deliveryFailedForSender({ ...envelope, signer_name: said, address: said, task: "sign" }),
    invitationMail: accountMails.invitationMail(org_name, url),
    emailCodeMail: accountMails.emailCodeMail("123456"),
    passwordResetMail: accountMails.passwordResetMail(url),
    knownBrowserMail: accountMails.knownBrowserMail(url),
    newDeviceMail: accountMails.newDeviceMail({ at, ip: "192.0.2.1", browser: said, url }),
    logInCodeMail: personMails.logInCodeMail("12345678"),
    actCodeMail: personMails.actCodeMail("12345678", said),
    askedMail: actMails.askedMail({
      org_name,
      party_name: said,
      to: "vault",
      vault_name: said,
      summary: said,
      reason: said,
      url,
      expires_at: at,
    }),
    unreachableMail: actMails.unreachableMail({ party_name: said, address: said, summary: said, url }),
    objectionMail: actMails.objectionMail({
      org_name,
      party_name: said,
      summary: said,
      reason: said,
      url,
      waits_until: at,
    }),
    passkeyChangedMail: personMails.passkeyChangedMail({
      change: "added",
      name: said,
      email: "ann@bank.example",
      at,
      ip: "192.0.2.1",
      party_name: org_name,
    }),
    adminNotice: accountMails.adminNotice({ kind: "notice", subject: envelope_name, text: said }),
  };
  return Object.values(mails);
}

const plain = { envelope_name: "Lease", org_name: "Acme", said: "Please read page 3." };

describe("an invitation to sign", () => {
  test("names the sender, the document and the deadline, quotes the sender, and says what to do if it was not expected", () => {
    const { kind, subject, text } = invitationToSign({ ...plain, message: "Please read page 3.\nThank you.", url, expires_at: at });
    expect([kind, subject]).toEqual(["signing_invitation", "Acme asks you to sign: Lease"]);
    expect(text).toBe(`Acme has sent you a document to read and sign: Lease

Acme writes:
> Please read page 3.
> Thank you.

Read and sign it by 4 March 2026 at 05:06 UTC:
${url}

This link is for you only. Anyone who opens it can act in your name, so do not forward this message.

If you did not expect this message, ignore it, or ask Acme before you open the link.
`);
  });

  test("has no quotation when the sender's message is empty or blank", () => {
    for (const message of [null, "", " \n\t\n"]) {
      const { text, html } = invitationToSign({ ...plain, message, url, expires_at: at });
      expect(text).not.toContain("writes");
      expect(html).not.toContain("blockquote");
    }
  });

  test("quotes at most 2,000 characters and marks a longer message with an ellipsis", () => {
    const quoted = (message: string) =>
      /<blockquote[^>]*>([^<]*)</.exec(invitationToSign({ ...plain, message, url, expires_at: at }).html)?.[1] ?? "";
    expect(quoted("é".repeat(MAX_QUOTE_CHARACTERS))).toBe("é".repeat(2_000));
    expect(quoted("😀".repeat(MAX_QUOTE_CHARACTERS + 1))).toBe(`${"😀".repeat(1_999)}…`);
  });

  test("escapes markup in the sender's message", () => {
    const message = `<img src=x onerror=alert(1)> </blockquote><a href="https://evil.example">click</a> & 'so' on`;
    const { html } = invitationToSign({ envelope_name: "<b>Lease</b>", org_name: "A & <i>B</i>", message, url, expires_at: at });
    expect(html.match(/<(?:img|b|i)\b/g)).toBeNull();
    expect(html.match(/<a /g)).toHaveLength(2);
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(html).toContain("A &amp; &lt;i&gt;B&lt;/i&gt;");
  });
});

test("a decline tells the sender who declined and quotes the reason if there is one", () => {
  const facts = { ...plain, url, signer_name: "Ann" };
  expect(declinedForSender({ ...facts, reason: "Wrong price" })).toMatchObject({
    subject: "Declined: Lease",
    text: expect.stringContaining("Ann has declined to sign: Lease\n\nAnn gave this reason:\n> Wrong price\n"),
  });
  expect(declinedForSender({ ...facts, reason: null }).text).not.toContain("reason");
});

test("a decline tells the other signers that the document was declined, but neither who declined nor why", () => {
  const { kind, subject, text } = declinedForSigner(plain);
  expect([kind, subject]).toEqual(["signing_declined", "Declined: Lease"]);
  expect(text).toBe(`A signer has declined a document that Acme sent you: Lease

It can no longer be signed. You do not need to do anything.
`);
});

test("messages about a void, an expiry and a correction say what the signer can still do", () => {
  expect(voidedForSigner({ ...plain, reason: null }).text).toContain("It can no longer be signed. You do not need to do anything.");
  expect(expiredForSigner({ ...plain, expired_at: at }).text).toContain("ask Acme to send it again");
  expect(correctedSigner({ ...plain, url, expires_at: at }).text).toContain("Your earlier link no longer works. Use this one instead.");
});

test("a message that could not be delivered names envelope, signer and address to the sender, and says what to do", () => {
  const facts = { ...plain, url, signer_name: "Ann", address: "ann@example.com" };
  const { subject, text } = deliveryFailedForSender({ ...facts, task: "sign" });
  expect(subject).toBe("Not delivered: Lease");
  expect(text).toBe(`We could not deliver our message to Ann (ann@example.com), a signer of: Lease

View the envelope:
${url}

Check the address. If it is wrong, correct it there and the signer gets a new link. If it is right, give the signer a signing link yourself.
`);
  expect(deliveryFailedForSender({ ...facts, task: "keep a copy" }).text).toContain("give the signer a copy yourself");
});

test("every message has its own kind", () => {
  const kinds = allMessages(plain).map(({ kind }) => kind);
  expect(new Set(kinds).size).toBe(kinds.length);
});

const unlinked = [
  "email_code",
  "person_login_code",
  "person_act_code",
  "passkey_changed",
  "signing_voided",
  "signing_declined",
  "signing_expired",
  "notice",
];

test("every link is in both parts, as a button and as a readable address", () => {
  const linked = allMessages(plain).filter(({ kind }) => !unlinked.includes(kind));
  expect(linked).toHaveLength(20);
  for (const { kind, text, html } of linked) {
    expect(text, kind).toContain(`\n${url}\n`);
    const href = url.replace("&", "&amp;");
    expect(html.split(`<a href="${href}"`), kind).toHaveLength(3);
    expect(html, kind).toContain(`>${href}</a>`);
  }
});

test("a message loads nothing from elsewhere and sets no text or page colors, so that dark mode works", () => {
  for (const { kind, html } of allMessages(plain)) {
    expect(html, kind).not.toMatch(/<img|<link|<script|<iframe|@import|url\(|src=/i);
    expect(html, kind).toContain('<meta name="color-scheme" content="light dark">');
    // Only the button sets colors.
    expect(html.match(/[^-]color:#\w+/g) ?? [], kind).toHaveLength(html.includes("background:#1d4ed8") ? 1 : 0);
  }
});

// These words claim a legal effect that only a court can decide.
const NEVER =
  /perfected|control is established|UCC compliant|legally binding|enforceable|court-admissible|tamper-proof|identity verified|qualified|advanced|LTV|trusted time|eNote|electronic original|notarized/i;

test("no message makes a promise about the legal effect of a signature", () => {
  for (const { kind, subject, text, html } of allMessages(plain)) expect(`${subject} ${text} ${html}`, kind).not.toMatch(NEVER);
});

/** Any characters, with harmful ones among them. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        "\r\n",
        "\n",
        "\r",
        "\0",
        "\u2028",
        "\u0085",
        "\u202e",
        "\u2066",
        "\u200f",
        "\ud800",
        "😀",
        "<",
        ">",
        '"',
        "&",
        "'",
        "é",
      ),
      fc.string({ unit: "binary", maxLength: 5 }),
      fc.string({ maxLength: 20 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(""));

test("for any names and messages, the subject is one short line and the HTML has only our own tags", () => {
  const tags = (html: string) => html.match(/<[^>]*>/g);
  const letters = /^[^\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]*$/u;
  const own = new Map(allMessages(plain).map(({ kind, html }) => [kind, tags(html)]));
  fc.assert(
    fc.property(fc.record({ envelope_name: hostile, org_name: hostile, said: hostile }), (texts) => {
      for (const { kind, subject, text, html } of allMessages({ ...texts, said: `x${texts.said}` })) {
        expect(subject).toMatch(letters);
        expect(Array.from(subject).length).toBeLessThanOrEqual(180);
        expect(text.replaceAll("\n", "").replaceAll("\t", "")).toMatch(letters);
        expect(text.isWellFormed() && html.isWellFormed()).toBe(true);
        if (kind !== "notice") expect(tags(html), kind).toEqual(own.get(kind));
      }
    }),
  );
});
