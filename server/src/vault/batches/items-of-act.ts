import type { Read } from "../../db/sql.ts";
import type { ActId, ControlBatchId, OrgId } from "../../shared/ids.ts";
import type { Page, PageRequest } from "../../shared/page.ts";
import { Problem } from "../../shared/problems.ts";
import { findAct } from "../acts/store.ts";
import type { Item } from "./batch.ts";
import { listAllItems, listItems } from "./store.ts";

/** The records that an act is about, for those who may read the act. 404 for an act that is not about many. */

export const pageOfAct = async (read: Read, owner: OrgId, act_id: ActId, page: PageRequest): Promise<Page<Item>> =>
  listItems(read, owner, await batchOf(read, owner, act_id), {}, page);

export const itemsOfAct = async (read: Read, owner: OrgId, act_id: ActId): Promise<Item[]> =>
  listAllItems(read, owner, await batchOf(read, owner, act_id));

async function batchOf(read: Read, owner: OrgId, act_id: ActId): Promise<ControlBatchId> {
  const { control_batch_id } = await findAct(read, owner, act_id);
  if (control_batch_id === null) throw new Problem("act_not_found");
  return control_batch_id;
}
