import { describe, expect, test } from "vitest";
import { type Draft, NEVER_SAID } from "../../../fixtures/changes.ts";
import { minute, type Told, type Wish } from "../../../fixtures/record.ts";
import { makeRecord2 } from "../../../fixtures/record-2.ts";
import type { DuplicateFacts, Facts2, TimeMark } from "../../facts-2.ts";
import { identityLevel } from "../../identity-methods.ts";
import { hashOfInstrument } from "../../instrument.ts";
import type { CheckId } from "../1/checks/check.ts";
import { complianceOf } from "./compliance.ts";
import { evaluate } from "./evaluate.ts";
import { firstContradiction } from "./facts-against-chain.ts";

type Change = (facts: Draft<Facts2>) => void;

const gradesOf = (facts: Facts2) => evaluate(facts).checks.map(({ grade }) => grade);
const resultOf = (facts: Facts2, id: CheckId) => evaluate(facts).checks.find((check) => check.id === id);

const mark = (kind: TimeMark["kind"], at: string, by: string): TimeMark => ({ tree_size: 5012, kind, at, by, valid: true });

/** A time stamp right after the storing, and an object lock. */
const shown: Change = (facts) => {
  facts.times = [mark("token", minute(21), "Example Time")];
  if (facts.copy?.lock != null) facts.copy.lock.kind = "object_lock";
};

const sources = ["signed_here", "electronic_signed", "paper_upload"] as const;

describe("a record in order", () => {
  test.each(sources)("scores 100 and is attested, and the points that anyone can recompute are counted: %s", (source) => {
    const { score, passed, standing, proven_score, checks } = evaluate(makeRecord2({ source }).facts);
    expect({ score, passed, standing }).toEqual({ score: 100, passed: true, standing: "attested" });
    expect(proven_score).toBe(checks.reduce((sum, { grade, weight }) => sum + (grade === "proven" ? weight : 0), 0));
  });

  test("signed here, it has these grades", () => {
    expect(gradesOf(makeRecord2({ source: "signed_here" }).facts)).toEqual([
      "proven",
      "proven",
      "attested",
      "proven",
      "proven",
      "attested",
      "attested",
      "attested",
    ]);
  });

  test("with a time stamp and an object lock, only the two checks about parties remain attested", () => {
    const { facts } = makeRecord2({ source: "signed_here" }, shown);
    expect(evaluate(facts)).toMatchObject({ score: 100, proven_score: 75, standing: "attested" });
    expect(gradesOf(facts).flatMap((grade, index) => (grade === "attested" ? [index + 1] : []))).toEqual([3, 8]);
  });

  test("uploaded on paper, nothing about its signing can be recomputed", () => {
    expect(gradesOf(makeRecord2({ source: "paper_upload" }, shown).facts)).toEqual([
      "attested",
      "proven",
      "attested",
      "attested",
      "attested",
      "proven",
      "proven",
      "attested",
    ]);
  });

  test("its facts agree with its chain", () => {
    for (const source of sources) {
      const { facts, links } = makeRecord2({ source });
      expect(firstContradiction(facts, links)).toBeNull();
    }
  });

  test("a preview has no standing", () => {
    const { facts } = makeRecord2({ source: "signed_here" }, (draft) => {
      draft.certificate = null;
    });
    expect(evaluate(facts).standing).toBeNull();
    expect(complianceOf(facts)).toBeNull();
  });

  test("its certificate names the instant, the last entry and the size of the log", () => {
    const { facts, links } = makeRecord2({ source: "signed_here" });
    expect(complianceOf(facts)).toMatchObject({
      type: "countersign/compliance/2",
      rules: 2,
      as_of: { at: facts.evaluated_at, chain_seq: links.length, chain_hash: links.at(-1)?.entry.hash, tree_size: 5012 },
    });
  });
});

type Case = {
  readonly what: string;
  readonly check: CheckId;
  readonly grade: "proven" | "attested" | "not_shown";
  readonly says: string;
  readonly source?: Wish["source"];
  readonly wish?: Partial<Wish>;
  readonly change?: Change;
};

const opened =
  (data: Told["data"]) =>
  (acts: readonly Told[]): Told[] =>
    acts.map((told) => (told.type === "signer.opened" ? { ...told, data: { ...told.data, ...data } } : told));

