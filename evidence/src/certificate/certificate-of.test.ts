// Tests the model as data, and the PDF as readers see it: typeset by the PDF engine and read back with PDFium.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { makePng } from "../../../pdf/fixtures/png.ts";
import { type DocumentModel, openFonts, pageText, typeset } from "../../../pdf/src/index.ts";
import { hashed, minute, type Told, type Wish } from "../../fixtures/record.ts";
import { makeRecord2 } from "../../fixtures/record-2.ts";
import { lackCodes, lackSentences } from "../bundle/lacks.ts";
import type { SessionFacts, Source } from "../facts.ts";
import type { Facts2 as Facts } from "../facts-2.ts";
import { hashOfJson } from "../rules/1/chain-facts.ts";
import { SELF_OPERATED } from "../rules/1/checks/warnings.ts";
import { evaluate } from "../rules/2/evaluate.ts";
import type { Link } from "../verify-chain.ts";
import { certificateOf } from "./certificate-of.ts";
import type { CertificateExtras, PrintedText } from "./details.ts";
import { ABOUT, STATEMENT } from "./first-page.ts";
import { ATTRIBUTION } from "./signer-blocks.ts";

const SOURCES: readonly Source[] = ["signed_here", "electronic_signed", "paper_upload"];
const ROOT = hashed("root certificate");
const VERIFIER = hashed("verifier");

const textFrom = (kind: PrintedText["kind"], path: string): PrintedText => {
  const text = readFileSync(new URL(`../../../server/${path}`, import.meta.url), "utf8");
  return { kind, version: "2026-01", sha256: hashed(text), text };
};
const texts = [
  textFrom("disclosure", "texts/disclosure/2026-01.en.md"),
  textFrom("intent", "texts/intent/2026-01.en.txt"),
  textFrom("terms", "texts/terms/2026-01.en.md"),
];

type Made = { readonly facts: Facts; readonly model: DocumentModel };

/** The certificate of a record changed by `change`, evaluated like on the server. */
function made(wish: Wish, change: (facts: Facts) => Facts = (facts) => facts, more: Partial<CertificateExtras> = {}): Made {
  const { facts: recorded, links } = makeRecord2(wish);
  const facts = change(recorded);
  return { facts, model: certificateOf(facts, evaluate(facts), { ...extras(facts, links), ...more }) };
}

function extras(facts: Facts, links: readonly Link[]): CertificateExtras {
  return {
    facts_sha256: hashOfJson(facts),
    root_sha256: ROOT,
    status_url: "https://sign.example.com/v/9f2c41d003aaf0ff1f2c41d003aaf0ff",
    trust_address: "https://sign.example.com/.well-known/countersign-trust.json",
    verifier: { address: "https://sign.example.com/verify/", sha256: VERIFIER },
    links,
    marks: [],
    texts,
    people: { usr_sam: "Sam Example" },
    paper: "a4",
  };
}

const fonts = openFonts();

/** The text of each page, with white space collapsed. */
async function read(model: DocumentModel): Promise<string[]> {
  const { bytes, pages } = await typeset(model, fonts);
  const numbers = Array.from({ length: pages }, (_, index) => index + 1);
  const read = await Promise.all(numbers.map((page) => pageText(bytes, page)));
  return read.map(({ blocks }) => spaced(blocks.join(" ")));
}
let kept: Promise<string[]> | null = null;
/** The certificate of an unchanged record, typeset once and shared by the tests. */
const standard = (): Promise<string[]> => {
  kept ??= read(made({ source: "signed_here", kba: true }).model);
  return kept;
};

const spaced = (text: string): string => text.replaceAll(/\s+/g, " ");
/** All pages as one text, without their footers. */
const joined = (pages: readonly string[]): string => pages.map((page) => page.replace(/ env_\S+ · page .*$/, "")).join(" ");

