import type { Facts } from "../../../facts.ts";
import type { Check } from "./check.ts";
import { AGAIN, type Condition, dateOf, entriesOf, failed, judgeBy, NOT_STORED, short } from "./wording.ts";

export const singleAuthoritativeCopy: Check = {
  number: 1,
  id: "single_authoritative_copy",
  weight: 13,
  legal_reference: "UCC 9-105(b)(1)",
  requirement: "One authoritative copy of the signed record exists, and it is unique and identifiable.",
  judge: (facts) =>
    judgeBy(
      facts,
      [isLive, isNamedBySeal, isOldest, bySource[facts.source]],
      ({ copy }) =>
        `Authoritative copy ${copy?.copy_id} stored ${copy?.stored_at}; no other live copy of this content in the organization.`,
    ),
};

const isLive: Condition = ({ copy }) => {
  if (copy === null) return NOT_STORED;
  const { state, state_since } = copy;
  const since = state_since ?? "an unknown date";
  if (state === "active" || state === "escrowed") return null;
  if (state === "tampered") {
    return failed(`The authoritative copy is marked as tampered since ${since}.`, `Restore the bytes with the recorded hash, ${AGAIN}.`);
  }
  const newEnvelope = "A record that is back in this organization's hands is vaulted as a new envelope.";
  if (state === "exported") return failed(`The authoritative copy left this vault on ${since}.`, newEnvelope);
  return failed(`The authoritative copy was destroyed on ${since}.`, newEnvelope);
};

const isNamedBySeal: Condition = ({ copy, envelope, seal }) => {
  const words = (seal?.reason ?? "").split(/[\s,;.]+/);
  const names = [copy?.copy_id ?? "", envelope.envelope_id];
  if (names.every((name) => words.includes(name))) return null;
  return failed(`The seal does not name ${names.join(" and ")}.`, `Restore the bytes with the recorded hash, ${AGAIN}.`);
};

const isOldest: Condition = ({ older_copy }) =>
  older_copy === null
    ? null
    : failed(`The same document is already vaulted as ${older_copy.envelope_id}.`, `Release the duplicate, ${AGAIN}.`);

const isStampedContent: Condition = (facts) => {
  const completed = entriesOf(facts, "envelope.completed")[0]?.seq ?? Number.POSITIVE_INFINITY;
  const stamped = entriesOf(facts, "document.stamped").find(({ seq }) => seq > completed);
  const found = facts.copy?.content_sha256 ?? null;
  if (stamped !== undefined && stamped.said?.sha256 === found) return null;
  return failed(
    `The stored content ${short(found)} is not the document that was stamped after completion.`,
    "This cannot be repaired, only reported; sign again in a new envelope.",
  );
};

const PRIOR_COPY_ENDED: readonly unknown[] = ["none_existed", "exported_with_acknowledgment", "marked_as_copy"];

const isReleasedElsewhere: Condition = ({ attestation }) => {
  const status = attestation?.external?.prior_copy_status ?? null;
  if (PRIOR_COPY_ENDED.includes(status)) return null;
  return failed(
    `The issuing system may still hold an authoritative copy (${status ?? "no status recorded"}).`,
    `Attest the prior copy's status, ${AGAIN}.`,
  );
};

const isPaperDisposed: Condition = ({ attestation, evaluated_at }) => {
  const paper = attestation?.paper ?? null;
  const disposition = paper?.original_disposition ?? null;
  const remedy = `Attest the disposition of the paper original, ${AGAIN}.`;
  const outstanding = (why: string) => failed(`The paper original is still outstanding (${why}).`, remedy);
  if (disposition !== "destroyed" && disposition !== "marked_as_copy") return outstanding(disposition ?? "no disposition recorded");
  if ((paper?.disposition_by ?? "").trim() === "") return outstanding("nobody is named who disposed of it");
  const on = paper?.disposition_on ?? null;
  return on !== null && on <= dateOf(evaluated_at) ? null : outstanding(on === null ? "no date recorded" : `not before ${on}`);
};

const bySource: Record<Facts["source"], Condition> = {
  signed_here: isStampedContent,
  electronic_signed: isReleasedElsewhere,
  paper_upload: isPaperDisposed,
};
