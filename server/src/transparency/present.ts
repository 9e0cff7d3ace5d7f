import { readCheckpoint } from "@countersign/evidence";
import { iso, isoOrNull } from "../http/shapes.ts";
import { describeCertificate } from "../seals/seal.ts";
import type { InstanceKeyRow } from "../seals/store.ts";
import type { Witness } from "./build-log.ts";
import type { SignedCheckpoint } from "./checkpoint.ts";
import type { Conflict, LastAnswer, RestartRow } from "./note-store.ts";

export interface TransparencyState {
  /** null before the first checkpoint */
  readonly origin: string | null;
  readonly vkeys: readonly string[];
  readonly address: string;
  readonly is_public: boolean;
  readonly latest: SignedCheckpoint | null;
  readonly quorum: number;
  readonly witnesses: readonly { readonly witness: Witness; readonly answer: LastAnswer | null; readonly cosigned: LastAnswer | null }[];
  readonly conflicts: readonly Conflict[];
  readonly restarts: readonly RestartRow[];
  /** all generations, oldest first within a purpose */
  readonly keys: readonly InstanceKeyRow[];
}

/** In this order. Those that the trust document has too. */
export const shownPurposes = ["root", "records", "log", "vault"] as const;

export const presentTransparency = (state: TransparencyState) => ({
  origin: state.origin,
  vkeys: [...state.vkeys],
  address: state.address,
  public: state.is_public,
  latest: state.latest === null ? null : presentLatest(state.latest),
  quorum: state.quorum,
  witnesses: state.witnesses.map(({ witness, answer, cosigned }) => ({
    name: witness.key.name,
    vkey: witness.vkey,
    address: witness.url,
    cosigned: cosigned === null ? null : { tree_size: cosigned.tree_size, at: cosigned.at.toISOString() },
    last_error: answer === null || answer.error === null ? null : { error: answer.error, at: answer.at.toISOString() },
  })),
  conflicts: state.conflicts.map(({ vkey, tree_size, witness_size, says, at }) => ({
    witness: vkey.split("+")[0] ?? vkey,
    tree_size,
    witness_size,
    says,
    at: at.toISOString(),
  })),
  restarts: state.restarts.map(({ origin, at }) => ({ origin, at: at.toISOString() })),
  ...presentKeys(state.keys),
  warnings: warningsOf(state),
});

function presentKeys(rows: TransparencyState["keys"]) {
  const keys = shownPurposes.flatMap((purpose) =>
    rows
      .filter((row) => row.purpose === purpose)
      .reverse()
      .map((row) => ({ purpose, ...presentKey(row) })),
  );
  return { root_sha256: keys.find(({ purpose }) => purpose === "root")?.certificate_sha256 ?? null, keys };
}

/** Public members only: the row also has the encrypted private key. */
function presentKey({ certificate, ...row }: InstanceKeyRow) {
  const described = certificate === null ? null : describeCertificate(certificate);
  return {
    generation: row.generation,
    key_id: row.key_id,
    algorithm: row.algorithm,
    certificate_sha256: described?.certificate_sha256 ?? null,
    certificate_expires_at: isoOrNull(described?.not_after ?? null),
    not_before: iso(row.not_before),
    not_after: isoOrNull(row.not_after),
    revoked_at: isoOrNull(row.revoked_at),
    invalid_from: isoOrNull(row.invalid_from),
    reason: row.reason,
  };
}

const presentLatest = ({ tree_size, bytes, note }: SignedCheckpoint) => {
  const checkpoint = readCheckpoint(bytes);
  return { tree_size, root: checkpoint?.root ?? "", at: checkpoint?.at ?? "", note: note?.toString("utf8") ?? null };
};

export type TransparencyWarning = "witness_conflict" | "log_not_public";

function warningsOf({ conflicts, is_public }: Pick<TransparencyState, "conflicts" | "is_public">): TransparencyWarning[] {
  return [...(conflicts.length > 0 ? (["witness_conflict"] as const) : []), ...(is_public ? [] : (["log_not_public"] as const))];
}
