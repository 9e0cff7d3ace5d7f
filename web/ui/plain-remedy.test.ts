import { expect, test } from "vitest";
import { plainRemedy } from "./plain-remedy.ts";

test.each([
  [
    "Restore the blob with the recorded hash, then evaluate again (POST …/compliance). Upload the right file as a new envelope.",
    "Restore the stored file with the recorded hash. Upload the right file as a new envelope.",
  ],
  ["Restore the bytes with the recorded hash, then evaluate again (POST …/compliance).", "Restore the bytes with the recorded hash."],
  [
    "Have someone other than the depositor compare both and record it (POST …/duplicate-review).",
    "Have someone other than the depositor compare both and record it.",
  ],
  ["PUT …/secured-party for a first designation or POST …/assignments for a change, then evaluate again (POST …/compliance).", null],
  [
    "Attest external.document_sha256, then evaluate again (POST …/compliance). Upload the right file as a new envelope.",
    "Attest the hash that the issuing system gave out. Upload the right file as a new envelope.",
  ],
  [
    "Propose an act correct_party with the real party (POST …/acts); it is evaluated again when it takes effect.",
    "Propose to correct the secured party; it is evaluated again when it takes effect.",
  ],
  ["Name the signers and send the envelope.", "Name the signers and send the envelope."],
  [null, null],
])("a remedy names no HTTP call: %s", (remedy, plain) => {
  expect(plainRemedy(remedy)).toBe(plain);
});
