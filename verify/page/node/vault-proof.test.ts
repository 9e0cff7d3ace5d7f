// The page checks decisions of other installations with the same code on other cryptography, and judges them alike.

import { expect, test, vi } from "vitest";
import { decidedAt, makeInstallation, needOf } from "../../../evidence/fixtures/installation.ts";
import { canonicalize, type Json } from "../../../evidence/src/canonical.ts";
import { hashOfJson } from "../../../evidence/src/rules/1/chain-facts.ts";
import * as node from "../../../evidence/src/vault-proof.ts";

const bank = await makeInstallation();
const act = { act_id: "act_designate", org_id: "org_acme", needs: [needOf(bank, "pty_bank")] };
const proof = canonicalize(decidedAt(bank, act, "pty_bank") as unknown as Json);

// As the build of the page replaces it.
vi.resetModules();
vi.doMock("node:crypto", () => import("./crypto.ts"));
const page: typeof node = await import("../../../evidence/src/vault-proof.ts");

const judge = (code: typeof node, text: string) =>
  code.readVaultProof(JSON.parse(text), { act_sha256: hashOfJson(act), act, party_id: "pty_bank", email: "ann@bank.example" }).fault;

test("a decision is judged alike, whole and with a changed digit or letter in many places", () => {
  expect(page.readVaultProof).not.toBe(node.readVaultProof);
  expect([judge(page, proof), judge(node, proof)]).toEqual([null, null]);
  const places = [...proof.matchAll(/[a-z0-9]{9}/g)].filter((_, index) => index % 5 === 0).map(({ index }) => index + 4);
  expect(places.length).toBeGreaterThan(10);
  for (const at of places) {
    const changed = `${proof.slice(0, at)}${proof[at] === "0" ? "1" : "0"}${proof.slice(at + 1)}`;
    expect(judge(page, changed), changed.slice(at - 9, at + 9)).not.toBeNull();
    expect(judge(page, changed), changed.slice(at - 9, at + 9)).toBe(judge(node, changed));
  }
});
