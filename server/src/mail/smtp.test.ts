import { createHash } from "node:crypto";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { tries } from "../../../testing/all.ts";
import fc from "../../../testing/properties.ts";
import { signerFacts } from "../../test/signer-facts.ts";
import { headerOf, type SmtpPeer, serverCertificate, startSmtpPeer } from "../../test/smtp.ts";
import { until } from "../../test/until.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { newId } from "../shared/ids.ts";
import { invitationToSign } from "./messages/to-signer.ts";
import { type Outgoing, type Smtp, type SmtpSettings, smtpSender } from "./smtp.ts";

const plain = { secure: false, auth: null, from: "sign@example.com" };
const peer = await startSmtpPeer({ disabledCommands: ["STARTTLS"] });
const smtp = smtpSender({ ...plain, host: "127.0.0.1", port: peer.port });
afterAll(async () => {
  smtp.close();
  await peer.stop();
});

function mail(values: Partial<Outgoing> = {}): Outgoing {
  const message = { subject: "A subject", text: "A text\n", html: "<p>A text</p>\n", org_name: "Acme", reply_to: null };
  return { message_id: newId("message"), to: "ann@example.com", ...message, ...values };
}

/** Closed at the end of the test, whether it passes or fails. */
function sender(settings: SmtpSettings): Smtp {
  const made = smtpSender(settings);
  onTestFinished(() => made.close());
  return made;
}

async function newPeer(...how: Parameters<typeof startSmtpPeer>): Promise<SmtpPeer> {
  const made = await startSmtpPeer(...how);
  onTestFinished(() => made.stop());
  return made;
}

