import { describe, expect, test } from "vitest";
import fc from "../../../../testing/properties.ts";
import { signerFacts } from "../../../test/signer-facts.ts";
import * as accountMails from "../../accounts/messages.ts";
import * as operatorMails from "../../failed-jobs/messages.ts";
import * as orgMails from "../../orgs/messages.ts";
import type { ProblemId } from "../../shared/ids.ts";
import { type Locale, locales } from "../../shared/locales.ts";
import * as actMails from "../../vault/acts/messages.ts";
import * as personMails from "../../vault/people/messages.ts";
import { withoutLogo } from "../draw-letter.ts";
import { MAX_QUOTE_CHARACTERS } from "../letter.ts";
import { lookOf } from "../look.ts";
import type { Words } from "../message.ts";
import { words as allWords } from "../words/words.ts";
import * as batchMails from "./batch.ts";
import { zonedTime } from "./envelope.ts";
import * as senderMails from "./to-sender.ts";
import * as signerMails from "./to-signer.ts";
import * as visitorMails from "./to-visitor.ts";

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

type Mails = typeof accountMails &
  typeof orgMails &
  typeof operatorMails &
  typeof actMails &
  typeof batchMails &
  typeof personMails &
  typeof senderMails &
  typeof signerMails &
  typeof visitorMails;

/** Every kind of message, made from the same values. A message that is not listed here does not compile. */
function allMessages({ envelope_name, org_name, said }: Texts, locale: Locale = "en"): Words[] {
  const own = {
    subject: "{{message}} {{organization}}",
    intro: "{{recipient_name}}\n{{sender_name}}",
    footer: "{{envelope_name}} {{expires_at}}",
  };
  const facts = {
    ...signerFacts({ org_name, envelope_name, recipient_name: said, sender_name: said, replies_to: said, message: said, locale, url }),
    mail_subject: said,
    texts: { voided: own, expired: own },
  };
  const envelope = { envelope_name, org_name, url };
  const mails: { [Name in keyof Mails]: Words } = {
    formLink: visitorMails.formLink({ locale, look: facts.look, form_name: envelope_name, replies_to: said, url }),
    invitationToSign: invitationToSign(facts),
    yourTurnToSign: signerMails.yourTurnToSign(facts),
    copyForReader: signerMails.copyForReader({ ...facts, kind: "cc" }),
    reminderToSign: signerMails.reminderToSign(facts),
    correctedSigner: signerMails.correctedSigner(facts),
    newLinkForSigner: signerMails.newLinkForSigner(facts),
    codeForSigner: signerMails.codeForSigner({ ...facts, code: "481516" }),
    newLinkToCopy: signerMails.newLinkToCopy({ ...facts, copy_url: url }),
    completedForSigner: signerMails.completedForSigner({ ...facts, copy_url: url, completed_at: at, attached: true }),
    voidedForSigner: signerMails.voidedForSigner({ ...facts, reason: said }),
    declinedForSigner: declinedForSigner(facts),
    expiredForSigner: signerMails.expiredForSigner({ ...facts, expired_at: at }),
    completedForSender: senderMails.completedForSender(envelope),
    declinedForSender: declinedForSender({ ...envelope, signer_name: said, reason: said }),
    lockedForSender: senderMails.lockedForSender({ ...envelope, signer_name: said }),
    yourTurnForMember: senderMails.yourTurnForMember(envelope),
    paperRequestedForSender: senderMails.paperRequestedForSender({ ...envelope, signer_name: said }),
    expiresSoonForSender: senderMails.expiresSoonForSender({ ...envelope, expires_at: at, waiting: [said, said] }),
    expiredForSender: senderMails.expiredForSender({ ...envelope, expired_at: at }),
    deliveryFailedForSender: deliveryFailedForSender({ ...envelope, signer_name: said, address: said, task: "sign" }),
    batchEnded: batchMails.batchEnded({ org_name, batch_name: envelope_name, url, sent: 2, failed: 1, skipped: 1, is_cancelled: false }),
    batchPaused: batchMails.batchPaused({ org_name, batch_name: envelope_name, url, reason: "template_changed" }),
    invitationMail: orgMails.invitationMail(org_name, url),
    problemsForOperator: operatorMails.problemsForOperator("https://sign.example.com", [
      {
        problem_id: "prb_1" as ProblemId,
        task: "vault.store",
        org_id: null,
        envelope_id: null,
        state: "failed",
        error_code: "internal",
        attempts: 25,
        is_new: true,
      },
    ]),
    domainProofMail: orgMails.domainProofMail({ org_name, domain: "example.com", url }),
    emailCodeMail: accountMails.emailCodeMail("123456"),
    enrolmentCodeMail: accountMails.enrolmentCodeMail("123456"),
    factorAddedMail: accountMails.factorAddedMail("totp", said),
    factorRemovedMail: accountMails.factorRemovedMail("passkey", said, 0),
    factorsResetMail: accountMails.factorsResetMail("operator", false),
    resetLinkPrintedMail: accountMails.resetLinkPrintedMail(),
    emailChangeMail: accountMails.emailChangeMail(said, url),
    addressInUseMail: accountMails.addressInUseMail(),
    emailChangedMail: accountMails.emailChangedMail(said, url),
    emailChangeUndoneMail: accountMails.emailChangeUndoneMail({
      requested_at: new Date("2026-11-01T10:00:00Z"),
      removed: [{ kind: "passkey", name: said }],
      kept: [{ kind: "totp", name: said, created_at: new Date("2026-10-01T10:00:00Z") }],
      codes: 10,
      hadPassword: true,
      sessions: 1,
      browsers: 2,
    }),
    factorRequiredMail: accountMails.factorRequiredMail(said, at, url),
    passwordChangedMail: accountMails.passwordChangedMail("reset link"),
    passwordRemovedMail: accountMails.passwordRemovedMail(),
    factorResetMail: accountMails.factorResetMail(said, url),
    sessionsEndedMail: accountMails.sessionsEndedMail(said),
    recoveryCodeUsedMail: accountMails.recoveryCodeUsedMail(1),
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
    adminNotice: orgMails.adminNotice({ kind: "notice", subject: envelope_name, text: said }),
  };
  return Object.values(mails);
}

