import { createHash, sign } from "node:crypto";
import { type BundleParts, type Facts, type NamedFile, signRecord, signTrustKeys, writeBundle } from "@countersign/evidence";
import { describe, expect, test } from "vitest";
import { hashOfJson } from "../../evidence/src/rules/1/chain-facts.ts";
import { makeAuthority } from "../../pdf/fixtures/time-stamp-authority.ts";
import { asListOfTests, makeBundle, type Shape, sharedKeys, strangersKeys, type Tampering } from "../test/make-bundle.ts";
import { unzipBundle } from "./read-bundle.ts";
import { type Report, verifyBundle } from "./verify-bundle.ts";

const verified = (files: readonly NamedFile[], root: string | null, tsa_roots: readonly Uint8Array[] | null = null): Promise<Report> =>
  verifyBundle(() => files, { root, tsa_roots });

/** The failed step, its file, the entry and the message. */
const brief = ({ steps }: Report) => {
  const last = steps.at(-1);
  return last === undefined || last.passed
    ? null
    : `${last.name}: ${last.file}${last.entry === null ? "" : `, entry ${last.entry}`}: ${last.says}`;
};

async function failureOf(shape: Shape, odd: Tampering): Promise<string | null> {
  const { zip, root } = await makeBundle(shape, odd);
  return brief(await verified(unzipBundle(zip), root));
}

const shapes: readonly Required<Shape>[] = (["evidence", "export"] as const).flatMap((kind) =>
  (["signed_here", "electronic_signed", "paper_upload"] as const).flatMap((source) =>
    [false, true].map((timed) => ({ kind, source, timed })),
  ),
);

describe("a test record", () => {
  test("is not verified although everything agrees, whether its root is pinned or not, unless the reader accepts tests", async () => {
    const { zip, root } = await makeBundle({}, { keys: asListOfTests });
    for (const pinned of [root, null]) {
      const report = await verified(unzipBundle(zip), pinned);
      expect(brief(report)).toBeNull();
      expect(report).toMatchObject({ outcome: "TEST RECORD", test: true });
      expect(report.notes).toContain("TEST RECORD: made in a sandbox, not legally binding.");
    }
    const accepting = (pinned: string | null) => verifyBundle(() => unzipBundle(zip), { root: pinned, tsa_roots: null, allow_test: true });
    expect(await accepting(root)).toMatchObject({ outcome: "VERIFIED", test: true });
    expect(await accepting(null)).toMatchObject({ outcome: "CONSISTENT, SIGNER NOT PINNED", test: true });
  });

  test("that was changed is FAILED, also for a reader who accepts tests", async () => {
    const { zip, root } = await makeBundle({}, { keys: asListOfTests, compliance: (compliance) => ({ ...compliance, score: 99 }) });
    const report = await verifyBundle(() => unzipBundle(zip), { root, tsa_roots: null, allow_test: true });
    expect(report).toMatchObject({ outcome: "FAILED", test: false });
  });

  test("a record of an organization is none", async () => {
    const { zip, root } = await makeBundle();
    expect(await verifyBundle(() => unzipBundle(zip), { root, tsa_roots: null, allow_test: true })).toMatchObject({
      outcome: "VERIFIED",
      test: false,
    });
  });
});

