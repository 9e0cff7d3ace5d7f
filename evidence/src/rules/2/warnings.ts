import type { ApprovalFacts, Facts2 } from "../../facts-2.ts";
import { isOfForm } from "../../form-token.ts";
import { SELF_OPERATED, warningsOf as warningsOfRules1 } from "../1/checks/warnings.ts";
import { custodianDesignation } from "./checks/03-custodian.ts";
import type { GradedEvaluation } from "./checks/check.ts";
import { externalTime } from "./external-time.ts";
import { makersOf } from "./makers.ts";
import { contradictionWords, recoveriesOf, recoveryWords } from "./recoveries.ts";
import { seenByRules1 } from "./seen-by-rules-1.ts";

type Warning = GradedEvaluation["warnings"][number];

/** What the time of the record rests on, in words that never claim more than there is. */
export function timeSource(facts: Facts2): string {
  const time = externalTime(facts);
  return time === null ? SELF_OPERATED : `Time source: ${time.words}.`;
}

/** What the score does not count and a reader should know, always in the same order. */
export function warningsOf(facts: Facts2): Warning[] {
  const time = externalTime(facts);
  const before = warningsOfRules1(seenByRules1(facts))
    .filter(
      ({ code }) =>
        (code !== "time_self_operated" || time === null) &&
        (code !== "custodian_not_designated_by_secured_party" || custodianDesignation(facts) === null),
    )
    .map((one) => (one.code === "identity_asserted_by_partner" ? { ...one, message: assertedWords(facts) } : one));
  const more: Warning[] = [];
  if (time !== null && !time.isPrompt) {
    more.push({ code: "time_late", message: `Seen from outside only at ${time.at}: the record existed no later than that.` });
  }
  if (facts.log.witness_conflict) {
    more.push({ code: "witness_conflict", message: "A witness refused a checkpoint of this log because it contradicts an earlier one." });
  }
  if (!facts.log.public) more.push({ code: "log_not_public", message: "Outsiders cannot read the log of this installation." });
  const both = [...new Set(facts.acts.flatMap(({ approvals }) => approvals.filter(isOnBothSides).map(({ email }) => email)))];
  if (both.length > 0) {
    const message = `Confirmed for a party by a member of the depositing organization: ${both.join(", ")}.`;
    more.push({ code: "controller_is_depositor", message });
  }
  if (facts.origin?.witnessed === false) {
    const message =
      "No witness saw the release of the earlier vault, which could have released the record twice from a copy of its database.";
    more.push({ code: "release_not_witnessed", message });
  }
  const recoveries = recoveriesOf(facts);
  const recovery = recoveries.find(({ contradicted_at }) => contradicted_at !== null) ?? recoveries[0];
  if (recovery !== undefined) {
    const message = recovery.contradicted_at === null ? recoveryWords(recovery) : contradictionWords(recovery);
    more.push({ code: "recovered_after_release", message });
  }
  return [...before, ...more, ...identityWarnings(facts), ...makerWarnings(facts)];
}

/** Rules 1 know no public forms. No one vouches for a visitor who did not prove the address. */
function assertedWords({ signers }: Facts2): string {
  const named = (ofForm: boolean): string =>
    signers
      .filter(({ sessions, signatures }) =>
        sessions.some(
          (session) =>
            session.credential === "embed_token" &&
            isOfForm(session) === ofForm &&
            signatures.some((each) => each.session === session.session),
        ),
      )
      .map(({ email, name }) => email ?? name)
      .join(", ");
  const [asserted, stated] = [named(false), named(true)];
  return [
    ...(asserted === "" ? [] : [`Identity asserted by the integrator: ${asserted}.`]),
    ...(stated === "" ? [] : [`Identity stated on a public form, without proof of the e-mail address: ${stated}.`]),
  ].join(" ");
}

/** What could not be told apart by its file, its words or its instrument. */
function identityWarnings({ identity, source, copy }: Facts2): Warning[] {
  const found: Warning[] = [];
  const [alike] = identity.duplicates.filter(({ kinds }) => !kinds.some((kind) => kind !== "pdf_id"));
  if (alike !== undefined) {
    const message = `The PDF has the same identifier as that of ${alike.envelope_id}: both may be states of one document.`;
    found.push({ code: "possible_duplicate", message });
  }
  const isReadable = identity.fingerprints.some(({ kind }) => kind === "text");
  if (copy !== null && source !== "signed_here" && !isReadable && identity.instrument === null) {
    const message =
      "The document has too little text to compare, and no instrument was declared: another scan of it would not be recognized.";
    found.push({ code: "instrument_not_identified", message });
  }
  return found;
}

/** A transferable record is one that its makers agreed to be one. */
function makerWarnings(facts: Facts2): Warning[] {
  if (facts.identity.record_type !== "transferable_record") return [];
  const makers = makersOf(facts);
  const without = makers.filter(({ agreed }) => agreed === null);
  if (makers.length > 0 && without.length === 0) return [];
  const message =
    makers.length === 0
      ? "No agreement of a maker that the document is a transferable record is recorded."
      : `No agreement that the document is a transferable record is recorded of ${without.map(({ name }) => name).join(", ")}.`;
  return [{ code: "transferable_record_not_agreed", message }];
}

const isOnBothSides = ({ party_id, is_member }: ApprovalFacts): boolean => party_id !== null && is_member;
