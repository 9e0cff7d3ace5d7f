import type { Facts } from "../../../facts.ts";
import type { Warning } from "./check.ts";
import { entriesOf, listOf, saidFirst } from "./wording.ts";

export const SELF_OPERATED =
  "Time source: self-operated (the clock of this installation). An operator who holds all keys could re-create this record.";

/** Which time the record rests on, in words that never claim more than there is. */
export function timeSource({ time }: Pick<Facts, "time">): string {
  return time.token?.valid === true
    ? `Time source: time stamp of an external authority (RFC 3161) at ${time.token.gen_time}.`
    : SELF_OPERATED;
}

// Below this, small print on a scanned page cannot be read for certain.
const LEAST_DPI = 200;

const WEAK_KBA_PROVIDER = "customer_record";

/** What the score does not count and a reader should know, always in the same order. */
export function warningsOf(facts: Facts): Warning[] {
  return warnings.flatMap(({ code, applies, message }) => (applies(facts) ? [{ code, message: message(facts) }] : []));
}

type Rule = { readonly code: Warning["code"]; readonly applies: (facts: Facts) => boolean; readonly message: (facts: Facts) => string };

const warnings: readonly Rule[] = [
  {
    code: "secured_party_incomplete",
    applies: ({ envelope: { secured_party: party } }) => party !== null && (party.address ?? "") === "" && (party.identifier ?? "") === "",
    message: () => "The secured party has neither an address nor an identifier.",
  },
  { code: "time_self_operated", applies: ({ time }) => time.token?.valid !== true, message: () => SELF_OPERATED },
  {
    code: "seal_self_issued",
    applies: ({ seal }) => seal?.self_issued === true,
    message: () => "The seal certificate is issued under this installation's own root; desktop readers show it as unknown.",
  },
  {
    code: "lock_application_only",
    applies: ({ copy }) => copy?.lock?.kind === "application",
    message: () => "The lock is kept by the service and its database; whoever has access to the disk can still delete the file.",
  },
  {
    code: "identity_asserted_by_partner",
    applies: ({ signers }) => signers.some(signedByToken),
    message: ({ signers }) =>
      `Identity asserted by the integrator: ${signers
        .filter(signedByToken)
        .map(({ email, name }) => email ?? name)
        .join(", ")}.`,
  },
  {
    code: "kba_weak_provider",
    applies: ({ signers }) => signers.some(({ kba }) => kba.some(({ passed, provider }) => passed && provider === WEAK_KBA_PROVIDER)),
    message: () => "Identity questions were taken from the customer record, which others may know.",
  },
  {
    code: "low_resolution",
    applies: ({ document }) => (document?.lowest_dpi ?? LEAST_DPI) < LEAST_DPI,
    message: ({ document }) => `A scanned page has ${document?.lowest_dpi} dots per inch, below ${LEAST_DPI}.`,
  },
  {
    code: "signatures_removed_by_cleaning",
    applies: (facts) => removedInPreparing(facts) || removedInCleaning(facts),
    message: () => "Signatures in the upload were removed with active content; what they were worth is recorded in document.received.",
  },
  {
    code: "tamper_detected",
    applies: ({ copy }) => copy?.state === "tampered",
    message: ({ copy }) => `Stored bytes were found altered or missing${copy?.state_since == null ? "" : ` on ${copy.state_since}`}.`,
  },
  {
    code: "custodian_not_designated_by_secured_party",
    applies: ({ permissions, custodian_designated }) => !custodian_designated && permissions.some(({ state }) => state === "active"),
    message: () => "The custodian was designated by the depositing organization; no designation by the secured party is recorded.",
  },
];

function signedByToken({ signatures, sessions }: Facts["signers"][number]): boolean {
  return sessions.some(({ session, credential }) => credential === "embed_token" && signatures.some((each) => each.session === session));
}

const removedInPreparing = (facts: Facts): boolean =>
  entriesOf(facts, "document.prepared").some(({ said }) => Number(said?.signatures_removed ?? 0) > 0);

const removedInCleaning = (facts: Facts): boolean =>
  saidFirst(facts, "document.received", "byte_for_byte") === false &&
  listOf(saidFirst(facts, "document.received", "signatures")).length > 0;