describe("an honest bundle", () => {
  test.each(shapes)("is verified: $kind, $source, time stamp $timed", async (shape) => {
    const { zip, root } = await makeBundle(shape);
    const report = await verified(unzipBundle(zip), root);
    expect(brief(report)).toBeNull();
    expect(report.outcome).toBe("VERIFIED");
    expect(report.steps.map(({ number, passed }) => [number, passed])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((number) => [number, true]),
    );
  });

  test("is only consistent when no root is pinned", async () => {
    const { zip } = await makeBundle();
    expect((await verified(unzipBundle(zip), null)).outcome).toBe("CONSISTENT, SIGNER NOT PINNED");
  });

  test("says where its time comes from, and that the authoritative bytes are not in it", async () => {
    const { zip, root, tsa_root } = await makeBundle({ timed: true });
    const { notes, steps } = await verified(unzipBundle(zip), root, [tsa_root as Uint8Array]);
    expect(notes).toEqual([
      "This bundle contains a marked copy, not the authoritative copy.",
      "Lacks: Places of fields and names of signers were not in the audit trail when this was signed.",
      "Lacks: Delivery of the invitation was not recorded.",
      "Lacks: No cosignature of a witness.",
      "Lacks: The seal has no embedded validation data.",
      "Lacks: Recorded under one hash algorithm.",
      "Lacks: The secured party did not confirm with a credential of its own.",
    ]);
    expect(steps[5]?.says).toBe("time stamp of 2026-03-05T03:20:00.000Z");
    const plain = await makeBundle({ kind: "export" });
    const { notes: said } = await verified(unzipBundle(plain.zip), plain.root);
    expect(said[0]).toBe(
      "Time source: self-operated (the clock of this installation). An operator who holds all keys could re-create this record.",
    );
    expect(said).toContain("Lacks: No external time stamp.");
  });

  test("notes that the stored document was found damaged later", async () => {
    const found = {
      type: "vault.document.tamper_detected",
      actor: { kind: "system", id: "system" },
      data: { expected: "9f2c", found: "03aa" },
    };
    const { zip, root } = await makeBundle({}, { later: [found] });
    const { outcome, notes } = await verified(unzipBundle(zip), root);
    expect(outcome).toBe("VERIFIED");
    expect(notes[0]).toBe("Entry 24 (2026-03-05T04:04:00.000Z) records that the stored document was found altered or missing.");
  });

  test("whose compliance checks failed is still verified, and the output lists what is missing", async () => {
    const { zip, root } = await makeBundle({}, { wish: { party: null } });
    const report = await verified(unzipBundle(zip), root);
    expect(report).toMatchObject({ outcome: "VERIFIED" });
    expect(report.steps[8]?.says).toBe("score 87, NOT PASSED, 1 of 8 requirements missing");
    expect(report.notes).toContain("Missing: secured_party: No secured party is named on the envelope.");
  });

  test("is byte-identical when it is made from the same parts", async () => {
    const { parts, zip } = await makeBundle();
    const { records, key_id } = await sharedKeys();
    const again = await writeBundle(parts, { sign: (bytes) => sign(null, bytes, records.privateKey), key_id });
    expect(Buffer.from(again)).toEqual(Buffer.from(zip));
  });
});

describe("a bundle signed throughout with a stranger's keys", () => {
  test("is rejected only because of the pinned root", async () => {
    const { zip } = await makeBundle({}, {}, await strangersKeys());
    const { root } = await makeBundle();
    expect(brief(await verified(unzipBundle(zip), root))).toMatch(/^trust: trust\/root.crt: has the hash [0-9a-f]{64}, but --root is/);
    expect((await verified(unzipBundle(zip), null)).outcome).toBe("CONSISTENT, SIGNER NOT PINNED");
  });
});

describe("the container", () => {
  const changed = async (change: (files: NamedFile[]) => readonly NamedFile[]) => {
    const { zip, root } = await makeBundle();
    return brief(await verified(change(unzipBundle(zip)), root));
  };

  test("must contain every required file, each once, and nothing else", async () => {
    const more = (name: string): NamedFile => ({ name, bytes: new Uint8Array() });
    expect(await changed((files) => [...files, more("evil.sh")])).toBe("container: evil.sh: is not a file of a bundle");
    expect(await changed((files) => [...files, more("facts.json")])).toBe("container: facts.json: appears twice");
    expect(await changed((files) => files.filter(({ name }) => name !== "proofs.json"))).toBe("container: proofs.json: is missing");
    expect(await changed((files) => [...files, more("authoritative.pdf")])).toMatch(/^container: copy.pdf: a bundle must contain either/);
    expect(await changed((files) => [...files, more("checkpoints/vaulted.tst")])).toMatch(
      /^container: checkpoints\/vaulted.tst: must be present together/,
    );
  });

  test("is rejected if it is not a zip file", async () => {
    const report = await verifyBundle(() => unzipBundle(Buffer.from("no zip")), { root: null, tsa_roots: null });
    expect(brief(report)).toBe("container: the zip file: not a zip file, or there is data after its end");
  });
});

