/**
 * The moves of a transfer between two vaults, as a table that both sides follow. Each side has one row and changes it in a transaction of its
 * own; messages may be lost, repeated and reordered. The release is the authority: before the sender commits it, only the sender's copy can
 * be the original, afterwards only the receiver's, unless the receiver has committed and signed that it refuses. A test searches every state
 * that two sides can reach by this table.
 *
 * One move is outside of that guarantee: `recover`, by which the sender takes back what it has released, because the receiver is gone for
 * good. If the receiver comes back and has stored the record, there are two; its receipt then makes the transfer `disputed`.
 */

export const directions = ["out", "in"] as const;
/** of this side: `out` sends the record, `in` receives it */
export type Direction = (typeof directions)[number];

export const senderKinds = ["offer", "package", "release", "cancel"] as const;
export const receiverKinds = ["accept", "ready", "receipt", "refusal"] as const;
export const messageKinds = [...senderKinds, ...receiverKinds] as const;
export type MessageKind = (typeof messageKinds)[number];

export const transferStates = [
  "offered",
  "accepted",
  "packed",
  "ready",
  "released",
  "done",
  "confirmed",
  "cancelled",
  "refused",
  "recovered",
  "disputed",
] as const;
export type TransferState = (typeof transferStates)[number];

/** What happens on a side: a message arrives, or the side itself acts, in a transaction that also does what the name says. */
export type TransferEvent =
  | MessageKind
  /** the receiver's person takes or refuses it */
  | "take"
  | "refuse"
  /** the sender packs; the receiver has verified the package */
  | "pack"
  | "verify"
  /** the sender commits the release, after which its copy is a tombstone */
  | "commit"
  /** the receiver stores the record as its own */
  | "import"
  /** the sender ends it, by a person or after 14 days */
  | "withdraw"
  /** the sender takes back what it released, by the act `recover` */
  | "recover";

type Table = Readonly<Partial<Record<TransferState, Readonly<Partial<Record<TransferEvent, TransferState>>>>>>;

const refusedBy = { refusal: "refused" } as const;
const withdrawn = { withdraw: "cancelled" } as const;

/**
 * Only before the release can the sender withdraw. A refusal is taken at any time before the receipt. What was recovered still hears the
 * receiver: its refusal settles the matter, its receipt shows that both have the record.
 */
const out: Table = {
  offered: { accept: "accepted", ...withdrawn, ...refusedBy },
  accepted: { pack: "packed", ...withdrawn, ...refusedBy },
  packed: { ready: "ready", ...withdrawn, ...refusedBy },
  ready: { commit: "released", ...withdrawn, ...refusedBy },
  released: { receipt: "confirmed", recover: "recovered", ...refusedBy },
  recovered: { receipt: "disputed", ...refusedBy },
};

const refusing = { refuse: "refused" } as const;
const ended = { cancel: "cancelled" } as const;

/** The receiver can refuse until it has stored the record. `import` and `refuse` exclude each other by the row's state. */
const into: Table = {
  offered: { take: "accepted", ...refusing, ...ended },
  accepted: { package: "packed", ...refusing, ...ended },
  packed: { verify: "ready", ...refusing, ...ended },
  ready: { release: "released", ...refusing, ...ended },
  released: { import: "done", ...refusing },
};

const tables: Readonly<Record<Direction, Table>> = { out, in: into };

/** The state after the event; null if the table has no such move. */
export const stateAfter = (direction: Direction, state: TransferState, event: TransferEvent): TransferState | null =>
  tables[direction][state]?.[event] ?? null;

/** Where the sender's row can be without the copy having left, or with the copy back. */
export const isSenderLive = (state: TransferState): boolean => state !== "released" && state !== "confirmed";

/** Nothing but repeated messages can follow. */
export const isFinal = (direction: Direction, state: TransferState): boolean => tables[direction][state] === undefined;

/** The message that a side in this state has to deliver; null if it waits for a person or for nothing. */
const toDeliver: Readonly<Record<Direction, Readonly<Partial<Record<TransferState, MessageKind>>>>> = {
  // A receiver that has not heard of the release takes the cancellation, and never stores the record.
  out: { offered: "offer", packed: "package", released: "release", cancelled: "cancel", recovered: "cancel" },
  in: { accepted: "accept", ready: "ready", done: "receipt", refused: "refusal" },
};

export const messageOf = (direction: Direction, state: TransferState): MessageKind | null => toDeliver[direction][state] ?? null;

/** What the side itself does next, without a person; null if it waits. */
const ownSteps: Readonly<Record<Direction, Readonly<Partial<Record<TransferState, TransferEvent>>>>> = {
  out: { accepted: "pack", ready: "commit" },
  in: { packed: "verify", released: "import" },
};

export const ownStep = (direction: Direction, state: TransferState): TransferEvent | null => ownSteps[direction][state] ?? null;

/** States in which a message of this kind has been taken already, so that its repetition gets the same answer. */
const order: Readonly<Record<Direction, readonly TransferState[]>> = {
  out: ["offered", "accepted", "packed", "ready", "released", "recovered", "confirmed"],
  in: ["offered", "accepted", "packed", "ready", "released", "done"],
};

const takenFrom: Readonly<Record<MessageKind, TransferState>> = {
  offer: "offered",
  accept: "accepted",
  package: "packed",
  ready: "ready",
  release: "released",
  receipt: "confirmed",
  refusal: "refused",
  cancel: "cancelled",
};

/**
 * What a message does to a side in this state: `moves` to another state, `known` if it came before or says nothing new, or `early` if what
 * must come before it has not happened here.
 */
export function effectOf(direction: Direction, state: TransferState, kind: MessageKind): "moves" | "known" | "early" {
  if (stateAfter(direction, state, kind) !== null) return "moves";
  // What has ended otherwise is not begun again by a late message.
  if (isFinal(direction, state) || state === takenFrom[kind]) return "known";
  const [reached, needed] = [order[direction].indexOf(state), order[direction].indexOf(takenFrom[kind])];
  return needed >= 0 && reached >= needed ? "known" : "early";
}