const session =
  (change: (session: Draft<Facts2>["signers"][number]["sessions"][number]) => void): Change =>
  (facts) => {
    for (const signer of facts.signers) for (const each of signer.sessions) change(each);
  };

const both =
  (...changes: Change[]): Change =>
  (facts) => {
    for (const change of changes) change(facts);
  };

/** An upload without signatures, whose hash the depositor states. */
const noSignatures: Change = (facts) => {
  facts.upload_signatures = [];
  const received = facts.versions.find(({ kind }) => kind === "received")?.sha256 ?? "";
  if (facts.attestation?.external != null) facts.attestation.external.document_sha256 = received;
};

const alike = (change: Partial<DuplicateFacts>): Change => {
  const duplicate: DuplicateFacts = {
    envelope_id: "env_other",
    copy_id: "ac_other",
    state: "active",
    kinds: ["text"],
    review: null,
    ...change,
  };
  return (facts) => {
    facts.identity.duplicates = [...facts.identity.duplicates, structuredClone(duplicate) as Draft<DuplicateFacts>];
  };
};
const reviewed = { review: { at: minute(40), entry_seq: 9 } };
const open = (likeness: string, state = "which is in this vault") => `${likeness} env_other, ${state}, and no one has compared the two.`;
const COMPARED = "Someone other than the depositor compared it with env_other; what they state is in the audit trail.";
const BY_DEPOSITOR = {
  electronic_signed: "The depositor states what became of the copy at the issuing system.",
  paper_upload: "The depositor states what became of the paper original.",
} as const;

const firstCheck = { check: "single_authoritative_copy" } as const;

const ofCheck1: readonly Case[] = [
  {
    what: "signed here, with no match and nothing handed out before",
    ...firstCheck,
    grade: "proven",
    says: "Signed here. No other record of the organization is the same file or declares the same instrument, and none from elsewhere has the same words. No unmarked PDF was handed out before.",
  },
  {
    what: "a signed PDF that was handed out before",
    ...firstCheck,
    grade: "attested",
    says: "1 signed PDF without a mark was handed out before it was vaulted.",
    change: (facts) => (facts.issued_before = 1),
  },
  {
    what: "the same identifier of the PDF",
    ...firstCheck,
    grade: "proven",
    says: "Signed here. No other record of the organization is the same file or declares the same instrument, and none from elsewhere has the same words. No unmarked PDF was handed out before.",
    change: alike({ kinds: ["pdf_id"] }),
  },
  ...(["electronic_signed", "paper_upload"] as const).map(
    (source): Case => ({ what: `${source} without a match`, ...firstCheck, grade: "attested", says: BY_DEPOSITOR[source], source }),
  ),
  ...sources.flatMap((source): Case[] => [
    { what: `${source}, cleared by review`, ...firstCheck, grade: "attested", says: COMPARED, source, change: alike(reviewed) },
    {
      what: `${source}, one of two matches cleared`,
      ...firstCheck,
      grade: "not_shown",
      says: open("The same instrument is declared for"),
      source,
      change: both(alike({ ...reviewed, envelope_id: "env_first" }), alike({ kinds: ["instrument"] })),
    },
    ...(
      [
        ["active", "which is in this vault"],
        ["escrowed", "which is in this vault"],
        ["tampered", "which was found altered"],
        ["exported", "which left this vault"],
        ["transferred", "which moved to another vault"],
        ["papered", "which was replaced by paper"],
        ["destroyed", "which was destroyed"],
      ] as const
    ).map(
      ([state, words]): Case => ({
        what: `${source}, words of a copy that is ${state}`,
        ...firstCheck,
        grade: "not_shown",
        says: open("The words are the same as those of", words),
        source,
        change: alike({ state }),
      }),
    ),
  ]),
  ...(
    [
      [["file", "revision", "text"], "The file is the same as that of"],
      [["revision"], "The file is another state of that of"],
      [["ours"], "The document was made from the same record as"],
      [["instrument", "pdf_id"], "The same instrument is declared for"],
    ] as const
  ).map(
    ([kinds, likeness]): Case => ({
      what: `a match by ${kinds.join(" and ")}`,
      ...firstCheck,
      grade: "not_shown",
      says: open(likeness),
      source: "paper_upload",
      change: alike({ kinds }),
    }),
  ),
];