describe("a message as it is sent", () => {
  test("has a text and an HTML part, the organization's name before our address, a fixed id, and asks for no automatic reply", async () => {
    const sent = mail({ org_name: "Zoë & Söhne", reply_to: "sam@example.com", text: "Grüße 😀\n", html: "<p>Grüße 😀</p>\n" });
    expect(await smtp.send(sent)).toMatchObject({ kind: "sent" });
    const got = peer.messages.at(-1);
    expect(got).toMatchObject({ from: "sign@example.com", to: ["ann@example.com"], text: sent.text, html: sent.html });
    expect(Object.fromEntries(got?.headers ?? [])).toEqual({
      "Auto-Submitted": "auto-generated",
      From: expect.stringMatching(/^"?Zoë & Söhne via Countersign"? <sign@example\.com>$/),
      To: "ann@example.com",
      "Reply-To": "sam@example.com",
      Subject: "A subject",
      "Message-ID": `<${sent.message_id}@example.com>`,
      Date: expect.any(String),
      "MIME-Version": "1.0",
      "Content-Type": expect.stringMatching(/^multipart\/alternative;/),
    });
  });

  test("from the installation itself comes from Countersign, and one queued without HTML has only its text", async () => {
    await smtp.send(mail({ org_name: null, html: null }));
    const got = peer.messages.at(-1);
    expect([headerOf(got ?? { headers: [] }, "from"), got?.text, got?.html]).toEqual(["Countersign <sign@example.com>", "A text\n", null]);
  });

  test("is recorded with the server, its reply, and the hash of exactly the bytes that the server received", async () => {
    const sent = mail({ text: ".\n..dots\n.at the start of lines\nGrüße", html: null });
    const outcome = await smtp.send(sent);
    const raw = peer.messages.at(-1)?.raw ?? "";
    expect(raw).toMatch(/\r\n$/);
    expect(outcome).toEqual({
      kind: "sent",
      accepted: {
        server: `127.0.0.1:${peer.port}`,
        code: 250,
        header_id: `<${sent.message_id}@example.com>`,
        tls: null,
        body_sha256: createHash("sha256").update(raw, "latin1").digest("hex"),
      },
    });
  });

  const hostile = fc
    .array(
      fc.oneof(
        fc.constantFrom(
          "\r\n",
          "\r\nBcc: evil@example.com\r\n",
          "\n.\r\n",
          "\0",
          "\u202e",
          "\u2028",
          "\ud83d",
          "😀",
          '"',
          "<",
          ">",
          ",",
          ";",
          "@",
        ),
        fc.constantFrom("=?utf-8?q?=0ABcc:_evil@example.com?=", "evil@example.com", "(c)", "\\", "é".repeat(40), "x".repeat(1_000)),
        fc.string({ unit: "binary", maxLength: 8 }),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join(""));

  test("with any names in it goes to exactly one address, with exactly our headers and text", async () => {
    const names = ["Auto-Submitted", "Content-Type", "Date", "From", "MIME-Version", "Message-ID", "Subject", "To"];
    await fc.assert(
      fc.asyncProperty(fc.record({ org_name: hostile, envelope_name: hostile, message: hostile }), async (texts) => {
        const { subject, text, html } = invitationToSign(
          signerFacts({ ...texts, sender_name: texts.message, url: "https://x.example/s/1", expires_at: new Date(0) }),
        );
        const sent = mail({ org_name: texts.org_name, sender_name: texts.message, subject, text, html });
        const outcome = await smtp.send(sent);
        const got = peer.messages.at(-1) ?? expect.fail("nothing came");
        const body_sha256 = createHash("sha256").update(got.raw, "latin1").digest("hex");
        expect(outcome).toMatchObject({ kind: "sent", accepted: { body_sha256 } });
        expect([got.from, got.to]).toEqual(["sign@example.com", ["ann@example.com"]]);
        expect(got.headers.map(([name]) => name).sort()).toEqual(names);
        expect(headerOf(got, "to")).toBe("ann@example.com");
        expect(headerOf(got, "message-id")).toBe(`<${sent.message_id}@example.com>`);
        expect(headerOf(got, "from")).toMatch(/Countersign"? <sign@example\.com>$/);
        for (const [name, value] of got.headers) expect(value, name).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
        expect(Math.max(...got.raw.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(998);
        expect([headerOf(got, "subject"), got.text, got.html]).toEqual([subject.replaceAll("=?", "= ?"), text, html]);
      }),
      { numRuns: tries(150) },
    );
  });
});

describe("a mail server that", () => {
  test.each([
    [
      "550 at RCPT",
      { kind: "refused", error: "550 5.1.1 RCPT TO", failure: { code: 550, stage: "RCPT TO", reply: "550 5.1.1 refused by the test" } },
    ],
    [
      "554 at DATA",
      { kind: "refused", error: "554 5.1.1 DATA", failure: { code: 554, stage: "DATA", reply: "554 5.1.1 refused by the test" } },
    ],
    [
      "451 at RCPT",
      { kind: "deferred", error: "451 4.1.1 RCPT TO", failure: { code: 451, stage: "RCPT TO", reply: "451 4.1.1 refused by the test" } },
    ],
    [
      "452 at DATA",
      { kind: "deferred", error: "452 4.1.1 DATA", failure: { code: 452, stage: "DATA", reply: "452 4.1.1 refused by the test" } },
    ],
    [
      "421 at RCPT",
      { kind: "away", error: expect.stringContaining("421"), failure: { code: 421, stage: expect.any(String), reply: null } },
    ],
    ["550 at MAIL", { kind: "away", error: "550 5.1.1 MAIL FROM", failure: { code: 550, stage: "MAIL FROM", reply: null } }],
    [
      "cut",
      {
        kind: "away",
        error: expect.stringMatching(/^(ECONNECTION|ESOCKET)/),
        failure: { code: null, stage: expect.any(String), reply: null },
      },
    ],
  ] as const)("answers with %s is a value, and the next message goes through", async (fault, outcome) => {
    const before = peer.messages.length;
    const fresh = sender({ ...plain, host: "127.0.0.1", port: peer.port });
    peer.fail(fault);
    expect(await fresh.send(mail())).toEqual(outcome);
    expect(peer.messages).toHaveLength(before);
    expect(await fresh.send(mail())).toMatchObject({ kind: "sent" });
  });

  test("would get an invalid address is not contacted", async () => {
    const before = peer.messages.length;
    const unsent = { kind: "refused", error: "not an address", failure: { code: null, stage: "before_sending", reply: null } };
    for (const to of ["", "ann", "ann\r\nRCPT TO:<evil@example.com>", "ann@example.com,evil@example.com", "Ann <ann@example.com>"]) {
      expect(await smtp.send(mail({ to })), to).toEqual(unsent);
      expect(await smtp.send(mail({ reply_to: to })), to).toEqual(unsent);
    }
    expect(peer.messages).toHaveLength(before);
  });

  test("closed an idle connection gets the message once, over a new one", async () => {
    const own = await newPeer();
    const rested = sender({ ...plain, host: "127.0.0.1", port: own.port });
    await rested.send(mail());
    await own.stop();
    await own.start();
    expect(await rested.send(mail())).toMatchObject({ kind: "sent" });
    expect(own.messages).toHaveLength(2);
  });

  test("is down counts as away until it is back", async () => {
    const down = await newPeer();
    const own = sender({ ...plain, host: "127.0.0.1", port: down.port });
    await down.stop();
    expect(await own.send(mail())).toMatchObject({ kind: "away", error: "ESOCKET CONN" });
    await down.start();
    expect(await own.send(mail())).toMatchObject({ kind: "sent" });
  });

  test("rejects our credentials counts as away, and the recorded error contains no secret", async () => {
    const closed = await newPeer({ allowInsecureAuth: true }, "right");
    const port = closed.port;
    const wrong = sender({ ...plain, host: "127.0.0.1", port, auth: { user: "sam", pass: "canary-password" } });
    expect(await wrong.send(mail())).toMatchObject({ kind: "away", error: expect.stringMatching(/^535 AUTH \w+$/) });
    const right = sender({ ...plain, host: "127.0.0.1", port, auth: { user: "sam", pass: "right" } });
    expect(await right.send(mail())).toMatchObject({ kind: "sent" });
    expect(closed.messages).toHaveLength(1);
  });
});

test("connections stay open between messages until close", async () => {
  const own = await newPeer();
  const kept = smtpSender({ ...plain, host: "127.0.0.1", port: own.port });
  for (let i = 0; i < 5; i++) await kept.send(mail());
  expect([own.messages.length, own.connections()]).toEqual([5, 1]);
  kept.close();
  await until("the end of the connection", async () => own.connections() === 0);
  expect(await kept.send(mail())).toMatchObject({ kind: "away" });
});

describe("encryption", () => {
  const auth = { user: "sam", pass: "canary-password" };
  // A name for this machine that does not count as loopback, so that the rules for remote servers apply.
  const ELSEWHERE = "0.0.0.0";
  const TLS = { protocol: expect.stringMatching(/^TLSv1\.[23]$/), cipher: expect.stringMatching(/^TLS_\w+$/) };

  test("smtps requires a certificate that is valid for the name; otherwise no credentials are sent", async () => {
    const good = serverCertificate();
    const tls = await newPeer({ secure: true, ...good }, auth.pass);
    const settings = { ...plain, host: "localhost", port: tls.port, secure: true, auth };
    expect(await sender({ ...settings, ca: serverCertificate().cert }).send(mail())).toMatchObject({ kind: "away" });
    expect(await sender(settings).send(mail())).toMatchObject({ kind: "away" });
    expect(await sender({ ...settings, host: "127.0.0.1", ca: good.cert }).send(mail())).toMatchObject({ kind: "away" });
    expect(tls.logOns).toEqual([]);
    expect(await sender({ ...settings, ca: good.cert }).send(mail())).toMatchObject({ kind: "sent", accepted: { tls: TLS } });
    expect(tls.messages).toMatchObject([{ secure: true }]);
    expect(tls.logOns).toEqual([{ user: "sam", password: auth.pass, secure: true }]);
  });

  test("smtp to another machine requires STARTTLS with a valid certificate; otherwise nothing is sent", async () => {
    const without = await newPeer({ disabledCommands: ["STARTTLS"], allowInsecureAuth: true }, auth.pass);
    const unknown = await newPeer({ allowInsecureAuth: true }, auth.pass);
    for (const one of [without, unknown]) {
      expect(await sender({ ...plain, host: ELSEWHERE, port: one.port, auth }).send(mail())).toMatchObject({ kind: "away" });
      expect([one.logOns, one.messages]).toEqual([[], []]);
    }
  });

  test("smtp on this machine works without TLS and uses STARTTLS if it is offered", async () => {
    const offers = await newPeer({}, auth.pass);
    const using = sender({ ...plain, host: "127.0.0.1", port: offers.port, auth });
    expect(await using.send(mail())).toMatchObject({ kind: "sent", accepted: { tls: TLS } });
    // The second message goes over the connection that the first one opened.
    expect(await using.send(mail())).toMatchObject({ kind: "sent", accepted: { tls: TLS } });
    expect(offers.logOns).toEqual([{ user: "sam", password: auth.pass, secure: true }]);
  });
});

describe("SMTP_URL and MAIL_FROM", () => {
  const read = (env: Record<string, string>): Config =>
    readConfig({ APP_SECRET: "a secret of the tests: 8d1f0c77aa", PUBLIC_URL: "https://sign.example.com", ...env });

  test.each<[string, Config["smtp"]]>([
    ["smtp://localhost", { host: "localhost", port: 587, secure: false, auth: null }],
    ["smtps://mail.example.com/", { host: "mail.example.com", port: 465, secure: true, auth: null }],
    ["smtp://a%40b.example:p%3Aw%2F@[::1]:2525", { host: "[::1]", port: 2525, secure: false, auth: { user: "a@b.example", pass: "p:w/" } }],
  ])("%s is understood", (SMTP_URL, smtpSettings) => {
    expect(read({ SMTP_URL }).smtp).toEqual(smtpSettings);
  });

  test.each([
    "mail.example.com:587",
    "http://mail.example.com",
    "smtp://",
    "smtp://canary@mail.example.com",
    "smtp://canary:%zz@mail.example.com",
    "smtp://mail.example.com/path",
    "smtp://mail.example.com?canary=1",
    "smtp://mail.example.com#canary",
  ])("%s is refused without being repeated", (SMTP_URL) => {
    const refused = () => read({ SMTP_URL });
    expect(refused).toThrow(ConfigError);
    expect(refused).toThrow(/^(?!.*canary)SMTP_URL /);
  });

  test("MAIL_FROM defaults to an address at the host of PUBLIC_URL and must be a plain address", () => {
    expect(read({}).mailFrom).toBe("countersign@sign.example.com");
    expect(read({ MAIL_FROM: "hello@example.com" }).mailFrom).toBe("hello@example.com");
    for (const MAIL_FROM of ["Acme <hello@example.com>", "hello", "a@b.example,c@d.example", "a@b.example\r\nBcc: x@y.example"]) {
      expect(() => read({ MAIL_FROM })).toThrow(/^MAIL_FROM /);
    }
  });
});
