import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import { concerns } from "../registry/registry.ts";
import { askRegistry } from "../registry/start-registration.ts";
import { holdRegistry } from "../registry/store.ts";
import type { ActWithDecisions } from "./act.ts";
import type { Control } from "./control.ts";
import { takeEffect } from "./take-effect.ts";

/** Everyone who was asked has confirmed: the act takes effect, or waits for the organization's registry. The caller holds the locks. */
export async function concludeAct(tx: Tx, caller: Caller, control: Control, act: ActWithDecisions): Promise<void> {
  const registry = await holdRegistry(tx, control.org);
  await (concerns(registry, "gate", act.kind) ? askRegistry(tx, control, act) : takeEffect(tx, caller, control, act));
}
