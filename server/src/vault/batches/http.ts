import { Type } from "typebox";
import { acting, type Endpoint, endpoint, listing, reading, serving } from "../../http/endpoint.ts";
import { about, idOf, named, Reason } from "../../http/shapes.ts";
import type { Caller } from "../../shared/caller.ts";
import type { ActId, OrgId } from "../../shared/ids.ts";
import { ACT_DAYS } from "../acts/act.ts";
import { findOwnerOfAct } from "../acts/read-act.ts";
import type { VaultDeps } from "../copy.ts";
import { MAX_ITEMS } from "./batch.ts";
import { cancelBatch } from "./cancel-batch.ts";
import { type BatchInput, createBatch } from "./create-batch.ts";
import * as examples from "./examples.ts";
import { itemsOfAct, pageOfAct } from "./items-of-act.ts";
import { itemsAsCsv, presentBatch, presentItem, presentReport } from "./present.ts";
import { readReport } from "./read-report.ts";
import { BatchKindShape, BatchStateShape, BatchView, ItemStateShape, ItemsView, ItemView, ReportView } from "./shapes.ts";
import { findBatch, listAllItems, listBatches, listItems } from "./store.ts";

const BatchBody = Type.Object({
  kind: BatchKindShape,
  reason: Reason,
  envelope_ids: Type.Optional(
    Type.Array(idOf("envelope"), { minItems: 1, maxItems: MAX_ITEMS, description: "The records, instead of filter" }),
  ),
  filter: Type.Optional(
    about(
      named(
        "ControlBatchFilter",
        Type.Partial(
          Type.Object({
            customer_id: idOf("customer"),
            controller_party_id: about(idOf("party"), "The secured party on record"),
            external_ids: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: MAX_ITEMS }),
          }),
        ),
      ),
      "All active records in the vault that match every given member",
    ),
  ),
  party_id: Type.Optional(about(idOf("party"), "For designate, assign, pledge and release_pledge")),
  user_id: Type.Optional(about(idOf("user"), "The new custodian; only for move_custody")),
  vault_id: Type.Optional(about(idOf("remoteVault"), "Only for transfer_out")),
});

const mayRead = { anyScope: ["vault:read", "control:write"], custodian: "closed" } as const;
const mayWrite = { anyScope: ["control:write"] } as const;
const oneBatch = { params: { control_batch_id: "controlBatch" }, missing: "control_batch_not_found" } as const;
const oneAct = { params: { act_id: "act" }, missing: "act_not_found" } as const;
const mayReadAct = { anyScope: ["vault:read", "control:approve"], custodian: "act_id" } as const;

/** The page of the items that a caller asks for, where a list is not of the caller's own organization. */
export const ItemsQuery = Type.Partial(
  Type.Object({ page: Type.Integer({ minimum: 1, maximum: MAX_ITEMS }), limit: Type.Integer({ minimum: 1, maximum: 500 }) }),
);
export const pageOf = ({ page = 1, limit = 100 }: { readonly page?: number; readonly limit?: number }) => ({ page, limit });

/** Control batches: one act on many records, and orders to evaluate many or to collect their evidence. */
export const batchEndpoints = (deps: VaultDeps): Endpoint[] => [...ownBatchEndpoints(deps), ...actItemEndpoints(deps)];