const plain = { envelope_name: "Lease", org_name: "Acme", said: "Please read page 3." };

describe("an invitation to sign", () => {
  test("greets the signer, names the sender, the document and the deadline, quotes the sender, and says what to do if it was not expected", () => {
    const { kind, subject, text } = invitationToSign(
      signerFacts({ sender_name: "Mara Klein", replies_to: "Mara Klein", message: "Please read page 3.\nThank you.", url }),
    );
    expect([kind, subject]).toEqual(["signing_invitation", "Mara Klein asks you to sign: Lease"]);
    expect(text).toBe(`Hello Ann, please review and sign

Mara Klein (Acme) has sent you a document to read and sign.

Mara Klein wrote:
> Please read page 3.
> Thank you.

Document: Lease, 3 pages
Your part: 2 fields, initials, 1 signature
Sign by: ${zonedTime(at, "en", "UTC")}

Review and sign:
${url}

Questions? Reply to this message. Your answer goes to Mara Klein.

This link is personal. Anyone who has it can act in your name, so please do not forward this message.

If you did not expect this message, ignore it, or ask Mara Klein before you open the link.

-- 
Acme
Sent with Countersign.
`);
  });

  test("names the organization where a program sends, and does not speak of replies that would go nowhere", () => {
    const { subject, text } = invitationToSign(signerFacts());
    expect(subject).toBe("Acme asks you to sign: Lease");
    expect(text).toContain("Acme has sent you a document to read and sign.");
    expect(text).not.toContain("Reply");
  });

  test("has no quotation when the sender's message is empty or blank", () => {
    for (const message of [null, "", " \n\t\n"]) {
      const { text, html } = invitationToSign(signerFacts({ message }));
      expect(text).not.toContain("wrote");
      expect(html).not.toContain("blockquote");
    }
  });

  test("quotes at most 2,000 characters and marks a longer message with an ellipsis", () => {
    const quoted = (message: string) => /<blockquote[^>]*>([^<]*)</.exec(invitationToSign(signerFacts({ message })).html)?.[1] ?? "";
    expect(quoted("é".repeat(MAX_QUOTE_CHARACTERS))).toBe("é".repeat(2_000));
    expect(quoted("😀".repeat(MAX_QUOTE_CHARACTERS + 1))).toBe(`${"😀".repeat(1_999)}…`);
  });

  test("escapes markup in the sender's message", () => {
    const message = `<img src=x onerror=alert(1)> </blockquote><a href="https://evil.example">click</a> & 'so' on`;
    const { html } = invitationToSign(signerFacts({ envelope_name: "<b>Lease</b>", org_name: "A & <i>B</i>", message }));
    expect(html.replaceAll("<b>&lt;b&gt;Lease&lt;/b&gt;</b>", "").match(/<(?:img|b|i)\b/g)).toBeNull();
    expect(html.match(/<a /g)).toHaveLength(2);
    expect(html).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(html).toContain("A &amp; &lt;i&gt;B&lt;/i&gt;");
  });

  test("says the deadline in the time zone that it is given, by its name", () => {
    const { text } = invitationToSign(signerFacts({ time_zone: "Europe/Berlin" }));
    expect(text).toMatch(/Sign by: Wednesday,? 4 March 2026 at 06:06 CET\n/);
    expect(invitationToSign(signerFacts({ locale: "de", time_zone: "Europe/Berlin" })).text).toMatch(
      /Frist: Mittwoch, 4\. März 2026 um 06:06 MEZ\n/,
    );
  });
});

