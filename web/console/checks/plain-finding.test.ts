import { expect, test } from "vitest";
import { local } from "../parts/when.tsx";
import { plainFinding } from "./plain-finding.ts";

test("a finding has names and local times instead of ids and ISO times", () => {
  const found = "Custodian usr_01m7ptxg5xebbamn35hsxerp3e (cp_01m7pv08ksfmks2j230athx8y2) since 2026-11-18T08:05:05.765Z.";
  expect(plainFinding(found, () => "Ann Example")).toBe(`Custodian Ann Example since ${local("2026-11-18T08:05:05.765Z")}.`);
});