function ownBatchEndpoints(deps: VaultDeps): Endpoint[] {
  return [
    endpoint({
      name: "create_control_batch",
      summary: "Propose one act on many records",
      description: `Proposes one act on up to ${MAX_ITEMS} records of one controller, which the parties confirm once; after ${ACT_DAYS} days it expires. When everyone has confirmed, each record changes in its own transaction, and those that cannot are skipped. re_evaluate and evidence need no confirmation and start immediately. Returns 422 and names up to 100 records that cannot be in the batch. transfer_out also needs the scope vault:release.`,
      resource: "Control",
      sdk: "controlBatches.create",
      method: "POST",
      path: "/partner/control-batches",
      access: mayWrite,
      stepUp: true,
      body: BatchBody,
      answer: [201, BatchView],
      problems: [
        "control_batch_refused",
        "party_not_enrolled",
        "registration_required",
        "party_not_found",
        "member_not_found",
        "remote_vault_not_found",
        "no_principal",
      ],
      examples: { request: examples.creation, answer: examples.batch },
      run: async (caller, { body }) => presentBatch(await createBatch(deps, caller, body as unknown as BatchInput)),
    }),
    listing({
      name: "list_control_batches",
      summary: "List control batches",
      description: "Returns the control batches of the organization, newest first, with how many of their records are done and skipped.",
      resource: "Control",
      sdk: "controlBatches.list",
      path: "/partner/control-batches",
      access: mayRead,
      query: Type.Partial(Type.Object({ state: BatchStateShape, kind: BatchKindShape })),
      item: BatchView,
      examples: { answer: examples.batch },
      run: async (caller, { query, page, limit }, read) => {
        const { items, total } = await listBatches(read, caller.org, query, { page, limit });
        return { items: items.map(presentBatch), total };
      },
    }),
    reading({
      name: "get_control_batch",
      summary: "Get a control batch",
      description: "Returns a control batch and how many of its records are done and skipped. Its act shows who has confirmed.",
      resource: "Control",
      sdk: "controlBatches.get",
      path: "/partner/control-batches/:control_batch_id",
      access: mayRead,
      ...oneBatch,
      answer: [200, BatchView],
      examples: { answer: examples.batch },
      run: async (caller, { params }, read) => presentBatch(await findBatch(read, caller.org, params.control_batch_id)),
    }),
    listing({
      name: "list_control_batch_items",
      summary: "List the records of a control batch",
      description: "Returns the records of a control batch in the order of its Merkle tree, each with its result.",
      resource: "Control",
      sdk: "controlBatches.items",
      path: "/partner/control-batches/:control_batch_id/items",
      access: mayRead,
      ...oneBatch,
      query: Type.Partial(Type.Object({ state: ItemStateShape })),
      item: ItemView,
      limits: { limit: 100, max: 500 },
      examples: { answer: examples.item },
      run: async (caller, { params, query, page, limit }, read) => {
        const { control_batch_id } = await findBatch(read, caller.org, params.control_batch_id);
        const { items, total } = await listItems(read, caller.org, control_batch_id, query, { page, limit });
        return { items: items.map(presentItem), total };
      },
    }),
    serving({
      name: "get_control_batch_csv",
      summary: "Download the records of a control batch as CSV",
      description: "Returns all records of a control batch with their results, for spreadsheets.",
      resource: "Control",
      sdk: "controlBatches.csv",
      path: "/partner/control-batches/:control_batch_id/items.csv",
      access: mayRead,
      ...oneBatch,
      types: ["text/csv"],
      run: async ({ org }, { params }) => {
        const { control_batch_id } = params;
        const items = await deps.db.tx(org, async (tx) => {
          await findBatch(tx, org, control_batch_id);
          return listAllItems(tx, org, control_batch_id);
        });
        return itemsAsCsv(control_batch_id, items);
      },
    }),
    reading({
      name: "get_control_batch_report",
      summary: "Get the signed report of a control batch",
      description:
        "Returns the result of every record, signed by this installation. Returns 409 until the state is done, or cancelled after some records were done.",
      resource: "Control",
      sdk: "controlBatches.report",
      path: "/partner/control-batches/:control_batch_id/report",
      access: mayRead,
      ...oneBatch,
      answer: [200, ReportView],
      problems: ["control_batch_unfinished"],
      examples: { answer: examples.report },
      run: async (caller, { params }, read) => presentReport(await readReport(read, caller.org, params.control_batch_id)),
    }),
    endpoint({
      name: "cancel_control_batch",
      summary: "Cancel a control batch",
      description:
        "Withdraws a proposed batch; nothing changes for its records. Once everyone has confirmed, it cannot be cancelled. A batch of kind re_evaluate or evidence stops, and its remaining records are skipped.",
      resource: "Control",
      sdk: "controlBatches.cancel",
      method: "POST",
      path: "/partner/control-batches/:control_batch_id/cancel",
      access: mayWrite,
      ...oneBatch,
      answer: [200, BatchView],
      problems: ["control_batch_closed"],
      examples: { answer: { ...examples.batch, state: "cancelled" } },
      run: async (caller, { params }) => presentBatch(await cancelBatch(deps, caller, params.control_batch_id)),
    }),
  ];
}

/** For organizations that an act of another one asks: they see what they decide about. */
function actItemEndpoints(deps: VaultDeps): Endpoint[] {
  const inOwner = async <T>({ org }: Caller, act_id: ActId, run: (read: Parameters<typeof pageOfAct>[0], owner: OrgId) => Promise<T>) => {
    const owner = await findOwnerOfAct(deps, org, act_id);
    return deps.db.tx(owner, (tx) => run(tx, owner));
  };
  return [
    acting({
      name: "list_act_items",
      summary: "List the records that an act is about",
      description:
        "Returns the records of an act on many, in the order of the Merkle tree whose root its document names; also of an act of another organization that asks yours.",
      resource: "Control",
      sdk: "acts.items",
      path: "/partner/acts/:act_id/items",
      access: mayReadAct,
      ...oneAct,
      query: ItemsQuery,
      answer: [200, ItemsView],
      examples: { answer: examples.items },
      run: async (caller, { params, query }) => {
        const { items, total } = await inOwner(caller, params.act_id, (read, owner) =>
          pageOfAct(read, owner, params.act_id, pageOf(query)),
        );
        return { items: items.map(presentItem), total };
      },
    }),
    serving({
      name: "get_act_csv",
      summary: "Download the records that an act is about as CSV",
      description: "Returns all records of an act on many, for spreadsheets.",
      resource: "Control",
      sdk: "acts.csv",
      path: "/partner/acts/:act_id/items.csv",
      access: mayReadAct,
      ...oneAct,
      types: ["text/csv"],
      run: async (caller, { params: { act_id } }) =>
        itemsAsCsv(act_id, await inOwner(caller, act_id, (read, owner) => itemsOfAct(read, owner, act_id))),
    }),
  ];
}
