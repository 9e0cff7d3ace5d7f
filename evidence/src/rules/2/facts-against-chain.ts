import { canonicalize } from "../../canonical.ts";
import type { SignerFacts } from "../../facts.ts";
import type { ActFacts, Facts2 } from "../../facts-2.ts";
import { hashOfInstrument } from "../../instrument.ts";
import type { Link } from "../../verify-chain.ts";
import { hashOfJson } from "../1/chain-facts.ts";
import { entriesOf } from "../1/checks/wording.ts";
import { type Contradiction, chainContradiction, rowContradiction, says, toldUntil } from "../1/facts-against-chain.ts";
import { chainFacts } from "./chain-facts.ts";
import { isAboutRecord, isProof } from "./control.ts";
import { documentContradiction } from "./documents.ts";
import { resultContradiction } from "./identity-results.ts";
import { claimsOf } from "./link-claims.ts";
import { recipientContradiction } from "./recipients.ts";
import { seenByRules1 } from "./seen-by-rules-1.ts";

/** The first contradiction between facts and the whole chain that they were gathered from; null when there is none. */
export function firstContradiction(facts: Facts2, links: readonly Link[]): Contradiction | null {
  const { org, envelope } = seenByRules1(facts);
  const chain = toldUntil({ chain: facts.chain, org, envelope }, links, chainFacts);
  const told = { ...facts, chain };
  return (
    chainContradiction(facts.chain, chain) ??
    rowContradiction(seenByRules1(told)) ??
    linkContradiction(told) ??
    resultContradiction(told) ??
    recipientContradiction(told) ??
    documentContradiction(told) ??
    sourceContradiction(told) ??
    actContradiction(told) ??
    identityContradiction(told) ??
    agreementContradiction(told)
  );
}

/** How a link reached its user, and where a signature was made, are what the entries say. */
function linkContradiction(facts: Facts2): Contradiction | null {
  for (const signer of facts.signers) {
    for (const session of signer.sessions) {
      const entry = entriesOf(facts, "signer.opened").find(
        ({ actor, said }) => actor.kind === "signer" && actor.id === signer.slug && said?.signing_session === session.session,
      );
      if (entry !== undefined && !says(entry, claimsOf(session))) return { what: `the link of ${whoIs(signer)}`, seq: entry.seq };
    }
  }
  return null;
}

const whoIs = ({ email, order }: SignerFacts): string => email ?? `signer ${order}`;

/** What was signed here is compared with the audit trail; without that comparison it would pass as signed elsewhere. */
function sourceContradiction(facts: Facts2): Contradiction | null {
  const [stored] = entriesOf(facts, "vault.stored");
  if (stored !== undefined && !says(stored, { source: facts.source })) return { what: "where it was signed", seq: stored.seq };
  const isCompared = facts.source !== "signed_here" || facts.provider !== "builtin" || facts.signed !== null;
  return isCompared ? null : { what: "that it was signed here", seq: stored?.seq ?? null };
}

/** Acts are what their documents say, the chain names them all, and each confirmation is over exactly its bytes. */
function actContradiction(facts: Facts2): Contradiction | null {
  const effective = entriesOf(facts, "act.effective");
  if (effective.length !== facts.acts.length) return { what: "the acts that took effect", seq: effective.at(-1)?.seq ?? null };
  for (const [index, act] of facts.acts.entries()) {
    const entry = effective[index];
    const { act_id, kind, sha256, entry_seq, batch } = act;
    if (entry === undefined || entry.seq !== entry_seq || !says(entry, { act_id, kind, sha256, index: batch?.index })) {
      return { what: `that ${act_id} took effect`, seq: entry?.seq ?? null };
    }
    if (!isDocumentOf(facts, act)) return { what: `the document of ${act_id}`, seq: entry.seq };
    const contradiction = approvalContradiction(facts, act);
    if (contradiction !== null) return contradiction;
  }
  return null;
}

/** A confirmation of an act on another record says nothing about this one. */
function isDocumentOf(facts: Facts2, act: ActFacts): boolean {
  const { act_id, kind, sha256, document } = act;
  const claims = { act_id, kind, org_id: facts.org.org_id };
  const isAct = hashOfJson(document) === sha256 && Object.entries(claims).every(([name, claim]) => document[name] === claim);
  return isAct && isAboutRecord(act, facts);
}

function approvalContradiction(facts: Facts2, act: ActFacts): Contradiction | null {
  const { act_id, sha256, approvals } = act;
  const confirmed = entriesOf(facts, "act.confirmed").filter(({ said }) => said === null || said.act_id === act_id);
  for (const approval of approvals) {
    const { role, party_id, email, method, is_member, approvers_replaced, proof } = approval;
    const proof_sha256 = proof === null ? null : hashOfJson(proof);
    const claims = { act_id, sha256, role, party_id, email, method, is_member, approvers_replaced, proof_sha256 };
    const entry = confirmed.find((one) => says(one, claims));
    if (entry === undefined) return { what: `who confirmed ${act_id}`, seq: null };
    if (!isProof(approval, act)) {
      const what = method === "vault_key" ? "signature of the installation" : "passkey";
      return { what: `the ${what} of ${email} for ${act_id}`, seq: entry.seq };
    }
  }
  return null;
}

/** What was declared about the document, and who compared it with another, are in the chain. Its fingerprints begin with its own hash. */
function identityContradiction(facts: Facts2): Contradiction | null {
  const { identity, copy } = facts;
  const declared = [...entriesOf(facts, "envelope.created"), ...entriesOf(facts, "envelope.completed")];
  const said = { record_type: "other", instrument: null, ...Object.assign({}, ...declared.map((entry) => entry.said ?? {})) };
  const { record_type, instrument, fingerprints } = identity;
  const isErased = declared.some((entry) => entry.said === null);
  if (!isErased && canonicalize({ record_type, instrument }) !== canonicalize(said))
    return { what: "what was declared about it", seq: null };
  const has = (kind: string, value: string) => fingerprints.some((each) => each.kind === kind && each.value === value);
  if (copy !== null && !has("file", copy.sha256)) return { what: "the fingerprint of the copy", seq: null };
  if (instrument !== null && copy !== null && !has("instrument", hashOfInstrument(instrument)))
    return { what: "the fingerprint of the instrument", seq: null };
  for (const { envelope_id: other_envelope_id, review, returned } of identity.duplicates) {
    const used = returned === undefined ? null : entriesOf(facts, "vault.receipt_used").find(({ seq }) => seq === returned.entry_seq);
    if (used === undefined || (used !== null && (used.at !== returned?.at || !says(used, { from_envelope_id: other_envelope_id }))))
      return { what: `the receipt of ${other_envelope_id}`, seq: returned?.entry_seq ?? null };
    if (review === null) continue;
    const entry = entriesOf(facts, "duplicate.reviewed").find(({ seq }) => seq === review.entry_seq);
    if (entry === undefined || entry.at !== review.at || !says(entry, { other_envelope_id }))
      return { what: `the comparison with ${other_envelope_id}`, seq: review.entry_seq };
  }
  return null;
}

/** Every text that a maker accepted is among the texts, which the bundle contains. */
function agreementContradiction(facts: Facts2): Contradiction | null {
  const unnamed = entriesOf(facts, "agreement.accepted").find(
    ({ said }) => said !== null && !facts.texts.some(({ kind, sha256 }) => kind === "agreement" && sha256 === said.agreement_sha256),
  );
  return unnamed === undefined ? null : { what: "the text that a maker accepted", seq: unnamed.seq };
}
