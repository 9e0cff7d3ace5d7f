import { describe, expect, test } from "vitest";
import { makeRoot } from "../../pdf/fixtures/certificates.ts";
import { sha256 } from "./bundle/manifest.ts";
import { signTrustKeys } from "./bundle/trust-keys.ts";
import { canonicalize } from "./canonical.ts";
import { type RootSuccession, type Roots, readRoots, type SignedSuccession, walkRoots } from "./root-succession.ts";

const [first, second, third] = [await makeRoot(), await makeRoot(), await makeRoot()];
type Root = typeof first;
const hashOf = ({ certificate }: Root): string => sha256(certificate);
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const signedBy = ({ key }: Root, statement: RootSuccession): string => hex(signTrustKeys(statement as never, key).signature);

function follows(old: Root, next: Root, by: { readonly old?: Root | null; readonly next?: Root } = {}): SignedSuccession {
  const statement: RootSuccession = {
    type: "countersign/root-succession/1",
    old: hashOf(old),
    new: hashOf(next),
    at: "2026-05-02T10:00:00.000Z",
  };
  const former = by.old === undefined ? old : by.old;
  return {
    statement,
    old_signature: former === null ? null : signedBy(former, statement),
    new_signature: signedBy(by.next ?? next, statement),
  };
}

const listOf = (all: readonly Root[], successions: readonly SignedSuccession[]): Roots => ({
  type: "countersign/roots/1",
  certificates: all.map(({ certificate }) => Buffer.from(certificate).toString("base64")),
  successions,
});

const honest = listOf([first, second, third], [follows(first, second), follows(second, third)]);

describe("a reader who knows one root", () => {
  test("gets to a later one over statements that both roots signed", () => {
    expect(walkRoots(honest, hashOf(first), hashOf(third))).toEqual({ kind: "proven", steps: 2 });
    expect(walkRoots(honest, hashOf(second), hashOf(third))).toEqual({ kind: "proven", steps: 1 });
    expect(walkRoots(honest, hashOf(third), hashOf(third))).toEqual({ kind: "proven", steps: 0 });
  });

  test("gets no proof over a lost key, unless it was lost before the root that is known", () => {
    const lost = listOf([first, second, third], [follows(first, second, { old: null }), follows(second, third)]);
    expect(walkRoots(lost, hashOf(first), hashOf(third))).toEqual({
      kind: "unproven",
      at: "2026-05-02T10:00:00.000Z",
      reason: `The old key was lost: on 2026-05-02T10:00:00.000Z root ${hashOf(second)} replaced root ${hashOf(first)}, which did not sign this.`,
    });
    expect(walkRoots(lost, hashOf(second), hashOf(third))).toEqual({ kind: "proven", steps: 1 });
  });

  test("learns that another root is not in the list", () => {
    expect(walkRoots(honest, "0".repeat(64), hashOf(third))).toEqual({ kind: "unknown" });
  });

  test.each([
    ["the old root's signature is another's", listOf([first, second], [follows(first, second, { old: third })])],
    ["the new root's signature is another's", listOf([first, second], [follows(first, second, { next: third })])],
    ["a statement about other roots", listOf([first, second], [follows(third, second)])],
    ["a certificate that is none", { ...listOf([first, second], [follows(first, second)]), certificates: ["AAAA", "AAAA"] }],
    ["a list that ends elsewhere", listOf([second, first], [follows(second, first)])],
  ])("refuses: %s", (_, roots) => {
    expect(walkRoots(roots, hashOf(first), hashOf(second))).toMatchObject({ kind: "broken" });
  });
});

test("the list is parsed from canonical bytes with one statement between two roots", () => {
  const bytes = (value: object) => Buffer.from(canonicalize(JSON.parse(JSON.stringify(value))));
  expect(readRoots(bytes(honest))).toEqual(honest);
  const [one] = honest.successions;
  for (const change of [
    { type: "countersign/roots/2" },
    { more: 1 },
    { successions: [one] },
    { certificates: [1, 2, 3] },
    { successions: [one, { ...one, old_signature: "x" }] },
    { successions: [one, { ...one, statement: { ...one?.statement, more: 1 } }] },
  ]) {
    expect(readRoots(bytes({ ...honest, ...change }))).toBeNull();
  }
  expect(readRoots(Buffer.from(JSON.stringify(honest)))).toBeNull();
});
