import { Type } from "typebox";
import { about, idOf, named, nullable, OptionalTimestamp, Sha256, Timestamp } from "../../http/shapes.ts";
import { ActorView } from "../shapes.ts";
import { batchKinds, batchStates, itemStates } from "./batch.ts";

/** Schemas of control batches. */

export const BatchKindShape = named("ControlBatchKind", Type.Enum([...batchKinds]));
export const BatchStateShape = named(
  "ControlBatchState",
  Type.Enum([...batchStates], {
    description:
      "proposed: not everyone has confirmed. running: records get their result one after the other. done: every record has its result, and the report is signed",
  }),
);
export const ItemStateShape = named("ControlBatchItemState", Type.Enum([...itemStates]));

export const BatchView = named(
  "ControlBatch",
  Type.Object({
    control_batch_id: idOf("controlBatch"),
    kind: BatchKindShape,
    state: BatchStateShape,
    reason: Type.String(),
    act_id: about(nullable(idOf("act")), "The act that the parties confirm; null for re_evaluate and evidence"),
    root: about(Sha256, "The root of the Merkle tree over the items, which the document of the act names"),
    count: Type.Integer({ description: "How many records" }),
    done: Type.Integer(),
    skipped: Type.Integer(),
    created_by: ActorView,
    created_at: Timestamp,
    finished_at: about(OptionalTimestamp, "When the last record got its result"),
  }),
);

const NamedPartyView = named(
  "ControlBatchParty",
  Type.Object({ party_id: nullable(idOf("party")), name: Type.String(), identifier: nullable(Type.String()) }),
);

const ResultView = named(
  "ControlBatchResult",
  Type.Object({
    revision: about(nullable(Type.Integer()), "re_evaluate: of the new certificate"),
    score: nullable(Type.Integer()),
    standing: nullable(Type.String()),
    bundle_sha256: about(nullable(Sha256), "evidence: of the bundle that was made. The bundle itself is not kept"),
    bundle_size: nullable(Type.Integer()),
    verified: about(nullable(Type.Boolean()), "evidence: whether the verifier accepted the bundle"),
  }),
);

export const ItemView = named(
  "ControlBatchItem",
  Type.Object({
    index: Type.Integer({ description: "The place in the Merkle tree, from 0" }),
    envelope_id: idOf("envelope"),
    record_name: about(Type.String(), "The name of the envelope when the batch was created"),
    copy_sha256: Sha256,
    expected_version: Type.Integer({
      description: "control_version when the batch was created; the record is skipped if it has changed by then",
    }),
    present_party: nullable(NamedPartyView),
    state: ItemStateShape,
    code: about(
      nullable(Type.String()),
      "Why the record was skipped: a code of the list of errors, control_batch_cancelled or not_evaluated",
    ),
    result: about(nullable(ResultView), "Of re_evaluate and evidence"),
    settled_at: OptionalTimestamp,
  }),
);

/** A page of the items, for those who are asked. */
export const ItemsView = named(
  "ControlBatchItems",
  Type.Object({ items: Type.Array(ItemView), total: Type.Integer({ description: "How many records the act is about" }) }),
);

const ReportDocument = named(
  "ControlBatchReportDocument",
  Type.Object({
    type: Type.Literal("countersign/control-batch-report/1"),
    org_id: idOf("org"),
    control_batch_id: idOf("controlBatch"),
    kind: BatchKindShape,
    act_id: nullable(idOf("act")),
    act_sha256: nullable(Sha256),
    root: Sha256,
    count: Type.Integer(),
    done: Type.Integer(),
    skipped: Type.Integer(),
    created_at: Timestamp,
    finished_at: Timestamp,
    items: Type.Array(
      named(
        "ControlBatchReportItem",
        Type.Object({
          index: Type.Integer(),
          envelope_id: idOf("envelope"),
          copy_sha256: Sha256,
          state: Type.Enum(["done", "skipped"]),
          code: nullable(Type.String()),
          result: nullable(Type.Object({}, { additionalProperties: true })),
          settled_at: Timestamp,
        }),
      ),
    ),
    key_id: Type.String({ description: "The key of this installation that signed the report" }),
  }),
);
export const ReportView = named(
  "ControlBatchReport",
  Type.Object({
    document: ReportDocument,
    signature: Type.String({
      pattern: "^[0-9a-f]{128}$",
      "x-message": "must be 128 lower-case hexadecimal characters",
      description: "Ed25519 over the canonical JSON (RFC 8785) of `document`",
    }),
  }),
);