const cases: readonly Case[] = [
  ...ofCheck1,
  {
    what: "one hash algorithm",
    check: "tamper_evident_record",
    grade: "attested",
    says: "The record was stored under one hash algorithm, SHA-256.",
    wish: { acts: (acts) => acts.map((told) => ({ ...told, data: without(told.data, "sha512") })) },
  },
  {
    what: "an upload known by the depositor's hash alone",
    check: "tamper_evident_record",
    grade: "attested",
    says: "The depositor states the hash that the issuing system gave out.",
    source: "electronic_signed",
    wish: { signed_pdf: false },
    change: noSignatures,
  },
  {
    what: "a seal that was not valid when it was made",
    check: "tamper_evident_record",
    grade: "not_shown",
    says: "The seal is not valid. Sealed after 2026-03-01, when the certificate became invalid.",
    change: (facts) => {
      Object.assign(facts.seal ?? {}, { valid: false, fault: "Sealed after 2026-03-01, when the certificate became invalid" });
    },
  },
  {
    what: "a record that was sent by an earlier release",
    check: "signatures_complete",
    grade: "attested",
    says: "Places of fields and names of signers were not in the audit trail when this was signed.",
    change: (facts) => {
      if (facts.signed !== null) facts.signed.fields_recorded = false;
    },
  },
  {
    what: "rows that differ from the audit trail",
    check: "signatures_complete",
    grade: "not_shown",
    says: "The stored values of ann@example.com differ from the audit trail.",
    change: (facts) => {
      if (facts.signed !== null) facts.signed.difference = { what: "values", signer: "ann@example.com" };
    },
  },
  {
    what: "signatures with each signer's own trusted certificate",
    check: "signatures_complete",
    grade: "proven",
    says: "Each attested signer's own certificate signed the PDF and chains to a trusted root.",
    source: "electronic_signed",
  },
  {
    what: "the seal of another provider",
    check: "signatures_complete",
    grade: "attested",
    says: "No trusted certificate in the PDF names Ann Example; the signatures are the issuing system's.",
    source: "electronic_signed",
    change: (facts) => {
      for (const signature of facts.upload_signatures) signature.subject = "CN=Annex Ann Provider";
    },
  },
  {
    what: "only our own seal in the upload",
    check: "signatures_complete",
    grade: "not_shown",
    says: "The upload has only this installation's own seal and no evidence file.",
    source: "electronic_signed",
    change: (facts) => {
      for (const signature of facts.upload_signatures) signature.ours = true;
      facts.evidence_file = null;
      if (facts.attestation?.external != null) facts.attestation.external.evidence_sha256 = null;
    },
  },
  {
    what: "an evidence file that names every signer",
    check: "signatures_complete",
    grade: "attested",
    says: "An evidence file of the issuing system names every attested signer; its origin is the depositor's statement.",
    source: "electronic_signed",
    change: noSignatures,
  },
  {
    what: "an evidence file that names no signer",
    check: "signatures_complete",
    grade: "not_shown",
    says: "The evidence file does not name Ann Example.",
    source: "electronic_signed",
    change: both(noSignatures, (facts) => {
      if (facts.evidence_file !== null) facts.evidence_file.names = [];
    }),
  },
  {
    what: "an evidence file without a transaction",
    check: "signatures_complete",
    grade: "not_shown",
    says: "The attestation does not say which provider and which transaction the evidence file is from.",
    source: "electronic_signed",
    change: both(noSignatures, (facts) => {
      if (facts.attestation?.external != null) facts.attestation.external.transaction_id = " ";
    }),
  },
  {
    what: "an embed token",
    check: "consent_and_attribution",
    grade: "attested",
    says: "ann@example.com: identity asserted by the organization, which issued the token.",
    wish: { acts: opened({ credential: "embed_token" }) },
    change: session((each) => {
      each.credential = "embed_token";
    }),
  },
  {
    what: "a link that was handed over",
    check: "consent_and_attribution",
    grade: "attested",
    says: "ann@example.com: the link was handed over by the organization, not mailed.",
    change: session((each) => {
      each.link_kind = "handed_over";
    }),
  },
  {
    what: "a link from before links had secrets",
    check: "consent_and_attribution",
    grade: "attested",
    says: "ann@example.com: the signing link was also visible to API keys of the organization.",
    change: session((each) => {
      delete each.link_kind;
    }),
  },
  {
    what: "a message that no mail server accepted",
    check: "consent_and_attribution",
    grade: "attested",
    says: "ann@example.com: no mail server is recorded to have accepted the message with the link.",
    change: session((each) => {
      each.mail_sent_at = null;
    }),
  },
  {
    what: "a browser that sends no User-Agent",
    check: "consent_and_attribution",
    grade: "proven",
    says: "Each signer used a link that a mail server accepted for the signer's address.",
    change: session((each) => {
      each.user_agent = "";
    }),
  },
  {
    what: "a time stamp within a day",
    check: "audit_trail",
    grade: "proven",
    says: `Seen from outside within 24 hours: time stamp of Example Time at ${minute(21)}.`,
    change: shown,
  },
  {
    what: "a time stamp two days late",
    check: "audit_trail",
    grade: "attested",
    says: "It existed no later than 2026-03-07T03:21:00.000Z, more than 24 hours after the storing: time stamp of Example Time at 2026-03-07T03:21:00.000Z.",
    change: (facts) => {
      facts.times = [mark("token", "2026-03-07T03:21:00.000Z", "Example Time")];
    },
  },
  {
    what: "an invalid time stamp",
    check: "audit_trail",
    grade: "attested",
    says: "The time is that of this installation's own clock.",
    change: (facts) => {
      facts.times = [{ ...mark("token", minute(21), "Example Time"), valid: false }];
    },
  },
  {
    what: "a witness",
    check: "audit_trail",
    grade: "proven",
    says: `Seen from outside within 24 hours: 1 witness at ${minute(22)}.`,
    change: (facts) => {
      facts.times = [mark("cosignature", minute(22), "one")];
    },
  },
  {
    what: "one witness where two are needed, although it signed twice",
    check: "audit_trail",
    grade: "attested",
    says: "The time is that of this installation's own clock.",
    change: (facts) => {
      facts.times = [mark("cosignature", minute(22), "one"), mark("cosignature", minute(23), "one")];
      facts.log.witness_quorum = 2;
    },
  },
  {
    what: "an organization that requires a time from outside, and none",
    check: "audit_trail",
    grade: "not_shown",
    says: "This organization requires a time from outside, and there is neither a valid time stamp nor enough witnesses yet.",
    change: (facts) => {
      facts.org.require_external_time = true;
    },
  },
  {
    what: "validation data and a document time stamp after the seal",
    check: "audit_trail",
    grade: "attested",
    says: "The time is that of this installation's own clock.",
    change: (facts) => {
      if (facts.seal !== null) facts.seal.revisions = facts.seal.sealed_revisions + 3;
    },
  },
  {
    what: "one revision more",
    check: "audit_trail",
    grade: "not_shown",
    says: "The stored PDF has a revision that the trail does not name.",
    change: (facts) => {
      if (facts.seal !== null) facts.seal.revisions = facts.seal.sealed_revisions + 4;
    },
  },
  {
    what: "an object lock",
    check: "copies_and_retention",
    grade: "proven",
    says: "The object store itself refuses to delete or overwrite the record before the retention date.",
    change: shown,
  },
];

