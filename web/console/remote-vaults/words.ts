import type { VaultTransfer, VaultTransferState } from "@countersign/client/types";
import type { Tone } from "../parts/chip.tsx";

type Shown = readonly [Tone, string];

/** A state means something else to the side that sends the record and to the one that receives it. */
const sent: Record<VaultTransferState, Shown> = {
  offered: ["waiting", "Offered"],
  accepted: ["going", "Accepted there"],
  packed: ["going", "Packed"],
  ready: ["going", "Verified there"],
  released: ["caution", "Released, no receipt yet"],
  done: ["good", "Stored there"],
  confirmed: ["good", "Stored there"],
  cancelled: ["plain", "Cancelled"],
  refused: ["bad", "Refused there"],
  recovered: ["caution", "Recovered"],
  disputed: ["bad", "Disputed: both vaults have it"],
};

const received: Record<VaultTransferState, Shown> = {
  ...sent,
  offered: ["waiting", "Waiting for your answer"],
  accepted: ["going", "Accepted"],
  packed: ["going", "Being verified"],
  ready: ["going", "Verified"],
  released: ["going", "Released to you"],
  done: ["good", "Stored here"],
  cancelled: ["plain", "Cancelled by the sender"],
  refused: ["bad", "Refused"],
};

export const stateOf = ({ direction, state }: VaultTransfer): Shown => (direction === "in" ? received : sent)[state];

/** Until the sender has released the record, it can take the offer back. */
export const canCancel = ({ direction, state }: VaultTransfer): boolean =>
  direction === "out" && ["offered", "accepted", "packed", "ready"].includes(state);

/** Until the record is stored here, it can be refused. */
export const canRefuse = ({ direction, state }: VaultTransfer): boolean =>
  direction === "in" && ["offered", "accepted", "packed", "ready", "released"].includes(state);

export const canAccept = ({ direction, state }: VaultTransfer): boolean => direction === "in" && state === "offered";
