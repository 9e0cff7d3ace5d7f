import { describe, expect, test } from "vitest";
import { type Draft, NEVER_SAID } from "../../../../fixtures/changes.ts";
import { bank, envelope_id, minute, org_id, type Told } from "../../../../fixtures/record.ts";
import { makeRecord2 } from "../../../../fixtures/record-2.ts";
import { inRanges } from "../../../certificate/annex-blocks.ts";
import { certificateOf } from "../../../certificate/certificate-of.ts";
import type { ActFacts, ApprovalFacts, Facts2, RecordType } from "../../../facts-2.ts";
import { hashOfJson } from "../../1/chain-facts.ts";
import { complianceJson } from "../compliance.ts";
import { evaluate } from "../evaluate.ts";
import { firstContradiction } from "../facts-against-chain.ts";

type Change = (facts: Draft<Facts2>) => void;

const sources = ["signed_here", "electronic_signed", "paper_upload"] as const;

const declared =
  (record_type: RecordType) =>
  (all: readonly Told[]): Told[] =>
    all.map((told) => (told.type === "envelope.created" ? { ...told, data: { ...told.data, record_type } } : told));

/** A record of this type, in order, on which these acts took effect. */
function recordOf(
  record_type: RecordType,
  more: { acts?: readonly Omit<ActFacts, "entry_seq">[]; told?: readonly Told[]; change?: Change } = {},
) {
  const { acts = [], told = [], change } = more;
  const actor = { kind: "system", id: "system" };
  const ofActs = acts.flatMap(({ act_id, kind, sha256, approvals }): Told[] => [
    ...approvals.map(({ proof, ...said }) => ({
      type: "act.confirmed",
      actor,
      data: { act_id, kind, sha256, ...said, proof_sha256: proof === null ? null : hashOfJson(proof) },
    })),
    { type: "act.effective", actor, data: { act_id, kind, sha256, version: 2 } },
  ]);
  const wish = { source: "signed_here", acts: (all: readonly Told[]) => [...declared(record_type)(all), ...told, ...ofActs] } as const;
  return makeRecord2(wish, (facts) => {
    facts.identity.record_type = record_type;
    const effective = facts.chain.milestones.filter(({ type }) => type === "act.effective");
    facts.acts = acts.map((act, index) => ({ ...structuredClone(act), entry_seq: effective[index]?.seq ?? 0 })) as Draft<Facts2>["acts"];
    change?.(facts);
  });
}

const clausesOf = (facts: Facts2) => (evaluate(facts).annexes ?? []).flatMap(({ clauses }) => clauses);
const clauseOf = (facts: Facts2, clause: string) => clausesOf(facts).find((each) => each.clause === clause) ?? expect.fail(clause);

const copy_sha256 = makeRecord2({ source: "signed_here" }).facts.copy?.sha256 ?? "";

function actOf(kind: string, document: object, approval: Partial<ApprovalFacts> | null = {}): Omit<ActFacts, "entry_seq"> {
  const act_id = `act_${kind}`;
  const whole = { type: "countersign/act/1", act_id, kind, org_id, envelope_id, copy_sha256, user: null, party: null, ...document };
  const given = {
    role: "controller",
    party_id: "pty_bank",
    email: "ann@bank.example",
    method: "key",
    is_member: false,
    proof: null,
  } as const;
  return {
    act_id,
    kind,
    sha256: hashOfJson(whole),
    document: whole as never,
    approvals: approval === null ? [] : [{ ...given, ...approval }],
  };
}

