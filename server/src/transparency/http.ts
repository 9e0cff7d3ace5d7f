import { Type } from "typebox";
import { type Endpoint, reading } from "../http/endpoint.ts";
import { about, named, nullable, OptionalTimestamp, Sha256, Timestamp } from "../http/shapes.ts";
import type { LogDeps } from "./checkpoint.ts";
import * as examples from "./examples.ts";
import { presentTransparency, shownPurposes } from "./present.ts";
import { readTransparency } from "./read-transparency.ts";

const LogStateView = named(
  "LogState",
  Type.Object({
    tree_size: Type.Integer(),
    root: Type.String(),
    at: Timestamp,
    note: about(nullable(Type.String()), "The checkpoint as a signed note"),
  }),
);

const WitnessView = named(
  "Witness",
  Type.Object({
    name: Type.String(),
    vkey: Type.String(),
    address: Type.String(),
    cosigned: about(
      nullable(named("WitnessCosignature", Type.Object({ tree_size: Type.Integer(), at: Timestamp }))),
      "The latest checkpoint that this witness cosigned, and when the service received it",
    ),
    last_error: about(
      nullable(named("WitnessError", Type.Object({ error: Type.String(), at: Timestamp }))),
      "Why the latest request failed",
    ),
  }),
);

const ConflictView = named(
  "WitnessConflict",
  Type.Object({
    witness: Type.String(),
    tree_size: Type.Integer({ description: "Of the checkpoint that the witness refused" }),
    witness_size: about(nullable(Type.Integer()), "Of the latest checkpoint that the witness cosigned, if it said so"),
    says: Type.String(),
    at: Timestamp,
  }),
);

const InstanceKeyView = named(
  "InstanceKey",
  Type.Object({
    purpose: about(
      named("InstanceKeyPurpose", Type.Enum([...shownPurposes])),
      "root: issues seal certificates. records: signs checkpoints, bundles and receipts. log: signs the notes of the log. vault: others encrypt for this vault with it",
    ),
    generation: Type.Integer({ description: "Counts the keys of a purpose, from 1" }),
    key_id: about(Sha256, "SHA-256 of the public key"),
    algorithm: Type.String(),
    certificate_sha256: about(nullable(Sha256), "Of a root: SHA-256 of its certificate; null for other keys"),
    certificate_expires_at: about(OptionalTimestamp, "Of a root; null for other keys"),
    not_before: Timestamp,
    not_after: about(OptionalTimestamp, "null while in use. A replaced key of the log keeps signing for 30 days"),
    revoked_at: OptionalTimestamp,
    invalid_from: about(OptionalTimestamp, "What it signed from then on does not count"),
    reason: about(nullable(Type.String()), "Why it ended or was revoked: `rotated`, `key_lost` or another reason"),
  }),
);

const TransparencyView = named(
  "Transparency",
  Type.Object({
    origin: about(nullable(Type.String()), "The public name of the log; null before its first checkpoint"),
    vkeys: about(Type.Array(Type.String()), "The keys of the log for witnesses, newest first"),
    address: Type.String({ description: "Where monitors read the log" }),
    public: Type.Boolean({ description: "Whether the log is served at this address" }),
    latest: nullable(LogStateView),
    quorum: Type.Integer(),
    witnesses: Type.Array(WitnessView),
    conflicts: Type.Array(ConflictView),
    restarts: Type.Array(named("LogRestart", Type.Object({ origin: Type.String(), at: Timestamp }))),
    root_sha256: about(
      nullable(Sha256),
      "SHA-256 of the current root certificate, which readers of evidence bundles compare; null before the first keys exist",
    ),
    keys: about(
      Type.Array(InstanceKeyView),
      "The keys of the installation, all generations, newest first within a purpose. The signed list is /.well-known/countersign-trust.json",
    ),
    warnings: Type.Array(named("TransparencyWarning", Type.Enum(["witness_conflict", "log_not_public"]))),
  }),
);

export function transparencyEndpoints(deps: LogDeps): Endpoint[] {
  return [
    reading({
      name: "get_transparency",
      summary: "Get the state of the log",
      description:
        "Returns the public name and keys of the installation's log, its latest checkpoint, the witnesses that cosign it, what a witness objects to, and the installation's keys by generation. The log contains the hashes of the audit entries of all organizations. Every role can call it.",
      resource: "Organization",
      sdk: "org.getTransparency",
      path: "/org/transparency",
      access: { session: "any" },
      answer: [200, TransparencyView],
      examples: { answer: examples.transparency },
      run: async (_member, _input, read) => presentTransparency(await readTransparency(deps, read)),
    }),
  ];
}
