// Whether facts tell what the chain tells. An evaluation is a function of its facts; this is what ties the facts to the record, for a
// reader who has no database to look into.

import { canonicalize } from "../../canonical.ts";
import type { CopyIssueFacts, Facts, SignerFacts } from "../../facts.ts";
import type { ExpectedChain } from "../../milestones.ts";
import type { Link } from "../../verify-chain.ts";
import { type ChainFacts, chainFacts, hashOfJson, type Milestone } from "./chain-facts.ts";
import { replayAssignments, replayCustody } from "./registers.ts";

/** What the facts claim and the chain does not; `seq` where one entry is meant. */
export type Contradiction = { readonly what: string; readonly seq: number | null };

// A row has the time at which its transaction began, an entry the time at which it was written; between them a lock may have been
// waited for.
const WRITTEN_WITHIN_MS = 60_000;

/** The first contradiction between facts and the whole chain that they were gathered from; null when there is none. */
export function firstContradiction(facts: Facts, links: readonly Link[]): Contradiction | null {
  const told = toldUntil(facts, links, chainFacts);
  return chainContradiction(facts.chain, told) ?? rowContradiction({ ...facts, chain: told });
}

/** What the chain says up to the entry at which the facts were gathered. `read` is `chainFacts` of the rules that the facts are for. */
export function toldUntil(
  { chain, org, envelope }: Pick<Facts, "chain" | "org" | "envelope">,
  links: readonly Link[],
  read: (links: readonly Link[], expected: ExpectedChain) => ChainFacts,
): ChainFacts {
  const until = chain.head?.seq ?? 0;
  // The whole chain is read, because an entry after the facts may have erased data of one before them.
  const { fault, milestones } = read(links, { org_id: org.org_id, subject: envelope.envelope_id });
  const last = links[until - 1]?.entry;
  const head = last === undefined ? null : { seq: last.seq, hash: last.hash, at: last.at };
  return { head, fault, milestones: milestones.filter(({ seq }) => seq <= until) };
}

// What was erased since cannot be compared; that it was there, when, and by whom, still is.
export function chainContradiction(claimed: ChainFacts, told: ChainFacts): Contradiction | null {
  if (canonicalize(claimed.head) !== canonicalize(told.head)) return { what: "the head of the chain", seq: claimed.head?.seq ?? null };
  if (claimed.fault !== null || told.fault !== null)
    return { what: "a fault of the chain", seq: claimed.fault?.seq ?? told.fault?.seq ?? null };
  for (const [index, entry] of told.milestones.entries()) {
    const claim = claimed.milestones[index];
    const isSame = claim !== undefined && canonicalize(entry.said === null ? { ...claim, said: null } : claim) === canonicalize(entry);
    if (!isSame) return { what: `what entry ${entry.seq} says`, seq: entry.seq };
  }
  if (claimed.milestones.length === told.milestones.length) return null;
  return { what: "an entry that is not in the chain", seq: claimed.milestones[told.milestones.length]?.seq ?? null };
}

export function rowContradiction(facts: Facts): Contradiction | null {
  return (
    copyContradiction(facts) ??
    versionContradiction(facts) ??
    first(facts.signers, (signer) => signerContradiction(facts, signer)) ??
    issueContradiction(facts) ??
    certificationContradiction(facts) ??
    evidenceContradiction(facts) ??
    registerContradiction(facts)
  );
}

const entries = ({ chain }: Facts, type: string): Milestone[] => chain.milestones.filter((entry) => entry.type === type);

/** What was erased agrees with anything. */
export const says = ({ said }: Milestone, claims: Readonly<Record<string, unknown>>): boolean =>
  said === null || Object.entries(claims).every(([name, claim]) => canonicalize(said[name] ?? null) === canonicalize(claim ?? null));

const isWrittenAt = (time: string, { at }: Milestone): boolean => Math.abs(Date.parse(at) - Date.parse(time)) <= WRITTEN_WITHIN_MS;

