// Tests the model as data, and the PDF as readers see it: typeset by the PDF engine and read back with PDFium.

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type DocumentModel, openFonts, pageText, typeset } from "../../../pdf/src/index.ts";
import { hashed, makeRecord, type Wish } from "../../fixtures/record.ts";
import type { Facts, SessionFacts, Source } from "../facts.ts";
import { hashOfJson } from "../rules/1/chain-facts.ts";
import { evaluate } from "../rules/1/checks/evaluate.ts";
import { SELF_OPERATED } from "../rules/1/checks/warnings.ts";
import { certificateOf } from "./certificate-of.ts";
import type { CertificateExtras, PrintedText } from "./details.ts";
import { STATEMENT } from "./first-page.ts";
import { ATTRIBUTION } from "./signer-blocks.ts";

const SOURCES: readonly Source[] = ["signed_here", "electronic_signed", "paper_upload"];
const ROOT = hashed("root certificate");

const textFrom = (kind: PrintedText["kind"], path: string): PrintedText => {
  const text = readFileSync(new URL(`../../../server/${path}`, import.meta.url), "utf8");
  return { kind, version: "2026-01", sha256: hashed(text), text };
};
const texts = [
  textFrom("disclosure", "texts/disclosure/2026-01.en.md"),
  textFrom("intent", "texts/intent/2026-01.en.txt"),
  textFrom("terms", "terms/2026-01.md"),
];

type Made = { readonly facts: Facts; readonly model: DocumentModel };

/** The certificate of a record changed by `change`, evaluated like on the server. */
function made(wish: Wish, change: (facts: Facts) => Facts = (facts) => facts, more: Partial<CertificateExtras> = {}): Made {
  const { facts: recorded, links } = makeRecord(wish);
  const facts = change(recorded);
  const model = certificateOf(facts, evaluate(facts), {
    facts_sha256: hashOfJson(facts),
    root_sha256: ROOT,
    trust_address: "https://sign.example.com/.well-known/countersign-trust.json",
    entries: links.map(({ entry }) => entry),
    texts,
    people: { usr_sam: "Sam Example" },
    paper: "a4",
    ...more,
  });
  return { facts, model };
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
        "Compliance certificate",
        "Loan agreement",
        "100 of 100",
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
        STATEMENT,
      ];
      for (const text of [...said, ...held, SELF_OPERATED.slice("Time source: ".length + 1)]) expect(page).toContain(text);
      const { checks } = evaluate(facts);
      const rows = checks.map(
        ({ number, requirement, detail, weight }) => `${number} ${requirement} ${detail} PASS ${weight} of ${weight}`,
      );
      for (const row of rows) expect(page).toContain(row);
    }
  });

  test("below 100 the title says NOT PASSED, and the failed check is listed with its points", async () => {
    const { model } = made({ source: "signed_here", party: null });
    expect(model.title).toBe("Compliance evaluation: NOT PASSED env_a-r1");
    const [page = ""] = await read(model);
    expect(page).toMatch(
      /^Compliance evaluation: NOT PASSED Loan agreement 7 of 8 checks are satisfied Check 8: No secured party is named/,
    );
    expect(page).toContain("No secured party is named on the envelope. FAIL 0 of 13");
    expect(page).toContain("87 of 100");
    expect(page).not.toContain("Compliance certificate");
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
    for (const { number, legal_reference, requirement, detail } of evaluate(facts).checks) {
      const at = model.blocks.findIndex((block) => block.kind === "heading" && block.level === 2 && block.text.startsWith(`${number}. `));
      const block = model.blocks[at + 1];
      if (block?.kind !== "pairs") throw new Error(`check ${number} has no block`);
      const labels = block.rows.map(({ label }) => label);
      expect(labels.slice(0, 5)).toEqual(["Result", "Requirement", "Legal reference", "Condition", "Finding"]);
      expect(labels.length).toBeGreaterThan(5);
      const values = JSON.stringify(block.rows);
      for (const text of [legal_reference, requirement, detail]) expect(values).toContain(JSON.stringify(text).slice(1, -1));
    }
  });

  test("show every signer with order, times, address, browser, methods and mark", async () => {
    const { facts } = makeRecord({ source: "signed_here", kba: true });
    const text = joined(await standard());
    expect(text).toContain(ATTRIBUTION);
    for (const { order, name, email, sessions, consents, kba, signatures, signed_at } of facts.signers) {
      expect(text).toContain(`${order}. ${name} E-mail ${email}`);
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

  test("a mailed link is not questioned on the first page, and no slug is printed", async () => {
    const [page1 = "", ...more] = await standard();
    expect(page1).not.toMatch(/Identity asserted|could read|not recorded as sent/);
    for (const { slug } of makeRecord({ source: "signed_here", kba: true }).facts.signers)
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
    const { links } = makeRecord({ source: "signed_here", kba: true });
    expect(links.length).toBeGreaterThan(20);
    for (const { entry } of links) {
      const time = `${entry.at.slice(0, 10)} ${entry.at.slice(11, 23)}`;
      const actor =
        entry.actor.kind === "signer" ? `signer ${entry.actor.id === "slug-ann" ? 1 : 2}` : `${entry.actor.kind} ${entry.actor.id}`;
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
    const { facts } = makeRecord({ source: "signed_here", kba: true });
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
  expect(text).toContain(`1. ${name} E-mail`);
  expect(text.replaceAll(" ", "")).toContain(email);
});