const without = (data: Told["data"], member: string): Told["data"] =>
  Object.fromEntries(Object.entries(data).filter(([name]) => name !== member));

describe("the grade of a check", () => {
  test.each(cases)("$check: $what is $grade", ({ check, grade, says, source = "signed_here", wish, change }) => {
    const { facts } = makeRecord2({ source, ...wish }, change);
    const result = resultOf(facts, check);
    expect([result?.grade, result?.grade_reason]).toEqual([grade, says]);
    expect(result?.satisfied).toBe(grade !== "not_shown");
    // One condition at a time: no other check fails.
    expect(evaluate(facts).missing_requirements).toHaveLength(grade === "not_shown" ? 1 : 0);
  });

  test("no sentence claims what the record cannot show", () => {
    const said = cases.map(({ source = "signed_here", wish, change }) =>
      JSON.stringify(evaluate(makeRecord2({ source, ...wish }, change).facts)),
    );
    expect(NEVER_SAID.filter((phrase) => said.join(" ").toLowerCase().includes(phrase))).toEqual([]);
  });
});

test("an unsigned PDF with an empty evidence file and an invented signer scores 88", () => {
  const { facts } = makeRecord2(
    { source: "electronic_signed", signed_pdf: false },
    both(noSignatures, (draft) => {
      if (draft.evidence_file !== null) draft.evidence_file.names = [];
    }),
  );
  expect(evaluate(facts)).toMatchObject({ score: 88, standing: "not_passed" });
});