function copyContradiction(facts: Facts): Contradiction | null {
  const [stored, second] = entries(facts, "vault.stored");
  const { copy } = facts;
  if (copy === null || stored === undefined || second !== undefined) return { what: "that one copy was stored", seq: second?.seq ?? null };
  const { copy_id, sha256: hash, size, content_sha256 } = copy;
  const isSame = says(stored, { copy_id, hash, size, content_sha256 }) && isWrittenAt(copy.stored_at, stored);
  return isSame ? null : { what: "id, hash, size or time of the copy", seq: stored.seq };
}

function versionContradiction(facts: Facts): Contradiction | null {
  const named = {
    received: ["document.received", "received_sha256"],
    prepared: ["document.prepared", "sha256"],
    stamped: ["document.stamped", "sha256"],
  } as const;
  for (const [kind, [type, member]] of Object.entries(named)) {
    const [entry] = entries(facts, type);
    const version = facts.versions.find((each) => each.kind === kind);
    if (entry !== undefined && !says(entry, { [member]: version?.sha256 ?? null }))
      return { what: `the hash of version ${kind}`, seq: entry.seq };
    if (entry === undefined && version !== undefined) return { what: `that there is a version ${kind}`, seq: null };
  }
  return null;
}

function signerContradiction(facts: Facts, signer: SignerFacts): Contradiction | null {
  const own = (type: string) => entries(facts, type).filter(({ actor }) => actor.kind === "signer" && actor.id === signer.slug);
  const who = signer.email ?? signer.slug ?? `signer ${signer.order}`;
  const opened = signer.sessions.map(({ session, credential, email, opened_at }) => ({
    claims: { signing_session: session, credential, user_email: email },
    at: opened_at,
  }));
  const consented = signer.consents.map(({ session, disclosure_version, disclosure_sha256, accepted_at }) => ({
    claims: { signing_session: session, disclosure_version, disclosure_sha256 },
    at: accepted_at,
  }));
  const answered = (passed: boolean) =>
    signer.kba
      .filter((each) => each.passed === passed)
      .map(({ session, provider, at }) => ({ claims: { signing_session: session, provider }, at }));
  return (
    mismatch(`a signing session of ${who}`, opened, own("signer.opened")) ??
    mismatch(`a consent of ${who}`, consented, own("consent.accepted")) ??
    mismatch(`an answer of ${who}`, answered(true), own("kba.passed")) ??
    mismatch(`an answer of ${who}`, answered(false), own("kba.failed")) ??
    signatureContradiction(signer, own("signature.applied"), who)
  );
}

type Claim = { readonly claims: Readonly<Record<string, unknown>>; readonly at: string };

/** Each claim has its entry and each entry its claim. */
export function mismatch(what: string, claimed: readonly Claim[], told: readonly Milestone[]): Contradiction | null {
  const fits = ({ claims, at }: Claim, entry: Milestone) => says(entry, claims) && isWrittenAt(at, entry);
  const silent = told.find((entry) => !claimed.some((claim) => fits(claim, entry)));
  if (silent !== undefined) return { what, seq: silent.seq };
  return claimed.every((claim) => told.some((entry) => fits(claim, entry))) ? null : { what, seq: null };
}

// One press signs all fields that are linked, and makes one entry; each field has its row.
function signatureContradiction(signer: SignerFacts, told: readonly Milestone[], who: string): Contradiction | null {
  const claims = signer.signatures.map(
    ({ kind, method, mark_sha256, session, intent_sha256, prepared_sha256, state_sha256, signed_at }) => ({
      claims: {
        kind,
        method,
        mark_sha256,
        signing_session: session,
        intent_sha256,
        prepared_sha256,
        state_sha256,
        user_email: signer.email,
      },
      at: signed_at,
    }),
  );
  return mismatch(`a signature of ${who}`, claims, told);
}