describe("an organization's own words", () => {
  const texts = {
    invitation: {
      subject: "{{organization}}: {{envelope_name}}",
      intro: "Dear {{recipient_name}},\n{{sender_name}} needs you.",
      footer: "8 Quay Street",
    },
  };

  test("replace subject, introduction and footer, and leave link, deadline and warning as they are", () => {
    const { subject, text } = invitationToSign(signerFacts({ texts, sender_name: "Mara Klein" }));
    expect(subject).toBe("Acme: Lease");
    expect(text).toContain("\n\nDear Ann,\nMara Klein needs you.\n\n");
    expect(text).toContain("-- \n8 Quay Street\nSent with Countersign.\n");
    for (const fixed of [url, "Sign by: ", "This link is personal."]) expect(text).toContain(fixed);
  });

  test("give way to the subject that the sender chose for one envelope", () => {
    const { subject } = invitationToSign(
      signerFacts({ texts, mail_subject: "For {{recipient_name}} by {{sender_name}}", sender_name: "Mara" }),
    );
    expect(subject).toBe("For Ann by Mara");
  });

  test("are filled in once: a name that looks like a placeholder stays as it is", () => {
    const { subject } = invitationToSign(signerFacts({ texts, envelope_name: "{{recipient_name}}" }));
    expect(subject).toBe("Acme: {{recipient_name}}");
  });

  test("that place the sender's message replace the quotation", () => {
    const own = { invitation: { subject: null, intro: "Note: {{message}}", footer: null } };
    const { text, html } = invitationToSign(signerFacts({ texts: own, message: "<b>Read</b>\npage 3" }));
    expect(text).toContain("Note: <b>Read</b>\npage 3\n");
    expect(text).not.toContain("> ");
    expect(html).toContain("Note: &lt;b&gt;Read&lt;/b&gt;<br>page 3");
  });
});