test.each([
  ["exported", "left"],
  ["destroyed", "destroyed"],
] as const)("a copy that was %s has the standing %s", (state, standing) => {
  const { facts } = makeRecord2({ source: "signed_here" }, (draft) => {
    Object.assign(draft.copy ?? {}, { state, state_since: minute(50) });
  });
  expect(evaluate(facts).standing).toBe(standing);
});

describe("facts that contradict the chain are found", () => {
  test.each<[string, Change, string]>([
    ["a mailed link that was handed over", session((each) => (each.link_kind = "handed_over")), "the link of ann@example.com"],
    ["another message", session((each) => (each.message_id = "msg_b")), "the link of ann@example.com"],
    ["another address on the network", session((each) => (each.ip = "192.0.2.7")), "the link of ann@example.com"],
    ["no comparison of what was signed", (facts) => (facts.signed = null), "that it was signed here"],
    ["another source", (facts) => (facts.source = "paper_upload"), "where it was signed"],
    ["a review that no one recorded", alike(reviewed), "the comparison with env_other"],
    ["a receipt that was not recorded", alike({ returned: { at: "2026-01-06T00:00:00.000Z", entry_seq: 1 } }), "the receipt of env_other"],
    [
      "an instrument that was not declared",
      (facts) => (facts.identity.instrument = { type: "Note", number: "7", date: "2026-01-02" }),
      "what was declared about it",
    ],
    ["another type of record", (facts) => (facts.identity.record_type = "chattel_paper"), "what was declared about it"],
    ["fingerprints of another copy", (facts) => (facts.identity.fingerprints = []), "the fingerprint of the copy"],
  ])("%s", (_, change, what) => {
    const { facts, links } = makeRecord2({ source: "signed_here" }, change);
    expect(firstContradiction(facts, links)?.what).toBe(what);
  });
});

test("a review that the chain tells of counts, and so does a declared instrument", () => {
  const instrument = { type: "Note", number: "7", date: "2026-01-02" };
  const acts = (told: readonly Told[]): Told[] => [
    ...told.map((act) => (act.type === "envelope.created" ? { ...act, data: { ...act.data, instrument } } : act)),
    { type: "duplicate.reviewed", actor: { kind: "user", id: "usr_sam" }, data: { other_envelope_id: "env_other" } },
  ];
  const declare: Change = (facts) => {
    facts.identity.instrument = instrument;
    facts.identity.fingerprints.push({ kind: "instrument", value: hashOfInstrument(instrument) });
  };
  const { links } = makeRecord2({ source: "signed_here", acts });
  const review = { at: links.at(-1)?.entry.at ?? "", entry_seq: links.length };
  const agreed = makeRecord2({ source: "signed_here", acts }, both(declare, alike({ review })));
  expect(firstContradiction(agreed.facts, agreed.links)).toBeNull();
  const other = makeRecord2({ source: "signed_here", acts }, both(declare, alike({ review, envelope_id: "env_third" })));
  expect(firstContradiction(other.facts, other.links)?.what).toBe("the comparison with env_third");
});

test("a warning says that the PDF has the identifier of another, and that a scan without an instrument is not identified", () => {
  const codesOf = (facts: Facts2) => evaluate(facts).warnings.map(({ code }) => code);
  const { facts } = makeRecord2({ source: "paper_upload" }, (draft) => {
    draft.identity.fingerprints = draft.identity.fingerprints.filter(({ kind }) => kind !== "text");
    alike({ kinds: ["pdf_id"] })(draft);
  });
  expect(codesOf(facts)).toEqual(expect.arrayContaining(["possible_duplicate", "instrument_not_identified"]));
  const inOrder = codesOf(makeRecord2({ source: "paper_upload" }, alike({ kinds: ["text"], ...reviewed })).facts);
  expect(inOrder.filter((code) => code === "possible_duplicate" || code === "instrument_not_identified")).toEqual([]);
});

test("a warning says that a witness refused the log, that outsiders cannot read it, and that time came late", () => {
  const { facts } = makeRecord2({ source: "signed_here" }, (draft) => {
    draft.log = { witness_quorum: 1, witness_conflict: true, public: false };
    draft.times = [mark("token", "2026-03-07T03:21:00.000Z", "Example Time")];
  });
  const codes = evaluate(facts).warnings.map(({ code }) => code);
  expect(codes).toEqual(expect.arrayContaining(["time_late", "witness_conflict", "log_not_public"]));
  expect(codes).not.toContain("time_self_operated");
});