// What went out before the copy was stored is in the facts only with auto-vault; what went out after it always is.
function issueContradiction(facts: Facts): Contradiction | null {
  const stored = entries(facts, "vault.stored")[0]?.seq ?? 0;
  const told = entries(facts, "copy.issued");
  const fits = ({ copy_id, kind, pages, marked_pages, issued_at }: CopyIssueFacts, entry: Milestone) =>
    says(entry, { copy_id, kind, pages, marked_pages }) && isWrittenAt(issued_at, entry);
  const silent = told.find((entry) => entry.seq > stored && !facts.copies.some((copy) => fits(copy, entry)));
  if (silent !== undefined) return { what: "an issued copy", seq: silent.seq };
  const untold = facts.copies.find((copy) => !told.some((entry) => fits(copy, entry)));
  return untold === undefined ? null : { what: `copy ${untold.copy_id}`, seq: null };
}

function certificationContradiction(facts: Facts): Contradiction | null {
  const { certification, attestation } = facts;
  const accepted = entries(facts, "certification.accepted");
  if (certification !== null) {
    const { terms_version, terms_sha256, accepted_at: at } = certification;
    const isSaid = accepted.some((entry) => says(entry, { terms_version, terms_sha256 }) && isWrittenAt(at, entry));
    if (!isSaid) return { what: "the accepted terms", seq: accepted[0]?.seq ?? null };
  }
  const attested = entries(facts, "attestation.recorded").at(-1);
  if (attestation === null || (attested !== undefined && says(attested, { attestation_sha256: hashOfJson(attestation) }))) return null;
  return { what: "the attestation", seq: attested?.seq ?? null };
}

// The entry that the file came with names it; so does the attestation, whose hash is in the chain, when it says which file it means.
function evidenceContradiction(facts: Facts): Contradiction | null {
  const { evidence_file: file, attestation } = facts;
  const told = entries(facts, "attestation.recorded").filter(({ said }) => (said?.evidence_sha256 ?? null) !== null);
  const other = told.find((entry) => file === null || !says(entry, { evidence_sha256: file.sha256, evidence_size: file.size }));
  if (other !== undefined) return { what: "the evidence file", seq: other.seq };
  if (file === null || told.length > 0 || attestation?.external?.evidence_sha256 === file.sha256) return null;
  // An entry whose data was erased may have been the one.
  const isErased = entries(facts, "attestation.recorded").some(({ said }) => said === null);
  return isErased ? null : { what: "the evidence file", seq: null };
}

function registerContradiction(facts: Facts): Contradiction | null {
  const custody = replayCustody(facts.chain.milestones);
  const register = replayAssignments(facts.chain.milestones);
  const fault = custody.fault ?? register.fault;
  if (fault !== null) return { what: `a register (${fault.reason})`, seq: fault.seq };
  const held = custody.permissions.find((each) => {
    const row = facts.permissions.find(({ permission_id }) => permission_id === each.permission_id);
    return row?.user_id !== each.user_id || row.state !== each.state || row.from_user_id !== each.from_user_id;
  });
  if (held !== undefined) return { what: `permission ${held.permission_id}`, seq: held.last_seq };
  if (custody.permissions.length !== facts.permissions.length) return { what: "a permission that no entry names", seq: null };
  const rows = facts.assignments.filter(({ state }) => state === "effective");
  const assigned = register.assignments.find(({ entry_seq, party_sha256, consent }) => {
    const row = rows.find((each) => each.entry_seq === entry_seq);
    return (
      row === undefined ||
      row.party_sha256 !== party_sha256 ||
      canonicalize(row.consent) !== canonicalize(consent) ||
      hashOfJson(row.party) !== party_sha256
    );
  });
  if (assigned !== undefined) return { what: `assignment ${assigned.seq}`, seq: assigned.entry_seq };
  return register.assignments.length === rows.length ? null : { what: "an assignment that no entry names", seq: null };
}

function first<T>(items: readonly T[], find: (item: T) => Contradiction | null): Contradiction | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}