describe("the first page", () => {
  test.each(SOURCES)("%s: fits on one page with a score of 100, on A4 and on Letter", async (source) => {
    for (const paper of ["a4", "letter"] as const) {
      const { facts, model } = made({ source }, undefined, { paper });
      const [page = ""] = await read(model);
      const said = [
        `Compliance certificate: 100 of 100, attested. Proven: ${evaluate(facts).proven_score} of 100.`,
        "Loan agreement",
        ABOUT,
        "8 of 8 checks are satisfied",
        `As of 2026-03-05 04:00:00.000 UTC ${facts.chain.head?.seq} audit entries; 5,012 entries in the installation's log.`,
        "In this vault since",
        "env_a-r1",
        "Example (org_a)",
        facts.copy?.sha256,
        "34,000 bytes, 2 pages",
      ];
      const held = [
        "First Example Bank, N.A.",
        "Sam Example (usr_sam)",
        "CN=Example document seal",
        facts.seal?.certificate_sha256,
        "countersign-verify, at https://sign.example.com/verify/",
        `SHA-256 of that page ${VERIFIER}`,
        `Root SHA-256 ${ROOT}`,
        STATEMENT,
      ];
      for (const text of [...said, ...held]) expect(page).toContain(text);
      const { checks, warnings } = evaluate(facts);
      for (const { number, requirement, detail, weight, grade } of checks) {
        const name = grade === "proven" ? "Proven" : "Attested";
        expect(page).toContain(`${number} ${requirement} ${detail} ${name} ${weight} of ${weight}`);
      }
      expect(warnings.length).toBeGreaterThan(2);
      for (const { message } of warnings) expect(page).toContain(message);
    }
  });

  test("below 100 the title says NOT PASSED, and the failed check is listed with its points", async () => {
    const { model } = made({ source: "signed_here", party: null });
    expect(model.title).toBe("Compliance evaluation: NOT PASSED, 87 of 100. Proven: 50 of 100. env_a-r1");
    expect(model.blocks[0]).toMatchObject({ kind: "title", tone: "bad" });
    const [page = ""] = await read(model);
    expect(page).toMatch(/^Compliance evaluation: NOT PASSED, 87 of 100/);
    expect(page).toContain("7 of 8 checks are satisfied: 4 proven, 3 attested, 1 not shown Check 8: No secured party is named");
    expect(page).toContain("No secured party is named on the envelope. Not shown 0 of 13");
    expect(page).not.toContain("Compliance certificate");
  });

  test("green is for records of which every check is proven", () => {
    const { facts } = makeRecord2({ source: "signed_here" });
    const attested = evaluate(facts);
    const proven: typeof attested = {
      ...attested,
      proven_score: 100,
      standing: "proven",
      checks: attested.checks.map((check) => ({ ...check, grade: "proven" })),
    };
    const toned = (evaluation: typeof attested) => {
      const { blocks, title } = certificateOf(facts, evaluation, extras(facts, []));
      const callout = blocks.find(({ kind }) => kind === "callout");
      return [title, ...[blocks[0], callout].map((block) => (block !== undefined && "tone" in block ? block.tone : null))];
    };
    expect(toned(attested)).toEqual(["Compliance certificate: 100 of 100, attested. Proven: 50 of 100. env_a-r1", "caution", "caution"]);
    expect(toned(proven)).toEqual(["Compliance certificate: 100 of 100, proven. env_a-r1", "good", "good"]);
  });

  test.each([
    ["exported", "COPY LEFT THIS VAULT", "The authoritative copy ac_a left this vault on 2026-03-05 03:50:00.000 UTC."],
    ["destroyed", "COPY DESTROYED", "The authoritative copy ac_a was destroyed on 2026-03-05 03:50:00.000 UTC."],
  ] as const)("a copy that is %s is said in the title and below it", async (state, title, sentence) => {
    const ended = (facts: Facts): Facts => ({
      ...facts,
      copy: facts.copy === null ? null : { ...facts.copy, state, state_since: minute(50) },
    });
    const { facts, model } = made({ source: "signed_here" }, ended);
    const { score, proven_score } = evaluate(facts);
    const [page = ""] = await read(model);
    expect(page).toContain(`Compliance evaluation: ${title}, ${score} of 100. Proven: ${proven_score} of 100.`);
    expect(page).toContain(sentence);
    expect(model.blocks[0]).toMatchObject({ tone: "bad" });
  });

  test("detected damage is shown, although it is not scored", async () => {
    const tampered = (facts: Facts): Facts => ({
      ...facts,
      copy: facts.copy === null ? null : { ...facts.copy, state: "tampered", state_since: facts.evaluated_at },
    });
    const [page] = await read(made({ source: "signed_here" }, tampered).model);
    expect(page).toContain("Damage was detected Stored bytes were found altered or missing");
  });
});