describe("the annexes", () => {
  test("belong to the type of the record, and another type has none", () => {
    const titles = (type: RecordType) => evaluate(recordOf(type).facts).annexes?.map(({ title }) => title);
    expect(titles("chattel_paper")).toEqual(["UCC 9-105(b)", "UCC 9-105(c) to (g), text of 2022"]);
    expect(titles("transferable_record")).toEqual(["15 USC 7021(a)(1)(B) and (c)", "UETA 16(a)(2) and (c)"]);
    expect(titles("other")).toBeUndefined();
    expect(complianceJson(recordOf("other").facts)).not.toContain("annexes");
  });

  test("change no score, name only entries of the trail, and draw no conclusion", () => {
    for (const type of ["chattel_paper", "transferable_record"] as const) {
      const { facts, links } = recordOf(type);
      expect(firstContradiction(facts, links)).toBeNull();
      const { score, proven_score } = evaluate(recordOf("other").facts);
      expect(evaluate(facts)).toMatchObject({ score, proven_score });
      const clauses = clausesOf(facts);
      for (const { entries } of clauses) expect(entries).toEqual([...entries].filter((seq) => seq >= 1 && seq <= links.length));
      const said = JSON.stringify(clauses).toLowerCase();
      expect(NEVER_SAID.filter((phrase) => said.includes(phrase))).toEqual([]);
      expect(said).not.toMatch(/\b(complies|satisfies|satisfied|fulfil|established|valid title|has control)\b/);
    }
  });

  test.each(sources)("of a record in order (%s) have these grades", (source) => {
    const { facts } = makeRecord2({ source, acts: declared("chattel_paper") }, (draft) => (draft.identity.record_type = "chattel_paper"));
    const checks = evaluate(facts).checks.map(({ grade }) => grade);
    const weaker = checks[0] === "proven" && checks[1] === "proven" ? "proven" : "attested";
    expect(clausesOf(facts).map(({ clause, grade }) => [clause, grade])).toEqual([
      ["9-105(b)(1)", weaker],
      ["9-105(b)(2)", "attested"],
      ["9-105(b)(3)", "attested"],
      ["9-105(b)(4)", "proven"],
      ["9-105(b)(5)", "attested"],
      ["9-105(b)(6)", checks[1]],
      ["9-105(c)(1)", "attested"],
      ["9-105(c)(2)", "attested"],
      ["9-105(c)(3)(A)", "attested"],
      ["9-105(c)(3)(B)", "attested"],
      ["9-105(d)(1)", "attested"],
      ["9-105(d)(2)", "proven"],
      ["9-105(e)", "proven"],
      ["9-105(f)", "attested"],
      ["9-105(g)(1)", "not_shown"],
      ["9-105(g)(2)", "not_shown"],
    ]);
  });

  test.each<[string, string, Change, string]>([
    [
      "a copy without the mark",
      "9-105(b)(5)",
      (facts) => Object.assign(facts.rendition ?? {}, { marked_pages: 1 }),
      "A copy without the mark was made.",
    ],
    [
      "a copy that left",
      "9-105(b)(1)",
      (facts) => Object.assign(facts.copy ?? {}, { state: "exported", state_since: minute(80) }),
      expect.any(String) as never,
    ],
    [
      "altered bytes",
      "9-105(b)(6)",
      (facts) => Object.assign(facts.copy ?? {}, { found_sha256: "0".repeat(64) }),
      expect.any(String) as never,
    ],
    ["no assignee", "9-105(b)(2)", (facts) => Object.assign(facts, { assignments: [] }), expect.any(String) as never],
    ["no assignee", "9-105(b)(4)", (facts) => Object.assign(facts, { assignments: [] }), "The register of assignees is empty."],
    [
      "a placeholder",
      "9-105(b)(2)",
      (facts) => Object.assign(facts.envelope.secured_party ?? {}, { name: "TBD" }),
      'The secured party\'s name is a placeholder ("TBD").',
    ],
    ["a broken trail", "9-105(b)(4)", (facts) => (facts.chain.fault = { kind: "hash", seq: 3 } as never), expect.any(String) as never],
    ["nothing stored", "9-105(c)(1)", (facts) => (facts.copy = null), "No authoritative copy is stored."],
  ])("show %s as not shown: %s", (_, clause, change, reason) => {
    expect(clauseOf(recordOf("chattel_paper", { change }).facts, clause)).toMatchObject({ grade: "not_shown", reason });
  });

  test("name a pledge while it stands, with the entries of its act", () => {
    const party = { party_id: "pty_pledgee", name: "Second Example Bank", identifier: null };
    const standing = recordOf("chattel_paper", { acts: [actOf("pledge", { party })] });
    const clause = clauseOf(standing.facts, "9-105(d)(2)");
    expect(clause.fact).toBe(
      "Second Example Bank holds a pledge by act_pledge; while it stands, this service asks Second Example Bank too.",
    );
    expect(clause.entries.map((seq) => standing.links[seq - 1]?.entry.type)).toEqual(["act.confirmed", "act.effective"]);
    const ended = recordOf("chattel_paper", { acts: [actOf("pledge", { party }), actOf("release_pledge", { party })] });
    expect(clauseOf(ended.facts, "9-105(d)(2)").fact).toBe("No pledge and no share of another party is on record.");
  });

  test("count legal holds that the trail names, and facts that leave one out contradict it", () => {
    const hold: Told = {
      type: "vault.hold_placed",
      actor: { kind: "user", id: "usr_sam" },
      data: { hold_id: "hold_1", reason: "Lawsuit" },
    };
    const { facts, links } = recordOf("chattel_paper", { told: [hold] });
    expect(clauseOf(facts, "9-105(d)(1)").fact).toContain("1 legal hold was placed and 0 ended");
    const hidden = { ...facts, chain: { ...facts.chain, milestones: facts.chain.milestones.filter(({ type }) => type !== hold.type) } };
    expect(firstContradiction(hidden, links)).not.toBeNull();
  });

  describe("about the statement of a custodian", () => {
    const statement = (user_id: string, name: string) =>
      actOf(
        "acknowledge_control",
        { user: { user_id, name: "Sam" }, present_party: { party_id: null, name, identifier: null } },
        { role: "custodian", party_id: null, email: "sam@example.com", method: "session", is_member: true },
      );

    test("say for whom the custodian holds the record, and that the custodian belongs to the depositor", () => {
      const { facts, links } = recordOf("chattel_paper", { acts: [statement("usr_sam", bank.name)] });
      expect(firstContradiction(facts, links)).toBeNull();
      const { fact, grade, reason, entries } = clauseOf(facts, "9-105(g)(1)");
      expect(fact).toBe(
        `Sam, the custodian, stated in act_acknowledge_control that they hold the record for ${bank.name}. The custodian is a member of ${facts.org.name}, which deposited the record.`,
      );
      expect([grade, reason]).toEqual([
        "attested",
        "sam@example.com confirmed it by log-in; the statement rests on the log-in of this service alone.",
      ]);
      expect(entries).toHaveLength(2);
    });

    test.each([
      ["another custodian", statement("usr_ann", bank.name)],
      ["another assignee", statement("usr_sam", "Second Example Bank")],
    ])("do not count one that names %s", (_, act) => {
      const clause = clauseOf(recordOf("chattel_paper", { acts: [act] }).facts, "9-105(g)(1)");
      expect(clause.grade).toBe("not_shown");
      expect(clause.fact).toContain("1 statement names another custodian or assignee.");
    });
  });

  describe("about the agreement of makers", () => {
    const slug = "slug-ann";
    const agreed = (agreement_sha256: string): Told => ({
      type: "agreement.accepted",
      actor: { kind: "signer", id: slug },
      data: {
        agreement_version: "2026-01",
        agreement_sha256,
        role: "Buyer",
        user_email: "ann@example.com",
        signing_session: "ses-slug-ann",
      },
    });
    const text = { kind: "agreement", version: "2026-01", sha256: "a".repeat(64), published: true, elements: [] } as const;

    /** `before`: whether the maker agreed before signing. */
    function signed({ before = true, accepted = text.sha256, texts = [text] as readonly object[] } = {}) {
      const acts = (all: readonly Told[]): Told[] =>
        declared("transferable_record")(all).flatMap((told): Told[] => {
          if (told.type === "envelope.sent") return [{ ...told, data: { ...told.data, maker_roles: ["Buyer"] } }];
          const isConsent = told.type === "consent.accepted" && told.actor.id === slug;
          if (before ? isConsent : told.type === "envelope.completed") return [told, agreed(accepted)];
          return [told];
        });
      return makeRecord2({ source: "signed_here", acts }, (facts) => {
        facts.identity.record_type = "transferable_record";
        facts.texts.push(...(texts as never[]));
      });
    }
    const codes = (facts: Facts2) => evaluate(facts).warnings.map(({ code }) => code);

    test("name the maker, the text and the entry, and there is no warning", () => {
      const { facts, links } = signed();
      const { grade, entries } = clauseOf(facts, "7021(a)(1)(B)");
      expect([grade, entries.map((seq) => links[seq - 1]?.entry.type)]).toEqual(["proven", ["agreement.accepted"]]);
      expect(codes(facts)).not.toContain("transferable_record_not_agreed");
    });

    test.each([
      ["that came after the signature", { before: false }],
      ["to a text that was not published", { texts: [{ ...text, published: false }] }],
      ["to another kind of text", { texts: [{ ...text, kind: "terms" }] }],
    ])("do not count one %s", (_, how) => {
      const { facts } = signed(how);
      expect(clauseOf(facts, "16(a)(2)")).toMatchObject({ grade: "not_shown", entries: [] });
      expect(codes(facts)).toContain("transferable_record_not_agreed");
    });

    test("are refused if the facts name no such text, so that the bundle has to contain it", () => {
      const { facts, links } = signed({ before: false, texts: [] });
      expect(firstContradiction(facts, links)?.what).toBe("the text that a maker accepted");
    });
  });

  test("cannot be had by declaring another type than the trail", () => {
    const { facts, links } = recordOf("other", { change: (draft) => (draft.identity.record_type = "chattel_paper") });
    expect(firstContradiction(facts, links)?.what).toBe("what was declared about it");
  });

  test("stand on the certificate after the checks", () => {
    const { facts, links } = recordOf("transferable_record");
    const more = {
      facts_sha256: hashOfJson(facts),
      root_sha256: "0".repeat(64),
      trust_address: null,
      status_url: null,
      verifier: null,
      links,
      marks: [],
      texts: [],
      people: {},
      paper: "a4",
    } as const;
    const { blocks } = certificateOf(facts, evaluate(facts), more);
    const headings = blocks.flatMap((block) => (block.kind === "heading" && block.level === 1 ? [block.text] : []));
    expect(headings.slice(0, 3)).toEqual(expect.arrayContaining(["The eight checks", "Annexes: facts by clause"]));
    expect(JSON.stringify(blocks)).toContain("7021(c)(4)");
  });
});

test.each([
  [[], ""],
  [[3], "3"],
  [[1, 2, 3, 7, 9, 10], "1–3, 7, 9–10"],
])("entry numbers are printed in ranges: %j", (numbers, printed) => expect(inRanges(numbers)).toBe(printed));
