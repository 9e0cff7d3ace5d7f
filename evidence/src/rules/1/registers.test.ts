import { describe, expect, test } from "vitest";
import fc from "../../../../testing/properties.ts";
import { bank } from "../../../fixtures/record.ts";
import type { Json } from "../../canonical.ts";
import { hashOfJson, type Milestone } from "./chain-facts.ts";
import { registersJson, registersOf, replayAssignments, replayCustody } from "./registers.ts";

const at = (seq: number): string => new Date(Date.UTC(2026, 0, 2, 3, 4, seq)).toISOString();
const entries = (...acts: readonly (readonly [string, Record<string, Json>])[]): Milestone[] =>
  acts.map(([type, said], index) => ({ seq: index + 1, type, at: at(index + 1), actor: { kind: "system", id: "system" }, said }));

const assigned = ["custody.assigned", { permission_id: "cp_1", user_id: "usr_a" }] as const;
const initiated = ["custody.initiated", { permission_id: "cp_2", user_id: "usr_b", from_user_id: "usr_a" }] as const;
const accepted = [
  "custody.accepted",
  { permission_id: "cp_2", user_id: "usr_b", from_user_id: "usr_a", released_permission_id: "cp_1" },
] as const;
const exported = ["vault.exported", { export_id: "exp_1", copy_id: "ac_1", permission_id: "cp_1" }] as const;
const refusals = ["custody.rejected", "custody.cancelled", "custody.expired"] as const;

describe("custody", () => {
  test("passes from one user to the next in one entry, so that there is always one", () => {
    expect(replayCustody(entries(assigned, initiated, accepted))).toEqual({
      fault: null,
      permissions: [
        {
          permission_id: "cp_1",
          user_id: "usr_a",
          from_user_id: null,
          state: "released",
          activated_at: at(1),
          closed_at: at(3),
          last_seq: 3,
        },
        {
          permission_id: "cp_2",
          user_id: "usr_b",
          from_user_id: "usr_a",
          state: "active",
          activated_at: at(3),
          closed_at: null,
          last_seq: 3,
        },
      ],
    });
  });

  test.each(refusals)("stays where it is after %s, and can be offered again", (type) => {
    const again = ["custody.initiated", { permission_id: "cp_3", user_id: "usr_b", from_user_id: "usr_a" }] as const;
    const { permissions, fault } = replayCustody(entries(assigned, initiated, [type, { permission_id: "cp_2" }], again));
    expect(fault).toBeNull();
    expect(permissions.map(({ permission_id, state }) => [permission_id, state])).toEqual([
      ["cp_1", "active"],
      ["cp_2", type.slice("custody.".length)],
      ["cp_3", "pending"],
    ]);
  });

  test("ends when the copy leaves", () => {
    const { permissions, fault } = replayCustody(entries(assigned, exported));
    expect(fault).toBeNull();
    expect(permissions).toMatchObject([{ state: "released", closed_at: at(2) }]);
    expect(replayCustody(entries(assigned, exported, initiated)).fault).toEqual({ seq: 3, reason: "after the copy had left" });
  });

  test.each([
    ["a second first custodian", [assigned, ["custody.assigned", { permission_id: "cp_2", user_id: "usr_b" }]]],
    ["nobody is named", [["custody.assigned", {}]]],
    [
      "another transfer is pending",
      [assigned, initiated, ["custody.initiated", { permission_id: "cp_3", user_id: "usr_c", from_user_id: "usr_a" }]],
    ],
    [
      "a permission that is already known",
      [assigned, ["custody.initiated", { permission_id: "cp_1", user_id: "usr_b", from_user_id: "usr_a" }]],
    ],
    [
      "not from the custodian to another user",
      [assigned, ["custody.initiated", { permission_id: "cp_2", user_id: "usr_c", from_user_id: "usr_b" }]],
    ],
    [
      "not from the custodian to another user",
      [assigned, ["custody.initiated", { permission_id: "cp_2", user_id: "usr_a", from_user_id: "usr_a" }]],
    ],
    ["no such transfer is pending", [assigned, accepted]],
    ["it releases somebody else", [assigned, initiated, ["custody.accepted", { ...accepted[1], released_permission_id: "cp_9" }]]],
    ["it releases somebody else", [assigned, ["vault.exported", { permission_id: "cp_9" }]]],
    ["no transfer is pending under this permission", [assigned, ["custody.rejected", { permission_id: "cp_1" }]]],
  ] as const)("cannot have happened: %s", (reason, acts) => {
    expect(replayCustody(entries(...acts)).fault).toEqual({ seq: acts.length, reason });
    expect(registersOf(entries(...acts))).toBeNull();
  });

  test("whatever is told, at most one is active at a time", () => {
    const id = fc.constantFrom("1", "2", "3");
    const act = fc.oneof(
      fc.record({ permission_id: id, user_id: id }).map((said) => ["custody.assigned", said] as const),
      fc.record({ permission_id: id, user_id: id, from_user_id: id }).map((said) => ["custody.initiated", said] as const),
      fc.record({ permission_id: id, user_id: id, released_permission_id: id }).map((said) => ["custody.accepted", said] as const),
      fc.tuple(fc.constantFrom(...refusals, "vault.exported"), fc.record({ permission_id: id })),
    );
    fc.assert(
      fc.property(fc.array(act, { maxLength: 12 }), (acts) => {
        const { permissions } = replayCustody(entries(...acts));
        expect(permissions.filter(({ state }) => state === "active").length).toBeLessThanOrEqual(1);
      }),
      { numRuns: 300 },
    );
  });
});

describe("assignees", () => {
  const lender = { name: "Second Example Bank" };
  const consent = { method: "written", given_by: { name: "Ann Example", email: null }, statement: null, given_at: at(1) };
  const recorded = (seq: number, party: Json, given: Json) =>
    ["assignment.recorded", { seq, party, party_sha256: hashOfJson(party), consent: given }] as const;

  test("change with the consent of the one before", () => {
    const { assignments, fault } = replayAssignments(entries(recorded(1, { ...bank }, null), recorded(3, lender, consent)));
    expect(fault).toBeNull();
    expect(assignments).toMatchObject([
      { seq: 1, party: bank, consent: null, recorded_at: at(1), entry_seq: 1 },
      { seq: 3, party: lender, consent, entry_seq: 2 },
    ]);
  });

  test("a change without consent, a number that does not rise, and another party than hashed are found", () => {
    const first = recorded(1, { ...bank }, null);
    expect(replayAssignments(entries(first, recorded(2, lender, null))).fault).toEqual({
      seq: 2,
      reason: "changed without recorded consent",
    });
    expect(replayAssignments(entries(first, recorded(1, lender, consent))).fault).toEqual({
      seq: 2,
      reason: "the register's numbers do not rise",
    });
    const other = ["assignment.recorded", { ...first[1], party_sha256: hashOfJson(lender) }] as const;
    expect(replayAssignments(entries(other)).fault).toEqual({ seq: 1, reason: "the hash is not that of the party" });
  });

  test("both registers are one canonical document", () => {
    const registers = registersOf(entries(assigned, recorded(1, lender, null)));
    expect(registersJson(registers as NonNullable<typeof registers>)).toBe(
      `{"assignments":[{"consent":null,"entry_seq":2,"party":{"name":"Second Example Bank"},"party_sha256":"${hashOfJson(lender)}","recorded_at":"${at(2)}","seq":1}],"custody":[{"activated_at":"${at(1)}","closed_at":null,"from_user_id":null,"last_seq":1,"permission_id":"cp_1","state":"active","user_id":"usr_a"}],"type":"countersign/registers/1"}`,
    );
  });
});
