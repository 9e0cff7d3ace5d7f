import type { Facts2 } from "../../../facts-2.ts";
import { tamperEvidentRecord as inRules1 } from "../../1/checks/02-tamper-evident-record.ts";
import { failed, saidFirst } from "../../1/checks/wording.ts";
import { seenByRules1 } from "../seen-by-rules-1.ts";
import { attested, type Graded, type GradedCheck, proven } from "./check.ts";
import { fromRules1 } from "./from-rules-1.ts";

const recordedTwice = (facts: Facts2): boolean => typeof saidFirst(seenByRules1(facts), "vault.stored", "sha512") === "string";

/** Whether only the depositor says that the upload is what the issuing system gave out. */
const isKnownByStatement = ({ source, upload_signatures, document }: Facts2): boolean =>
  source === "electronic_signed" && (upload_signatures.length === 0 || document?.byte_for_byte !== true);

function gradeOf(facts: Facts2): Graded {
  if (isKnownByStatement(facts)) return attested("The depositor states the hash that the issuing system gave out.");
  if (!recordedTwice(facts)) return attested("The record was stored under one hash algorithm, SHA-256.");
  return proven("The hashes in the audit trail, the stored bytes and the seal agree.");
}

const graded = fromRules1(inRules1, gradeOf);

/** The seal itself is intact, and its certificate had become invalid: the bytes are right, and restoring them would not help. */
const isOnlyLate = ({ copy, seal }: Facts2): boolean =>
  copy !== null && copy.found_sha256 === copy.sha256 && seal !== null && !seal.valid && seal.certificate_sha256 !== "";

export const tamperEvidentRecord: GradedCheck = {
  ...graded,
  judge: (facts) =>
    isOnlyLate(facts)
      ? failed(`The seal is not valid. ${(facts.seal?.fault ?? "").replace(/\.?$/, ".")}`, "This cannot be repaired, only reported.")
      : graded.judge(facts),
};
