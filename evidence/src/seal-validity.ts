// Whether a seal counts although its certificate has ended or was revoked: what matters is the time of sealing, as far as it is proven.

/** A seal certificate as the installation lists it. `invalid_from`: seals made from then on do not count; null unless it is revoked. */
export type JudgedSeal = {
  readonly not_before: string;
  readonly not_after: string;
  readonly revoked_at: string | null;
  readonly invalid_from: string | null;
  readonly reason: string | null;
};

/** What is known about the time of sealing. */
export type SealTimes = {
  /** the time of the audit entry that records the sealing, by the installation's own clock */
  readonly entry: string;
  /** times of others, at which the seal existed: of its time stamp, and of tokens and cosignatures over checkpoints that contain the entry */
  readonly proofs: readonly string[];
};

export type SealVerdict = { readonly valid: boolean; readonly sealed_at: string; readonly says: string | null };

/**
 * The seal is valid if its certificate was in its interval and not yet invalid at the earliest known time of sealing. A person with the key
 * can also write entries with an early time, so after `key_compromise` the entry's own time does not count. `says` is null if there is
 * nothing to add to a valid seal.
 * @example sealValidity(listed, { entry: "2026-03-01T10:00:00.000Z", proofs: [] })
 */
export function sealValidity(seal: JudgedSeal, { entry, proofs }: SealTimes): SealVerdict {
  const { not_before, not_after, revoked_at, invalid_from } = seal;
  const known = [...proofs, ...(seal.reason === "key_compromise" ? [] : [entry])].sort();
  const [sealed_at = entry] = known;
  const verdict = (valid: boolean, says: string | null): SealVerdict => ({ valid, sealed_at, says });
  if (revoked_at !== null && invalid_from !== null) {
    const [became] = dates(invalid_from, sealed_at);
    if (known.length === 0)
      return verdict(false, `Nothing but our own clock shows that this was sealed before ${became}, when the certificate became invalid.`);
    // A proof is the latest possible time of sealing. Only our own clock can say that it was sealed after.
    if (sealed_at >= invalid_from && seal.reason === "key_compromise")
      return verdict(false, `No one outside saw this seal before ${became}, when the certificate became invalid.`);
    if (sealed_at >= invalid_from) return verdict(false, `Sealed after ${became}, when the certificate became invalid.`);
  }
  const [at, first, last] = dates(sealed_at, not_before, not_after);
  // The clock of an authority may be a little behind ours, by which the certificate begins.
  const isTooEarly = [...proofs, entry].every((time) => time < not_before);
  if (isTooEarly || sealed_at > not_after) return verdict(false, `Sealed ${at}, but the certificate was valid from ${first} to ${last}.`);
  if (revoked_at === null) return verdict(true, null);
  const [sealed, revoked] = dates(sealed_at, revoked_at);
  return verdict(true, `Sealed ${sealed}, before the certificate was revoked on ${revoked}: valid.`);
}

const DAY_CHARACTERS = "2026-03-01".length;

/** As days, unless two of them are the same day. */
function dates(...times: readonly string[]): string[] {
  const days = times.map((time) => time.slice(0, DAY_CHARACTERS));
  return new Set(days).size === days.length ? days : [...times];
}