describe("codes that the sender requires", () => {
  const coded = { source: "signed_here", methods: ["email_code", "access_code"] } as const;
  const first = (facts: Draft<Facts2>) => facts.signers[0] as Draft<Facts2>["signers"][number];
  const fromToken: Change = (facts) => {
    for (const { sessions, identity = [] } of facts.signers) {
      for (const each of sessions) each.credential = "embed_token";
      for (const each of identity) if (each.method === "email_code") each.message_id = "msg_code";
    }
  };
  const accepted = (acts: readonly Told[]): readonly Told[] => [
    ...acts,
    { type: "mail.accepted", actor: { kind: "system", id: "system" }, data: { message_id: "msg_code" } },
  ];

  test("are named once they were passed, and their facts agree with the chain", () => {
    const { facts, links } = makeRecord2(coded);
    const check = resultOf(facts, "consent_and_attribution");
    expect([check?.satisfied, check?.grade]).toEqual([true, "proven"]);
    expect(check?.detail).toContain(
      "Passed before signing: ann@example.com: code sent by e-mail and access code set by the sender; sam@example.com: ",
    );
    expect(firstContradiction(facts, links)).toBeNull();
  });

  test.each<[string, Change]>([
    ["not passed", (facts) => (first(facts).identity = [])],
    [
      "failed after the pass",
      (facts) => first(facts).identity?.push({ ...Object(first(facts).identity?.[0]), passed: false, at: minute(9) }),
    ],
    ["passed in another visit", (facts) => Object.assign(first(facts).identity?.[0] ?? {}, { session: "ses-other" })],
    ["passed more than an hour before", (facts) => Object.assign(first(facts).identity?.[0] ?? {}, { at: minute(-60) })],
    ["passed after signing", (facts) => Object.assign(first(facts).identity?.[0] ?? {}, { at: minute(200) })],
  ])("fail check 5 if one was %s", (_, change) => {
    const { facts } = makeRecord2(coded, change);
    expect(resultOf(facts, "consent_and_attribution")).toMatchObject({
      satisfied: false,
      detail: "ann@example.com signed without passing what the sender required: code sent by e-mail.",
    });
  });

  test("prove the address of a person with a token if a mail server accepted the message", () => {
    const proven = makeRecord2({ ...coded, acts: accepted }, fromToken);
    expect(resultOf(proven.facts, "consent_and_attribution")).toMatchObject({
      grade: "proven",
      grade_reason: "Each signer used a link or a code that a mail server accepted for the signer's address.",
    });
    for (const { facts } of [
      makeRecord2(coded, fromToken),
      makeRecord2({ ...coded, methods: ["access_code"], acts: accepted }, fromToken),
    ]) {
      expect(resultOf(facts, "consent_and_attribution")).toMatchObject({
        grade: "attested",
        grade_reason: "ann@example.com: identity asserted by the organization, which issued the token.",
      });
    }
  });

  test.each<[string, Change, string]>([
    ["fewer methods", (facts) => (first(facts).required_methods = ["email_code"]), "how ann@example.com had to be identified"],
    ["no methods", (facts) => delete first(facts).required_methods, "how ann@example.com had to be identified"],
    ["a result less", (facts) => first(facts).identity?.pop(), "a code of ann@example.com"],
    ["a failure as a pass", (facts) => Object.assign(first(facts).identity?.[0] ?? {}, { passed: false }), "a code of ann@example.com"],
    ["another message", (facts) => Object.assign(first(facts).identity?.[0] ?? {}, { message_id: "msg_x" }), "a code of ann@example.com"],
  ])("facts with %s contradict the chain", (_, change, what) => {
    const { facts, links } = makeRecord2(coded, change);
    expect(firstContradiction(facts, links)?.what).toBe(what);
  });

  test.each([
    [[], 0],
    [["access_code"], 1],
    [["access_code", "kba"], 1],
    [["email_code", "access_code"], 2],
    [["email_code", "kba"], 2],
    [["unknown"], 0],
  ])("%j is level %i", (methods, level) => {
    expect(identityLevel(methods)).toBe(level);
  });
});
