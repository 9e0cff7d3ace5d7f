import { expect, test } from "vitest";
import { plainRemedy } from "./plain-remedy.ts";

test.each([
  ["Restore the bytes with the recorded hash, then evaluate again (POST …/compliance).", "Restore the bytes with the recorded hash."],
  [
    "Have someone other than the depositor compare both and record it (POST …/duplicate-review).",
    "Have someone other than the depositor compare both and record it.",
  ],
  ["PUT …/secured-party for a first designation or POST …/assignments for a change, then evaluate again (POST …/compliance).", null],
  ["Name the signers and send the envelope.", "Name the signers and send the envelope."],
  [null, null],
])("a remedy names no HTTP call: %s", (remedy, plain) => {
  expect(plainRemedy(remedy)).toBe(plain);
});
