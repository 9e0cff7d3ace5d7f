import { Type } from "typebox";
import { type Endpoint, reading } from "../http/endpoint.ts";
import { about, named, nullable, Timestamp } from "../http/shapes.ts";
import type { LogDeps } from "./checkpoint.ts";
import * as examples from "./examples.ts";
import { presentTransparency } from "./present.ts";
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
    warnings: Type.Array(named("TransparencyWarning", Type.Enum(["witness_conflict", "log_not_public"]))),
  }),
);

export function transparencyEndpoints(deps: LogDeps): Endpoint[] {
  return [
    reading({
      name: "get_transparency",
      summary: "Get the state of the log",
      description:
        "Returns the public name and keys of the installation's log, its latest checkpoint, the witnesses that cosign it, and what a witness objects to. The log contains the hashes of the audit entries of all organizations.",
      resource: "Organization",
      sdk: "org.getTransparency",
      path: "/org/transparency",
      access: { role: "admin" },
      answer: [200, TransparencyView],
      examples: { answer: examples.transparency },
      run: async (_admin, _input, read) => presentTransparency(await readTransparency(deps, read)),
    }),
  ];
}