/** The files with one replaced, and the manifest signed again with the key that it names. */
async function resigned(files: readonly NamedFile[], name: string, bytes: Uint8Array): Promise<NamedFile[]> {
  const { records } = await sharedKeys();
  const replaced = files.map((file) => (file.name === name ? { name, bytes } : file));
  const manifest = JSON.parse(Buffer.from(files.find((file) => file.name === "manifest.json")?.bytes ?? []).toString());
  const listed = manifest.files.map((line: { name: string }) =>
    line.name === name ? { name, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") } : line,
  );
  const signed = signRecord({ ...manifest, files: listed }, records.privateKey);
  const made: Record<string, Uint8Array> = { "manifest.json": signed.bytes, "manifest.sig": signed.signature };
  return replaced.map((file) => ({ name: file.name, bytes: made[file.name] ?? file.bytes }));
}

const bytesOf = (files: readonly NamedFile[], name: string): Buffer => Buffer.from(files.find((file) => file.name === name)?.bytes ?? []);

describe("the manifest and the keys", () => {
  test("a file that differs from the manifest is named", async () => {
    const { zip, root } = await makeBundle();
    const files = unzipBundle(zip).map((file) => (file.name === "facts.json" ? { ...file, bytes: Buffer.from("{}") } : file));
    expect(brief(await verified(files, root))).toMatch(/^manifest: facts.json: has 2 bytes, but the manifest says \d+$/);
  });

  test("a manifest that is not canonical, or was signed with a key not valid at the time, is rejected", async () => {
    const { zip, root } = await makeBundle();
    const files = unzipBundle(zip).map((file) =>
      file.name === "manifest.json" ? { ...file, bytes: Buffer.from(`${Buffer.from(file.bytes)} `) } : file,
    );
    expect(brief(await verified(files, root))).toBe("manifest: manifest.json: is not a manifest in canonical form");
    const ended: Tampering = {
      keys: (keys) => ({ ...keys, records: keys.records.map((key) => ({ ...key, not_after: "2026-03-05T04:00:00.000Z" })) }),
    };
    expect(await failureOf({}, ended)).toMatch(/^manifest: manifest.json: key [0-9a-f]{64} was not valid at 2026-03-05T04:30/);
  });

  test("keys that the root did not sign, or signed in the other form, are rejected", async () => {
    const stranger = await strangersKeys();
    const foreign: Tampering = {
      parts: (parts) => ({
        ...parts,
        trust: { ...parts.trust, keys: signTrustKeys(JSON.parse(Buffer.from(parts.trust.keys.bytes).toString()), stranger.org.root.key) },
      }),
    };
    expect(await failureOf({}, foreign)).toBe("trust: trust/keys.sig: is not the root's signature of trust/keys.json");
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const mirrored = (signature: Uint8Array) => {
      const s = order - BigInt(`0x${Buffer.from(signature).toString("hex", 32)}`);
      return Buffer.concat([signature.subarray(0, 32), Buffer.from(s.toString(16).padStart(64, "0"), "hex")]);
    };
    const high: Tampering = {
      parts: (parts) => ({
        ...parts,
        trust: { ...parts.trust, keys: { ...parts.trust.keys, signature: mirrored(parts.trust.keys.signature) } },
      }),
    };
    expect(await failureOf({}, high)).toBe("trust: trust/keys.sig: is not the root's signature of trust/keys.json");
  });
});

describe("chain and log", () => {
  const parts = (change: (parts: BundleParts) => Partial<BundleParts>): Tampering => ({ parts: (all) => ({ ...all, ...change(all) }) });

  test("a removed, altered or moved entry is named", async () => {
    expect(
      await failureOf(
        {},
        parts(({ links }) => ({ links: links.filter(({ entry }) => entry.seq !== 7) })),
      ),
    ).toMatch(/^chain: chain.jsonl, entry 7: missing_entry/);
    const other = parts(({ links }) => ({
      links: links.map((link) => (link.entry.seq === 9 ? { ...link, entry: { ...link.entry, type: "signer.slept" } } : link)),
    }));
    expect(await failureOf({}, other)).toMatch(/^chain: chain.jsonl, entry 9: wrong_hash/);
    const forgotten = parts(({ links }) => ({ links: links.map((link) => (link.entry.seq === 9 ? { ...link, data: null } : link)) }));
    expect(await failureOf({}, forgotten)).toMatch(/^chain: chain.jsonl, entry 9: data_missing/);
  });

  test("a truncated chain is found by its proofs", async () => {
    expect(
      await failureOf(
        {},
        parts(({ links }) => ({ links: links.slice(0, -1) })),
      ),
    ).toBe("log: proofs.json: 23 proofs for 22 entries");
  });

  test("an entry that is not in the log is named", async () => {
    const swapped = parts(({ proofs }) => {
      const inclusions = proofs.inclusions.map((each) => (each.seq === 4 ? { ...each, index: each.index - 1 } : each));
      return { proofs: { ...proofs, inclusions } };
    });
    expect(await failureOf({}, swapped)).toBe("log: proofs.json, entry 4: no valid proof that entry 4 is in checkpoint 46");
  });

  test("a log that was rewritten after the vaulting is rejected", async () => {
    const { records, key_id } = await sharedKeys();
    const fork = (tree: object): Tampering =>
      parts(({ vaulted }) => {
        const before = JSON.parse(Buffer.from(vaulted.bytes).toString());
        return { vaulted: { ...signRecord({ ...before, ...tree, key_id }, records.privateKey), token: null } };
      });
    expect(await failureOf({}, fork({ root: hashOfJson("another") }))).toBe(
      "log: proofs.json: checkpoint 46 does not extend checkpoint 40",
    );
    expect(await failureOf({}, fork({ log_id: "log_b" }))).toBe(
      "log: checkpoints/latest.json: belongs to another log than checkpoints/vaulted.json",
    );
    expect(await failureOf({}, fork({ at: "2026-03-01T00:00:00.000Z" }))).toMatch(
      /^log: checkpoints\/vaulted.json: key [0-9a-f]{64} was not valid/,
    );
  });

  test("a checkpoint that does not cover the vaulting, or is not the one in the facts, is rejected", async () => {
    expect(await failureOf({}, { covered: 19 })).toBe("log: checkpoints/vaulted.json, entry 20: does not cover entry 20");
    const later = parts(({ latest, proofs }) => ({ vaulted: { ...latest, token: null }, proofs: { ...proofs, consistency: [] } }));
    expect(await failureOf({}, later)).toBe("evaluation: facts.json: the size of the checkpoint is 40 in the facts and 46 in the bundle");
  });
});

describe("the time stamp", () => {
  const otherToken = async (token: (parts: BundleParts) => Uint8Array): Promise<string | null> =>
    failureOf({ timed: true }, { parts: (parts) => ({ ...parts, vaulted: { ...parts.vaulted, token: token(parts) } }) });

  test("must be of this checkpoint, by a trusted authority", async () => {
    const { parts } = await makeBundle({ timed: true });
    expect(await otherToken(() => parts.vaulted.token as Uint8Array)).toMatch(/^time: checkpoints\/vaulted.tst: is not a valid time stamp/);
    const { zip, root } = await makeBundle({ timed: true });
    const { root: stranger } = await makeAuthority();
    expect(brief(await verified(unzipBundle(zip), root, [stranger]))).toBe(
      "time: checkpoints/vaulted.tst: is not a valid time stamp of checkpoints/vaulted.json: untrusted",
    );
    const unlisted: Tampering = { keys: (keys) => ({ ...keys, tsa_roots: [] }) };
    expect(await failureOf({ timed: true }, unlisted)).toBe(
      "time: trust/tsa.pem: contains a certificate that trust/keys.json does not list",
    );
  });

  test("must be close to the time of the vaulting", async () => {
    expect(await failureOf({ timed: true }, { stamped_at: "2026-03-06T04:00:00.000Z" })).toBe(
      "time: checkpoints/vaulted.tst, entry 20: its time, 2026-03-06T04:00:00.000Z, is too far from the time of entry 20, 2026-03-05T03:19:00.000Z",
    );
    expect(await failureOf({ timed: true }, { stamped_at: "2026-03-05T03:18:54.000Z" })).toMatch(
      /^time: checkpoints\/vaulted.tst, entry 20: its time/,
    );
  });

  test("that the facts claim must be in the bundle", async () => {
    const claimed: Tampering = {
      facts: (facts) => ({
        ...facts,
        time: { configured: true, failure: null, token: { gen_time: "2026-03-05T03:20:00.000Z", valid: true, fault: null, tree_size: 40 } },
      }),
    };
    expect(await failureOf({}, claimed)).toBe(
      "evaluation: facts.json: the time stamp is 2026-03-05T03:20:00.000Z in the facts and null in the bundle",
    );
  });
});

describe("the documents", () => {
  test("a copy that is not marked on every page, or was never issued, is rejected", async () => {
    const { zip, root } = await makeBundle();
    const plain = await makeBundle({}, { copy: async (content) => content });
    expect(brief(await verified(unzipBundle(plain.zip), plain.root))).toBe("document: copy.pdf, entry 22: page 1 is not marked as a copy");
    const files = unzipBundle(zip);
    const other = await resigned(files, "copy.pdf", bytesOf(unzipBundle(plain.zip), "copy.pdf"));
    expect(brief(await verified(other, root))).toMatch(
      /^document: copy.pdf: has the hash [0-9a-f]{64}, which no copy.issued entry records$/,
    );
  });

  test("authoritative bytes must be the stored ones, even where a seal would not notice a change", async () => {
    const { zip, root } = await makeBundle({ kind: "export" });
    const files = unzipBundle(zip);
    const sealed = bytesOf(files, "authoritative.pdf");
    // The space reserved for the signature, which the seal does not cover.
    sealed.write("1", sealed.lastIndexOf("0".repeat(200)) + 100, "latin1");
    expect(brief(await verified(await resigned(files, "authoritative.pdf", sealed), root))).toMatch(
      /^document: authoritative.pdf, entry 18: has the hash/,
    );
  });

  test("a seal made with a revoked or unlisted certificate does not count", async () => {
    const revoked: Tampering = {
      keys: (keys) => ({ ...keys, seals: keys.seals.map((seal) => ({ ...seal, revoked_at: "2026-03-05T00:00:00.000Z" })) }),
    };
    expect(await failureOf({ kind: "export" }, revoked)).toBe(
      "document: authoritative.pdf: the seal certificate was revoked on 2026-03-05T00:00:00.000Z",
    );
    expect(await failureOf({}, revoked)).toBe("certificate: certificate.pdf: the seal certificate was revoked on 2026-03-05T00:00:00.000Z");
    expect(await failureOf({}, { keys: (keys) => ({ ...keys, seals: [] }) })).toMatch(
      /^certificate: certificate.pdf: is sealed with a certificate that trust\/keys.json/,
    );
  });

  test("a seal certificate that the root lists but did not issue does not count", async () => {
    const [ours, theirs] = [await sharedKeys(), await strangersKeys()];
    const { zip, root } = await makeBundle({}, {}, { ...ours, org: { ...theirs.org, root: ours.org.root } });
    expect(brief(await verified(unzipBundle(zip), root))).toBe("certificate: certificate.pdf: the seal does not verify: untrusted");
  });

  test("certificate, facts and results must belong to one recorded revision", async () => {
    const { zip, root } = await makeBundle();
    const other = await makeBundle({}, { facts: (facts) => ({ ...facts, evaluated_at: "2026-03-05T04:00:01.000Z" }) });
    const foreign = { "facts.json": "facts.json", "compliance.json": "compliance.json", "certificate.pdf": "copy.pdf" };
    for (const [name, from] of Object.entries(foreign)) {
      const files = await resigned(unzipBundle(zip), name, bytesOf(unzipBundle(other.zip), from));
      expect(brief(await verified(files, root))).toMatch(new RegExp(`^certificate: ${name}(, entry 21)?: has the hash`));
    }
  });
});

describe("the evaluation", () => {
  const facts = (change: (facts: Facts) => object): Tampering => ({ facts: (all) => ({ ...all, ...change(all) }) });
  const firstSigner = (signers: Facts["signers"], change: object): Facts["signers"] =>
    signers.map((signer, index) => (index === 0 ? { ...signer, ...change } : signer));

  test("must be the result of the checks on the facts, not what was recorded", async () => {
    const better: Tampering = {
      compliance: (compliance) => ({ ...compliance, score: 100, passed: true, missing_requirements: [] }),
      wish: { party: null },
    };
    expect(await failureOf({}, better)).toBe("evaluation: compliance.json: is not the result of the eight checks on facts.json");
    const nothing: Tampering = {
      facts: () => ({ type: "countersign/facts/1", source: "signed_here", certificate: { revision: 1 } }) as never,
    };
    expect(await failureOf({}, { ...nothing, compliance: () => ({}) })).toMatch(/^evaluation: /);
  });

  test.each<[string, Tampering]>([
    ["id, hash, size or time of the copy", facts(({ copy }) => ({ copy: { ...copy, content_sha256: hashOfJson("other") } }))],
    ["id, hash, size or time of the copy", facts(({ copy }) => ({ copy: { ...copy, stored_at: "2026-03-05T01:00:00.000Z" } }))],
    [
      "the hash of version prepared",
      facts(({ versions }) => ({
        versions: versions.map((each) => (each.kind === "prepared" ? { ...each, sha256: hashOfJson(1) } : each)),
      })),
    ],
    ["a consent of ann@example.com", facts(({ signers }) => ({ signers: firstSigner(signers, { consents: [] }) }))],
    ["a signing session of ann@example.com", facts(({ signers }) => ({ signers: firstSigner(signers, { sessions: [] }) }))],
    ["a signature of bob@example.com", facts(({ signers }) => ({ signers: firstSigner(signers, { email: "bob@example.com" }) }))],
    [
      "a signature of ann@example.com",
      facts(({ signers }) => ({
        signers: firstSigner(signers, {
          signatures: signers[0]?.signatures.map((each) => ({ ...each, signed_at: "2026-03-05T02:00:00.000Z" })),
        }),
      })),
    ],
    [
      "an answer of ann@example.com",
      facts(({ signers }) => ({
        signers: firstSigner(signers, {
          kba: [{ session: "ses-slug-ann", provider: "partner_questions", passed: true, at: "2026-03-05T03:07:00.000Z" }],
        }),
      })),
    ],
    [
      "copy ci_b",
      facts(() => ({ copies: [{ copy_id: "ci_b", kind: "copy", issued_at: "2026-03-05T03:30:00.000Z", pages: 2, marked_pages: 2 }] })),
    ],
    ["the accepted terms", facts(({ certification }) => ({ certification: { ...certification, terms_version: "2027-01" } }))],
    ["permission cp_1", facts(({ permissions }) => ({ permissions: permissions.map((each) => ({ ...each, user_id: "usr_ann" })) }))],
    ["assignment 1", facts(({ assignments }) => ({ assignments: assignments.map((each) => ({ ...each, party_sha256: hashOfJson(1) })) }))],
    ["the head of the chain", facts(({ chain }) => ({ chain: { ...chain, head: { ...chain.head, hash: hashOfJson(1) } } }))],
    [
      "what entry 3 says",
      facts(({ chain }) => ({
        chain: { ...chain, milestones: chain.milestones.map((each) => (each.seq === 3 ? { ...each, said: {} } : each)) },
      })),
    ],
  ])("uses facts that agree with the chain: %s", async (what, odd) => {
    expect(await failureOf({}, odd)).toMatch(new RegExp(`^evaluation: facts.json(, entry \\d+)?: contradicts the audit chain: ${what}$`));
  });

  test("uses the recorded attestation", async () => {
    const other = facts(({ attestation }) => ({ attestation: { ...attestation, attested_by: { name: "Ann Example", title: null } } }));
    expect(await failureOf({ source: "paper_upload" }, other)).toBe(
      "evaluation: facts.json, entry 4: contradicts the audit chain: the attestation",
    );
  });

  test("uses the recorded evidence file", async () => {
    const upload = { source: "electronic_signed" } as const;
    const untold = facts(({ evidence_file }) => ({ evidence_file: { ...evidence_file, sha256: hashOfJson(1) } }));
    expect(await failureOf(upload, untold)).toBe("evaluation: facts.json: contradicts the audit chain: the evidence file");
    const brought = (evidence_sha256: string, evidence_size: number): Tampering => ({
      wish: {
        acts: (acts) =>
          acts.map((act) =>
            act.type === "attestation.recorded" ? { ...act, data: { ...act.data, evidence_sha256, evidence_size } } : act,
          ),
      },
    });
    const evidence = createHash("sha256").update("evidence").digest("hex");
    expect(await failureOf(upload, brought(evidence, 8))).toBeNull();
    for (const other of [brought(hashOfJson(1), 8), brought(evidence, 9)]) {
      expect(await failureOf(upload, other)).toBe("evaluation: facts.json, entry 4: contradicts the audit chain: the evidence file");
    }
    expect(await failureOf({ source: "paper_upload" }, brought(evidence, 8)), "an evidence file that the facts leave out").toMatch(
      /the evidence file$/,
    );
  });

  test("uses the texts and the evidence file in the bundle", async () => {
    const fewer: Tampering = { parts: (parts) => ({ ...parts, texts: parts.texts.slice(1) }) };
    expect(await failureOf({}, fewer)).toBe("evaluation: texts/: the disclosure 2026-01 is missing");
    const another: Tampering = {
      parts: (parts) => ({ ...parts, texts: [...parts.texts, { name: "texts/terms-2027.md", bytes: Buffer.from("other") }] }),
    };
    expect(await failureOf({}, another)).toBe("evaluation: texts/terms-2027.md: is not one of the texts named in facts.json");
    const none: Tampering = { parts: (parts) => ({ ...parts, supplied: null }) };
    expect(await failureOf({ source: "electronic_signed" }, none)).toBe(
      "evaluation: evidence/: is not the evidence file named in facts.json",
    );
  });
});

describe("the registers", () => {
  const lender = { name: "Second Example Bank" };
  const later = (type: string, data: object): Tampering => ({
    later: [{ type, actor: { kind: "user", id: "usr_sam" }, data: { ...data } }],
  });

  test("a change of assignee without consent after the certificate is found", async () => {
    const silent = later("assignment.recorded", { seq: 2, party: lender, party_sha256: hashOfJson(lender), consent: null });
    expect(await failureOf({}, silent)).toBe(
      "registers: chain.jsonl, entry 24: the registers cannot be replayed: changed without recorded consent",
    );
  });

  test("a transfer that was never started, and a second custodian, are found", async () => {
    const accepted = { permission_id: "cp_2", user_id: "usr_ann", from_user_id: "usr_sam", released_permission_id: "cp_1" };
    expect(await failureOf({}, later("custody.accepted", accepted))).toMatch(
      /^registers: chain.jsonl, entry 24: .* no such transfer is pending$/,
    );
    expect(await failureOf({}, later("custody.assigned", { permission_id: "cp_2", user_id: "usr_ann" }))).toMatch(
      /entry 24: .* a second first custodian$/,
    );
  });

  test("after the export there is no custodian", async () => {
    const { zip, root } = await makeBundle(
      { kind: "export" },
      later("vault.exported", { export_id: "exp_a", copy_id: "ac_a", permission_id: "cp_1" }),
    );
    const report = await verified(unzipBundle(zip), root);
    expect(report.steps[9]?.says).toMatch(/^released with the copy/);
    expect(report.outcome).toBe("VERIFIED");
  });

  test("registers.json must match the audit entries", async () => {
    expect(await failureOf({}, { parts: (parts) => ({ ...parts, registers: { ...parts.registers, custody: [] } }) })).toBe(
      "registers: registers.json: does not match the audit entries",
    );
  });
});
