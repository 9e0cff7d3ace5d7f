import type { VaultTransfer, VaultTransferState } from "@countersign/client/types";
import type { Tone } from "../parts/chip.tsx";
import { en } from "../words/remote-vaults/en.ts";

const w = en.shared;

type Shown = readonly [Tone, string];

/** A state means something else to the side that sends the record and to the one that receives it. */
const sent: Record<VaultTransferState, Shown> = {
  offered: ["waiting", w.offered],
  accepted: ["going", w.acceptedThere],
  packed: ["going", w.packed],
  ready: ["going", w.verifiedThere],
  released: ["caution", w.releasedNoReceipt],
  done: ["good", w.storedThere],
  confirmed: ["good", w.storedThere],
  cancelled: ["plain", w.cancelled],
  refused: ["bad", w.refusedThere],
  recovered: ["caution", w.recovered],
  disputed: ["bad", w.disputedBothVaults],
};

const received: Record<VaultTransferState, Shown> = {
  ...sent,
  offered: ["waiting", w.waitingForYour],
  accepted: ["going", w.accepted],
  packed: ["going", w.beingVerified],
  ready: ["going", w.verified],
  released: ["going", w.releasedToYou],
  done: ["good", w.storedHere],
  cancelled: ["plain", w.cancelledByThe],
  refused: ["bad", w.refused],
};

export const stateOf = ({ direction, state }: VaultTransfer): Shown => (direction === "in" ? received : sent)[state];

/** Until the sender has released the record, it can take the offer back. */
export const canCancel = ({ direction, state }: VaultTransfer): boolean =>
  direction === "out" && ["offered", "accepted", "packed", "ready"].includes(state);

/** Until the record is stored here, it can be refused. */
export const canRefuse = ({ direction, state }: VaultTransfer): boolean =>
  direction === "in" && ["offered", "accepted", "packed", "ready", "released"].includes(state);

export const canAccept = ({ direction, state }: VaultTransfer): boolean => direction === "in" && state === "offered";
