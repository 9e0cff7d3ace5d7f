import type { Facts2 } from "../../../facts-2.ts";
import { tamperEvidentRecord as inRules1 } from "../../1/checks/02-tamper-evident-record.ts";
import { saidFirst } from "../../1/checks/wording.ts";
import { seenByRules1 } from "../seen-by-rules-1.ts";
import { attested, type Graded, proven } from "./check.ts";
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

export const tamperEvidentRecord = fromRules1(inRules1, gradeOf);