describe("the following pages", () => {
  test.each(SOURCES)("%s: show each check with condition, legal reference, finding and evidence", (source) => {
    const { facts, model } = made({ source });
    for (const { number, legal_reference, requirement, detail, grade_reason } of evaluate(facts).checks) {
      const at = model.blocks.findIndex((block) => block.kind === "heading" && block.level === 2 && block.text.startsWith(`${number}. `));
      const block = model.blocks[at + 1];
      if (block?.kind !== "pairs") throw new Error(`check ${number} has no block`);
      const labels = block.rows.map(({ label }) => label);
      expect(labels.slice(0, 5)).toEqual(["Grade", "Requirement", "Legal reference", "Condition", "Finding"]);
      expect(labels.length).toBeGreaterThan(5);
      const values = JSON.stringify(block.rows);
      for (const text of [legal_reference, requirement, detail, grade_reason]) expect(values).toContain(JSON.stringify(text).slice(1, -1));
    }
  });

  test("show every signer with order, times, address, browser, methods and mark", async () => {
    const { facts } = makeRecord2({ source: "signed_here", kba: true });
    const text = joined(await standard());
    expect(text).toContain(ATTRIBUTION);
    for (const { order, name, email, sessions, consents, kba, signatures, signed_at } of facts.signers) {
      expect(text).toContain(`Signer ${order}: ${name} E-mail ${email}`);
      const times = [
        ...sessions.map(({ opened_at }) => opened_at),
        ...consents.flatMap(({ rendered_at, accepted_at }) => [rendered_at, accepted_at]),
      ];
      for (const time of [...times, ...kba.map(({ at }) => at), signed_at])
        expect(text).toContain(`${time?.slice(0, 10)} ${time?.slice(11, 23)}`);
      for (const { ip, user_agent } of sessions) expect(text).toContain(`link sent by e-mail ${ip} ${user_agent}`);
      for (const { kind, position, method, mark_sha256 } of signatures) {
        expect(text).toContain(`${kind} ${position} ${method} ${mark_sha256.slice(0, 16)}`);
      }
    }
  });

  const WHO = "Ann Example <ann@example.com>, Sam Example <sam@example.com>";
  test.each<[string, Partial<SessionFacts>, string, string]>([
    [
      "an embed token, with its key",
      { credential: "embed_token", issued_by: "lk_a" },
      `Identity asserted by Example ${WHO}: signed with an embed token (key lk_a).`,
      "embed token: identity asserted by Example, key lk_a",
    ],
    [
      "an embed token created by a user",
      { credential: "embed_token", issued_by: "usr_sam" },
      `Identity asserted by Example ${WHO}: signed with an embed token (Sam Example (usr_sam)).`,
      "embed token: identity asserted by Example, Sam Example (usr_sam)",
    ],
    [
      "a handed-over link",
      { link_kind: "handed_over", issued_by: "lk_a" },
      `Identity asserted by Example ${WHO}: signed with a link that was handed over (key lk_a).`,
      "link handed over by key lk_a",
    ],
    [
      "a link that API keys could read",
      { link_kind: "shared" },
      `Signing links that API keys could read ${WHO}: signed with a link that was sent by e-mail and that API keys of Example could also read.`,
      "link sent by e-mail, which API keys of Example could also read",
    ],
    [
      "a link in a message that was not sent",
      { link_kind: "mailed", mail_sent_at: null },
      `E-mail not recorded as sent ${WHO}: signed with a link in a message that no mail server is recorded to have accepted.`,
      "link in a message that no mail server is recorded to have accepted",
    ],
  ])("%s is described on the first page and with the signer", async (_, session, first, later) => {
    const opened = (facts: Facts): Facts => ({
      ...facts,
      signers: facts.signers.map((signer) => ({
        ...signer,
        sessions: signer.sessions.map(({ link_kind: _kind, message_id: _id, mail_sent_at: _at, ...one }) => ({ ...one, ...session })),
      })),
    });
    const [page1, ...more] = await read(made({ source: "signed_here" }, opened).model);
    expect(page1).toContain(first);
    expect(more.join(" ")).toContain(later);
  });

  describe("the marks", () => {
    const drawn = Buffer.from(
      JSON.stringify({
        w: 600,
        h: 200,
        strokes: [
          [
            [10, 10, 0],
            [300, 150, 20],
            [500, 20, 40],
          ],
        ],
      }),
    );
    const typed = Buffer.from(JSON.stringify({ text: "Sam Example", font: "caveat" }));
    const png = makePng({ width: 40, height: 20, depth: 8, color: 6, pixel: () => [0, 0, 90, 255] });
    const markOf = (method: string, content: Uint8Array) => ({
      sha256: createHash("sha256").update(content).digest("hex"),
      method,
      content,
    });
    const marks = [markOf("drawn", drawn), markOf("typed", typed), markOf("uploaded", png)];
    const withMarks = (facts: Facts): Facts => ({
      ...facts,
      signers: facts.signers.map((signer, index) => ({
        ...signer,
        signatures: signer.signatures.map((one, field) => {
          const mark = marks[field === 0 ? index : 2];
          return mark === undefined ? one : { ...one, mark_sha256: mark.sha256, method: mark.method };
        }),
      })),
    });
    const picturesIn = ({ blocks }: DocumentModel) =>
      blocks
        .flatMap((block) => (block.kind === "table" ? block.rows.flat() : []))
        .filter((cell) => typeof cell === "object" && "picture" in cell);

    test("are shown as pictures, each once for a signer", async () => {
      const { model } = made({ source: "signed_here" }, withMarks, { marks });
      expect(picturesIn(model)).toMatchObject([
        {
          picture: {
            kind: "drawn",
            w: 600,
            strokes: [
              [
                [10, 10, 0],
                [300, 150, 20],
                [500, 20, 40],
              ],
            ],
          },
          alt: "Signature of Ann Example",
        },
        { picture: { kind: "uploaded", png: Buffer.from(png).toString("base64") }, alt: "Initials of Ann Example" },
        { picture: { kind: "typed", text: "Sam Example", font: "caveat" }, alt: "Signature of Sam Example" },
        { picture: { kind: "uploaded" }, alt: "Initials of Sam Example" },
      ]);
      expect(joined(await read(model)).replaceAll(" ", "")).toContain(`Signaturedrawn${marks[0]?.sha256}`);
    });

    test("are not shown if their bytes are missing or do not have the recorded hash", async () => {
      const changed = marks.map((mark, index) => (index === 0 ? { ...mark, content: typed } : mark)).slice(0, 2);
      const { model } = made({ source: "signed_here" }, withMarks, { marks: changed });
      expect(picturesIn(model)).toMatchObject([{ alt: "Signature of Sam Example" }]);
      expect(joined(await read(model))).toContain("Signature drawn its bytes are not available");
    });
  });

  describe("the invitation", () => {
    const mail = (type: string, data: Told["data"] = {}): Told => ({
      type: `mail.${type}`,
      actor: { kind: "system", id: "system" },
      data: { message_id: "msg_a", kind: "signing_invitation", to: "Ann@example.com", ...data },
    });
    const invitations = (acts: readonly Told[], change?: (facts: Facts) => Facts): unknown[] =>
      made({ source: "signed_here", acts: (all) => [...all, ...acts] }, change).model.blocks.flatMap((block) =>
        block.kind === "pairs" ? block.rows.filter(({ label }) => label === "Invitation").map(({ value }) => value) : [],
      );
    const aloneUsed = (facts: Facts): Facts => ({
      ...facts,
      signers: facts.signers.map((signer, index) => ({
        ...signer,
        sessions: signer.sessions.map((session) => ({ ...session, message_id: `msg_${index}`, mail_sent_at: null })),
      })),
    });
    const at = (n: number): string => minute(n).replace("T", " ").replace("Z", " UTC");

    test("names every reply of a mail server and every report of the mail provider", () => {
      const last = makeRecord2({ source: "signed_here" }).links.length;
      const [ann, sam] = invitations(
        [
          mail("accepted", { message_id: "msg_0", code: 250 }),
          mail("delivered", { message_id: "msg_0" }),
          mail("bounced", { message_id: "msg_0" }),
        ],
        aloneUsed,
      );
      expect(ann).toEqual([
        `Accepted by mail server (250) ${at(last)}`,
        `Delivered, as the mail provider reports ${at(last + 1)}`,
        `Bounced, as the mail provider reports ${at(last + 2)}`,
      ]);
      expect(sam).toEqual([{ text: "Queued; no mail server is recorded to have accepted it", tone: "quiet" }]);
    });

    test("of a record from before mail was recorded has the time that was kept with the link", () => {
      expect(invitations([])[0]).toEqual(["Accepted by mail server 2026-03-05 03:04:30.000 UTC"]);
    });

    test("without a link is not recorded, and a message that has no link is left out", () => {
      const byToken = (facts: Facts): Facts => ({
        ...facts,
        signers: facts.signers.map((signer) => ({
          ...signer,
          sessions: signer.sessions.map(({ link_kind: _kind, message_id: _id, mail_sent_at: _at, ...one }) => ({
            ...one,
            credential: "embed_token",
          })),
        })),
      });
      expect(invitations([mail("accepted", { message_id: "msg_9", kind: "document_copy" })], byToken)[0]).toEqual([
        { text: "not recorded", tone: "quiet" },
      ]);
    });
  });

  test("show the signer's local time beside UTC, if the browser stated a zone that exists", async () => {
    const inZone = (timezone: string | null) => (acts: readonly Told[]) =>
      acts.map((told) => (told.type === "signature.applied" ? { ...told, data: { ...told.data, timezone } } : told));
    const textIn = async (timezone: string | null) => joined(await read(made({ source: "signed_here", acts: inZone(timezone) }).model));
    expect(await textIn("Asia/Kolkata")).toContain("Signed 2026-03-05 03:08:00.000 UTC 2026-03-05 08:38:00 Asia/Kolkata (UTC+05:30)");
    for (const zone of ["Mars/Base", null]) {
      const text = await textIn(zone);
      expect(text).toContain("Signed 2026-03-05 03:08:00.000 UTC");
      expect(text).not.toContain("Mars");
    }
  });

  test("show who accepted the terms, with which credential and when", async () => {
    const naming = (accepted_by: unknown) => (acts: readonly Told[]) =>
      acts.map((told) => (told.type === "certification.accepted" ? { ...told, data: { ...told.data, accepted_by } } : told));
    const textWith = async (accepted_by: unknown) => joined(await read(made({ source: "signed_here", acts: naming(accepted_by) }).model));
    const credential = "Credential Log-in of Sam Example (usr_sam) Accepted 2026-03-05 03:02:00.000 UTC, entry 3 Terms 2026-01";
    expect(await textWith({ name: "Kim Example", email: "kim@example.com" })).toContain(
      `Accepted by Kim Example kim@example.com ${credential}`,
    );
    expect(await textWith(null)).toContain(`Accepted by no person was named; the credential accepted ${credential}`);
  });

  test("say what the record does not have", async () => {
    const text = joined(await standard());
    const [, lacking = ""] = text.split("What this record does not have");
    const said = lackCodes.filter((code) => lacking.includes(lackSentences[code]));
    expect(said).toEqual(["no_mail_evidence", "no_external_time", "no_witness", "seal_without_validation_data", "parties_unconfirmed"]);
  });

  test("do not show entries that came after the facts were gathered", () => {
    const { facts, links } = makeRecord2({ source: "signed_here" });
    const earlier = makeRecord2({ source: "signed_here", acts: (acts) => acts.slice(0, -1) });
    const { blocks } = certificateOf({ ...facts, chain: earlier.facts.chain }, evaluate(facts), extras(facts, links));
    const trail = blocks.findLast((block) => block.kind === "table");
    expect(trail?.kind === "table" ? trail.rows.length : 0).toBe(links.length - 1);
  });

  test("a mailed link is not questioned on the first page, and no slug is printed", async () => {
    const [page1 = "", ...more] = await standard();
    expect(page1).not.toMatch(/Identity asserted|could read|not recorded as sent/);
    for (const { slug } of makeRecord2({ source: "signed_here", kba: true }).facts.signers)
      expect(joined([page1, ...more])).not.toContain(slug);
  });

  test("attested facts are called declared, and no acts in this service are shown for them", async () => {
    const text = joined(await read(made({ source: "paper_upload" }).model));
    expect(text).toContain("was declared to the system by the person named; the system did not observe it.");
    expect(text).toContain("Ann Example ann@example.com Buyer 2026-01-01 notary");
    expect(text).not.toContain("applied in this service");
    expect(text).not.toContain(ATTRIBUTION);
  });

  test("show custody and assignees, each change with its consent", async () => {
    const changed = (facts: Facts): Facts => {
      const [first] = facts.assignments;
      const [active] = facts.permissions;
      if (first === undefined || active === undefined) throw new Error("a record has both");
      const given_by = { name: "First Example Bank, N.A.", email: null };
      const consent = { method: "written", given_by, statement: "We agree.", given_at: "2026-02-01T00:00:00.000Z" } as const;
      return {
        ...facts,
        assignments: [first, { ...first, seq: 2, party: { name: "Second Example Bank" }, consent, entry_seq: 40 }],
        permissions: [
          { ...active, state: "released", closed_at: "2026-02-02T00:00:00.000Z" },
          { ...active, permission_id: "cp_2", user_id: "usr_ann", from_user_id: "usr_sam" },
        ],
      };
    };
    const text = joined(await read(made({ source: "signed_here" }, changed).model));
    expect(text).toContain(
      "2 Second Example Bank written by First Example Bank, N.A. 2026-02-01 00:00:00.000 UTC “We agree.” effective 40",
    );
    expect(text).toContain("Sam Example usr_sam cp_1 released");
    expect(text).toContain("usr_ann from Sam Example (usr_sam) cp_2 active");
  });

  test("show every audit entry with number, time in milliseconds, type, actor and 16 digits of its hash", async () => {
    const text = joined(await standard());
    const { links } = makeRecord2({ source: "signed_here", kba: true });
    expect(links.length).toBeGreaterThan(20);
    for (const { entry } of links) {
      const time = `${entry.at.slice(0, 10)} ${entry.at.slice(11, 23)}`;
      const { kind, id } = entry.actor;
      const of = { signer: `Signer ${id === "slug-ann" ? 1 : 2}`, system: "the service" };
      const actor = Object(of)[kind] ?? `${kind} ${id}`;
      expect(text).toContain(`${entry.seq} ${time} ${entry.type} ${actor} ${entry.hash.slice(0, 16)}`);
    }
  });

  test("show disclosure, intent and terms in full, each with its hash", async () => {
    const text = joined(await standard());
    for (const { sha256, text: whole } of texts) {
      expect(text).toContain(sha256);
      for (const line of whole.split("\n").filter((one) => one.trim() !== ""))
        expect(text).toContain(spaced(line.replace(/^#+ /, "").trim()));
    }
  });

  test("explain how to verify it without us, with the root's fingerprint", async () => {
    const text = joined(await standard());
    expect(text.slice(text.indexOf("How to verify this without us"))).toContain(ROOT);
    expect(text).toContain("countersign-verify bundle.zip --root");
  });

  test("show every warning, and the certificate and document on every page", async () => {
    const { facts } = makeRecord2({ source: "signed_here", kba: true });
    const pages = await standard();
    const { warnings } = evaluate(facts);
    expect(warnings.length).toBeGreaterThan(2);
    for (const { message } of warnings) expect(joined(pages)).toContain(message);
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(`env_a-r1 · page ${index + 1} of ${pages.length} · ${facts.copy?.sha256.slice(0, 16)}`);
    }
  });
});

describe("the claims of the certificate", () => {
  // vault.md, section 18.
  const NEVER = [
    /perfected/i,
    /control is established/i,
    /UCC[- ]compliant/i,
    /legally binding/i,
    /enforceable/i,
    /court[- ]admissible/i,
    /tamper[- ]?proof/i,
    /identity verified/i,
    /(qualified|advanced) (electronic )?signature/i,
    /\bLTV\b/,
    /trusted time/i,
    /\beNote\b/i,
    /electronic original/i,
    /notari[sz]ed/i,
  ];
  const changes: Readonly<Record<string, (facts: Facts) => Facts>> = {
    "as it is": (facts) => facts,
    "with nothing stored": (facts) => ({
      ...facts,
      copy: null,
      document: null,
      seal: null,
      checkpoint: null,
      rendition: null,
      permissions: [],
    }),
    "with a token": (facts) => ({
      ...facts,
      time: { configured: true, token: { gen_time: facts.evaluated_at, valid: true, fault: null, tree_size: 5012 }, failure: null },
      times: [{ tree_size: 5012, kind: "token", at: facts.evaluated_at, by: "CN=Example TSA", valid: true }],
    }),
    "with no signer": (facts) => ({ ...facts, signers: [], attestation: null, texts: [] }),
  };

  test.each(SOURCES)("%s: contain no word that claims too much, in the model or in the PDF", async (source) => {
    for (const [name, change] of Object.entries(changes)) {
      for (const wish of [{ source }, { source, party: null, attested: false }]) {
        const text = JSON.stringify(made(wish, change).model);
        expect(
          NEVER.filter((words) => words.test(text)),
          name,
        ).toEqual([]);
      }
    }
    const printed = joined(await read(made({ source, party: null }).model));
    expect(NEVER.filter((words) => words.test(printed))).toEqual([]);
  });

  test("are searched with a search that finds such words", async () => {
    const claiming = (facts: Facts): Facts => ({ ...facts, envelope: { ...facts.envelope, envelope_name: "A legally binding eNote" } });
    const text = joined(await read(made({ source: "signed_here" }, claiming).model));
    expect(NEVER.filter((words) => words.test(text))).toHaveLength(2);
  });

  test("call our own clock self-operated, unless a token verifies", async () => {
    const own = SELF_OPERATED.slice("Time source: s".length);
    const withToken =
      (valid: boolean) =>
      (facts: Facts): Facts => ({
        ...facts,
        time: {
          configured: true,
          token: { gen_time: facts.evaluated_at, valid, fault: valid ? null : "imprint", tree_size: 9 },
          failure: null,
        },
        times: [{ tree_size: 9, kind: "token", at: facts.evaluated_at, by: "CN=Example TSA", valid }],
      });
    expect(joined(await standard())).toContain(own);
    const refused = joined(await read(made({ source: "signed_here" }, withToken(false)).model));
    expect(refused).toContain(own);
    expect(refused).toContain("none that is valid (imprint)");
    expect(joined(await read(made({ source: "signed_here" }, withToken(true)).model))).not.toContain(own);
  });

  test("do not exist for a preview", () => {
    expect(() => made({ source: "signed_here" }, (facts) => ({ ...facts, certificate: null }))).toThrow("a preview has no certificate");
  });
});

test("the same arguments give the same model, and it is plain data", () => {
  const [first, second] = [made({ source: "signed_here" }).model, made({ source: "signed_here" }).model];
  expect(first).toEqual(second);
  expect(JSON.parse(JSON.stringify(first))).toEqual(first);
});

test("long names and e-mail addresses are printed in full", async () => {
  const name = "Ann ".repeat(60).trim();
  const email = `${"a".repeat(60)}@${"b".repeat(47)}.example.com`;
  expect(email).toHaveLength(120);
  const change = (facts: Facts): Facts => ({
    ...facts,
    envelope: { ...facts.envelope, envelope_name: name, secured_party: { name, email } },
    signers: facts.signers.map((signer) => ({ ...signer, name, email })),
  });
  const text = joined(await read(made({ source: "signed_here" }, change).model));
  expect(text).toContain(`Signer 1: ${name} E-mail`);
  expect(text.replaceAll(" ", "")).toContain(email);
});

test("the codes of a signer are printed with their times, where they were sent, and the level", () => {
  const { facts, model } = made({ source: "signed_here", methods: ["email_code", "access_code"] }, (before) => ({
    ...before,
    signers: before.signers.map((signer) => ({
      ...signer,
      identity: (signer.identity ?? []).map((one) => (one.method === "email_code" ? { ...one, hint: "a***@example.com" } : one)),
    })),
  }));
  const printed = JSON.stringify(model);
  for (const { at } of facts.signers.flatMap(({ identity = [] }) => identity))
    expect(printed).toContain(at.replace("T", " ").replace("Z", ""));
  expect(printed).toContain("code sent by e-mail to a***@example.com");
  expect(printed).toContain("access code set by the sender");
  expect(printed).toContain("Identity level 2 of 3 (levels of this service, not of eIDAS)");
});

test("a code that was required and not passed is printed as missing", () => {
  const { model } = made({ source: "signed_here", methods: ["access_code"] }, (before) => ({
    ...before,
    signers: before.signers.map((signer) => ({ ...signer, identity: [] })),
  }));
  expect(JSON.stringify(model)).toContain("required access code set by the sender not passed");
});