describe("the colours of an organization", () => {
  const button = (accent: string, accent_text: string | null = null) =>
    /background:(#\w+)"><a [^>]*color:(#\w+)/
      .exec(invitationToSign(signerFacts({ look: lookOf({ name: "Acme", has_logo: false, accent, accent_text }) })).html)
      ?.slice(1, 3);

  test("are those of the button, if its text can be read", () => {
    expect(button("#0b6b66")).toEqual(["#0b6b66", "#ffffff"]);
    expect(button("#FC0", "#000000")).toEqual(["#ffcc00", "#000000"]);
  });

  test("are the standard ones if the contrast is below 4.5 to 1, or if mail programs do not know the notation", () => {
    for (const accent of ["#ffcc00", "oklch(0.5 0.1 200)", "rgb(11,107,102)"]) expect(button(accent)).toEqual(["#2450c8", "#ffffff"]);
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
  const { kind, subject, text } = declinedForSigner(signerFacts());
  expect([kind, subject]).toEqual(["signing_declined", "Declined: Lease"]);
  expect(text).toBe(`Hello Ann, this document was declined

A signer has declined a document that Acme sent you.

Document: Lease, 3 pages

It can no longer be signed. You do not need to do anything.

-- 
Acme
Sent with Countersign.
`);
});

test("messages about a void and a correction name the organization, because any member can do both", () => {
  const facts = { ...signerFacts(), sender_name: "Mara Klein" };
  expect(invitationToSign(facts).text).toContain("Mara Klein (Acme) has sent you");
  const voided = voidedForSigner({ ...facts, reason: "Wrong price" }).text;
  expect(voided).toContain("Acme has voided a document");
  expect(voided).toContain("Acme gave this reason:");
  expect(voided).not.toContain("Mara Klein (Acme)");
  expect(correctedSigner(facts).text).toContain("Acme has corrected your details");
});

test("messages about a void, an expiry and a correction say what the signer can still do", () => {
  expect(voidedForSigner({ ...signerFacts(), reason: null }).text).toContain("It can no longer be signed. You do not need to do anything.");
  expect(expiredForSigner({ ...signerFacts(), expired_at: at }).text).toContain("ask Acme to send it again");
  expect(correctedSigner(signerFacts()).text).toContain("Your earlier link no longer works. Use this one instead.");
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
  "factor_added",
  "factor_removed",
  "factors_reset",
  "reset_link_printed",
  "operator_problems",
  "address_in_use",
  "password_changed",
  "password_removed",
  "email_change_undone",
  "sessions_ended",
  "recovery_code_used",
  "email_code",
  "enrollment_code",
  "person_login_code",
  "person_act_code",
  "passkey_changed",
  "signing_voided",
  "signing_declined",
  "signing_expired",
  "notice",
  "signing_code",
];

test("every link is in both parts, as a button and as a readable address", () => {
  const linked = allMessages(plain).filter(({ kind }) => !unlinked.includes(kind));
  expect(linked).toHaveLength(31);
  for (const { kind, text, html } of linked) {
    expect(text, kind).toContain(`\n${url}\n`);
    const href = url.replace("&", "&amp;");
    expect(html.split(`<a href="${href}"`), kind).toHaveLength(3);
    expect(html, kind).toContain(`>${href}</a>`);
  }
});

test("a message loads nothing from elsewhere, and each coloured text and surface has a class with its dark colour", () => {
  for (const { kind, html } of allMessages(plain)) {
    expect(html, kind).not.toMatch(/<img|<link|<script|<iframe|@import|url\(|src=/i);
    expect(html, kind).toContain('<meta name="color-scheme" content="light dark">');
    // The button and the initials have the same colours in both.
    const fixed = /border-radius:(?:8px;background:#2450c8|20px;background:#dfe6f8)|text-decoration:none/;
    for (const [tag] of html.matchAll(/<[a-z]+ [^>]*(?:[^-]color|background):#[^>]*>/g)) {
      if (!fixed.test(tag)) expect(tag, kind).toMatch(/class="[^"]*\b(?:bg|card|t|m|soft|lk)\b/);
    }
  }
});

test("the only picture is the organization's logo, which is part of the message", () => {
  const { html } = invitationToSign(signerFacts({ look: lookOf({ name: "Acme", has_logo: true, accent: null, accent_text: null }) }));
  expect([...html.matchAll(/src="([^"]*)"/g)].map(([, source]) => source)).toEqual(["cid:logo@countersign"]);
  expect(withoutLogo(html)).not.toContain("<img");
});

describe.each(locales)("in %s", (locale) => {
  const ofSigners = () => allMessages(plain, locale).filter(({ kind }) => kind.startsWith("signing_"));

  test("every message to signers declares its language and has all of its words", () => {
    expect(ofSigners()).toHaveLength(11);
    for (const { kind, subject, text, html } of ofSigners()) {
      expect(html, kind).toContain(`<html lang="${locale}" dir="ltr">`);
      expect(`${subject}${text}${html}`, kind).not.toMatch(/undefined|null|\[object|\{\{/);
    }
  });

  test("the text part says everything that the HTML part says, in the same order", () => {
    for (const { kind, text, html } of ofSigners()) {
      const body = html.slice(html.indexOf('class="card"')).replace(/^[^>]*>/, "");
      const shown = [...body.matchAll(/>([^<]+)</g)].map(([, piece = ""]) => unescaped(piece).trim()).filter((piece) => piece !== "");
      const { buttonFails } = allWords[locale];
      // The initials, the name above the message and the words before the address are there for the eye.
      const said = shown.filter((piece) => piece.length > 2 && !["Acme", buttonFails, url].includes(piece));
      let from = 0;
      for (const piece of said) {
        const at = text.indexOf(piece, from);
        expect(at, `${kind}: ${piece}`).toBeGreaterThanOrEqual(0);
        from = at;
      }
      expect(said.length, kind).toBeGreaterThan(4);
    }
  });
});

test.each(locales.filter((locale) => locale !== "en"))("in %s, no sentence of a message is left in English", (locale) => {
  const words = (language: Locale) => sentencesOf(allWords[language]);
  // "2 pages" is also French.
  const inEnglish = new Set(words("en").filter((sentence) => sentence.split(" ").length > 2));
  expect(words(locale).filter((sentence) => inEnglish.has(sentence))).toEqual([]);
  expect(words(locale)).toHaveLength(words("en").length);
});

/** Every sentence of a language, made with the same names. */
function sentencesOf(part: unknown): string[] {
  if (typeof part === "string") return [part];
  if (typeof part === "function")
    return [part(2), part({ name: "X", sender: "X", from: "X", org: "X", document: "X" })].filter((one) => !/NaN|object/.test(one));
  return Object.values(part as object).flatMap(sentencesOf);
}

const unescaped = (html: string): string =>
  html.replace(
    /&(amp|lt|gt|quot|#39|nbsp);/g,
    (_, name: string) => ({ amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: "" })[name] ?? "",
  );

// These words claim a legal effect that only a court can decide.
const NEVER =
  /perfected|control is established|UCC compliant|legally binding|enforceable|court-admissible|tamper-proof|identity verified|qualified|advanced|LTV|trusted time|eNote|electronic original|notarized/i;

test("no message makes a promise about the legal effect of a signature", () => {
  for (const { kind, subject, text, html } of locales.flatMap((locale) => allMessages(plain, locale)))
    expect(`${subject} ${text} ${html}`, kind).not.toMatch(NEVER);
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
  // What people wrote has as many lines as they wrote.
  const tags = (html: string) => html.replaceAll("<br>", "").match(/<[^>]*>/g);
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

describe("what is asked of people who do not sign", () => {
  const asking = [invitationToSign, signerMails.yourTurnToSign, signerMails.reminderToSign, correctedSigner, signerMails.newLinkForSigner];

  test.each(["approver", "viewer"] as const)(
    "an %s is never asked to sign, and the organization's words for signers are not used",
    (kind) => {
      const part = { fields: 1, initials: 0, signatures: 0 };
      const texts = { invitation: { subject: "Sign this", intro: "Please sign.", footer: "Acme Legal" } };
      for (const ask of asking) {
        const { subject, text } = ask({ ...signerFacts({ url }), kind, part, mail_subject: "Sign now", texts });
        expect(`${subject} ${text.replace(url, "")}`).not.toMatch(/\bsign\b|signature/i);
        expect(text).toContain("Acme Legal");
      }
    },
  );

  test.each(locales.filter((locale) => locale !== "en"))("in %s, the words are not English, and differ for each kind", (locale) => {
    const subjectIn = (language: Locale, kind: "signer" | "approver" | "viewer") =>
      invitationToSign({ ...signerFacts({ url, locale: language }), kind }).subject;
    const subjects = (["signer", "approver", "viewer"] as const).map((kind) => subjectIn(locale, kind));
    expect(new Set(subjects).size).toBe(3);
    expect(subjects).not.toContain(subjectIn("en", "approver"));
    const copy = signerMails.copyForReader({ ...signerFacts({ url, locale }), kind: "cc" });
    expect(copy.text).not.toBe(signerMails.copyForReader({ ...signerFacts({ url }), kind: "cc" }).text);
  });

  test("people after an approver are not told that those before them have signed", () => {
    const after = (who: signerMails.After) => signerMails.yourTurnToSign({ ...signerFacts({ url }), after: who }).text;
    expect(after("signers")).toContain("The people before you have signed.");
    expect(after("others")).toContain("The people before you have finished.");
    expect(after("no one")).not.toContain("The people before you");
  });

  test("an approver's rejection is called that, and an expiry after the last signature does not say that a signature is missing", () => {
    expect(declinedForSigner({ ...signerFacts(), rejected: true }).text).toContain("An approver has rejected");
    expect(
      declinedForSender({ envelope_name: "Lease", org_name: "Acme", url, signer_name: "Lee", reason: "x", rejected: true }),
    ).toMatchObject({
      subject: "Rejected: Lease",
      text: expect.stringContaining("Lee has rejected: Lease"),
    });
    const sender = { envelope_name: "Lease", org_name: "Acme", url };
    expect(senderMails.expiredForSender({ ...sender, expired_at: at, is_signed: true }).text).toContain("Not everyone acted in time");
    expect(senderMails.expiresSoonForSender({ ...sender, expires_at: at, waiting: ["Lee"], is_signed: true }).text).toContain(
      "Not everyone has acted yet",
    );
    expect(expiredForSigner({ ...signerFacts(), kind: "approver", expired_at: at, is_signed: true }).text).not.toContain(
      "Not everyone signed",
    );
  });
});
