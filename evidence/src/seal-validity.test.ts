import { describe, expect, test } from "vitest";
import { type JudgedSeal, sealValidity } from "./seal-validity.ts";

const day = (date: string): string => `${date}T10:00:00.000Z`;
const valid: JudgedSeal = {
  not_before: day("2026-01-01"),
  not_after: day("2029-01-01"),
  revoked_at: null,
  invalid_from: null,
  reason: null,
};
const revoked = (reason: string, invalid_from = day("2026-05-02")): JudgedSeal => ({
  ...valid,
  revoked_at: day("2026-05-02"),
  invalid_from,
  reason,
});
const AFTER = "Sealed after 2026-05-02, when the certificate became invalid.";
const BEFORE = "Sealed 2026-03-01, before the certificate was revoked on 2026-05-02: valid.";

describe("a seal", () => {
  test("of a certificate in its interval is valid, and of one outside is not", () => {
    const sealed = (at: string) => sealValidity(valid, { entry: day(at), proofs: [] });
    expect(sealed("2026-03-01")).toEqual({ valid: true, sealed_at: day("2026-03-01"), says: null });
    expect(sealed("2029-01-02").says).toBe("Sealed 2029-01-02, but the certificate was valid from 2026-01-01 to 2029-01-01.");
    expect([sealed("2029-01-02").valid, sealed("2025-12-31").valid]).toEqual([false, false]);
  });

  test("is not too early because another clock is behind ours", () => {
    const [entry, proof] = [day("2026-01-01"), "2026-01-01T09:59:59.800Z"];
    expect(sealValidity(valid, { entry, proofs: [proof] })).toMatchObject({ valid: true });
    expect(sealValidity(valid, { entry: proof, proofs: [proof] })).toMatchObject({ valid: false });
  });

  test.each(["superseded", "affiliation_changed"])("made before a revocation (%s) is valid by the entry's own time", (reason) => {
    expect(sealValidity(revoked(reason), { entry: day("2026-03-01"), proofs: [] })).toMatchObject({ valid: true, says: BEFORE });
    expect(sealValidity(revoked(reason), { entry: day("2026-06-01"), proofs: [] })).toMatchObject({ valid: false, says: AFTER });
    // A proof that came late takes nothing away.
    expect(sealValidity(revoked(reason), { entry: day("2026-03-01"), proofs: [day("2026-06-01")] })).toMatchObject({ valid: true });
  });

  test("after a compromise of the key counts by the time of others only", () => {
    const stolen = revoked("key_compromise", day("2026-04-01"));
    expect(sealValidity(stolen, { entry: day("2026-03-01"), proofs: [] })).toMatchObject({
      valid: false,
      says: "Nothing but our own clock shows that this was sealed before 2026-04-01, when the certificate became invalid.",
    });
    expect(sealValidity(stolen, { entry: day("2026-02-01"), proofs: [day("2026-06-01"), day("2026-03-01")] })).toEqual({
      valid: true,
      sealed_at: day("2026-03-01"),
      says: BEFORE,
    });
    expect(sealValidity(stolen, { entry: day("2026-02-01"), proofs: [day("2026-04-15")] })).toMatchObject({
      valid: false,
      says: "No one outside saw this seal before 2026-04-01, when the certificate became invalid.",
    });
  });

  test("made at the very instant is not valid, and times are shown whole if the day is the same", () => {
    expect(sealValidity(revoked("superseded"), { entry: day("2026-05-02"), proofs: [] })).toMatchObject({ valid: false });
    expect(sealValidity(revoked("superseded"), { entry: "2026-05-02T09:00:00.000Z", proofs: [] }).says).toBe(
      "Sealed 2026-05-02T09:00:00.000Z, before the certificate was revoked on 2026-05-02T10:00:00.000Z: valid.",
    );
  });
});
