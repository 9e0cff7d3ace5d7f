import { describe, expect, test } from "vitest";
import { testInAll } from "../../../../testing/all.ts";
import fc from "../../../../testing/properties.ts";
import {
  type Direction,
  effectOf,
  isFinal,
  isSenderLive,
  type MessageKind,
  messageKinds,
  messageOf,
  ownStep,
  stateAfter,
  type TransferEvent,
  type TransferState,
  transferStates,
} from "./transfer.ts";

/**
 * Every state that two sides can reach. The network keeps every message that was ever sent and delivers any of them at any time, as often as
 * it likes or never, so it loses, repeats and reorders. `in` is null before the offer has arrived.
 */
interface World {
  readonly out: TransferState;
  readonly in: TransferState | null;
  readonly sent: readonly MessageKind[];
}

const keyOf = ({ out, in: into, sent }: World): string => `${out} ${into} ${[...sent].sort().join(" ")}`;

const send = (world: World, direction: Direction): World => {
  const state = world[direction];
  const kind = state === null ? null : messageOf(direction, state);
  return kind === null || world.sent.includes(kind) ? world : { ...world, sent: [...world.sent, kind] };
};

/** The side acts by itself: alone, or because a person or the clock says so. */
const act = (world: World, direction: Direction, event: TransferEvent): World[] => {
  const state = world[direction];
  const next = state === null ? null : stateAfter(direction, state, event);
  return next === null ? [] : [{ ...world, [direction]: next }];
};

function deliver(world: World, kind: MessageKind): World[] {
  if (kind === "offer" && world.in === null) return [{ ...world, in: "offered" }];
  const direction = ["offer", "package", "release", "cancel"].includes(kind) ? "in" : "out";
  return act(world, direction, kind);
}

/** The people of both sides who can intervene without leaving the guarantee. `recover` leaves it, and has a search of its own below. */
const persons: readonly (readonly [Direction, TransferEvent])[] = [
  ["out", "withdraw"],
  ["in", "take"],
  ["in", "refuse"],
];

function own(world: World): World[] {
  return (["out", "in"] as const).flatMap((direction) => {
    const state = world[direction];
    const step = state === null ? null : ownStep(direction, state);
    return [send(world, direction), ...(step === null ? [] : act(world, direction, step))];
  });
}

const next = (world: World): World[] => [
  ...own(world),
  ...persons.flatMap(([direction, event]) => act(world, direction, event)),
  ...world.sent.flatMap((kind) => deliver(world, kind)),
];

/** No one intervenes, and the receiver's person takes what is offered. */
const undisturbed = (world: World): World[] => [
  ...own(world),
  ...world.sent.flatMap((kind) => deliver(world, kind)),
  ...act(world, "in", "take"),
];

function reach(from: World, step: (world: World) => World[]): World[] {
  const found = new Map([[keyOf(from), from]]);
  const open = [from];
  for (let world = open.pop(); world !== undefined; world = open.pop()) {
    for (const after of step(world)) {
      if (found.has(keyOf(after))) continue;
      found.set(keyOf(after), after);
      open.push(after);
    }
  }
  return [...found.values()];
}

const first: World = { out: "offered", in: null, sent: [] };
const worlds = reach(first, next);

const receiverLive = ({ in: into }: World): boolean => into === "done";
const senderLive = ({ out }: World): boolean => isSenderLive(out);
/** The receiver may become live: it was released to, and did not refuse. */
const receiverEntitled = ({ out, in: into }: World): boolean => !isSenderLive(out) && into !== "refused";
/** The receiver refused what was released, and the sender takes it back when it learns so. */
const senderEntitled = (world: World): boolean => senderLive(world) || world.in === "refused";

describe("the moves of a transfer, searched exhaustively", () => {
  test("reach a known number of states, and every state of both tables", () => {
    expect(worlds.length).toBe(79);
    const reached = (direction: Direction) => new Set(worlds.map((world) => world[direction]));
    const without = (...states: TransferState[]) => transferStates.filter((state) => !states.includes(state)).sort();
    expect([...reached("out")].sort()).toEqual(without("done", "recovered", "disputed"));
    expect([...reached("in")].filter((state) => state !== null).sort()).toEqual(without("confirmed", "recovered", "disputed"));
  });

  test("never make two live", () => {
    expect(worlds.filter((world) => senderLive(world) && receiverLive(world))).toEqual([]);
  });

  test("never leave no one entitled, and never entitle both", () => {
    expect(worlds.filter((world) => senderEntitled(world) === receiverEntitled(world))).toEqual([]);
  });

  test("from every state, end with one live copy and both sides agreed, once messages arrive and no one intervenes", () => {
    // What is withdrawn before the receiver has heard of it never begins there.
    const agreed = ["confirmed done", "refused refused", "cancelled cancelled", "cancelled refused", "cancelled null"];
    for (const world of worlds) {
      const followed = reach(world, undisturbed);
      const ends = followed.filter((each) => isFinal("out", each.out) && (each.in === null || isFinal("in", each.in)));
      expect(ends.length, keyOf(world)).toBeGreaterThan(0);
      for (const end of ends) {
        expect(agreed).toContain(`${end.out} ${end.in}`);
        expect(senderLive(end)).not.toBe(receiverLive(end));
      }
    }
  });

  testInAll("in 10,000 random runs never make two live, always entitle one, and end agreed", () => {
    const seen = { runs: 0, steps: 0, violations: 0, worlds: new Set<string>(), ends: new Set<string>() };
    const run = (choices: readonly number[]): void => {
      let world = first;
      const move = (to: readonly World[], choice: number): void => {
        world = to[choice % to.length] ?? world;
        seen.steps += 1;
        seen.worlds.add(keyOf(world));
        const isOne = !(senderLive(world) && receiverLive(world)) && senderEntitled(world) !== receiverEntitled(world);
        if (!isOne) seen.violations += 1;
      };
      // Persons intervene in some steps only, or most runs would end before anything is released.
      for (const choice of choices) move(choice % 7 === 0 ? next(world) : undisturbed(world), choice >> 3);
      // Then every message arrives.
      for (let rest = 0; rest < 24; rest++) {
        move(
          undisturbed(world).filter((each) => keyOf(each) !== keyOf(world)),
          rest,
        );
      }
      seen.runs += 1;
      seen.ends.add(`${world.out} ${world.in}`);
      if (senderLive(world) === receiverLive(world)) seen.violations += 1;
    };
    fc.assert(fc.property(fc.array(fc.nat(), { minLength: 5, maxLength: 60, size: "max" }), run), { numRuns: 10_000 });
    expect([seen.runs, seen.violations, seen.worlds.size]).toEqual([10_000, 0, worlds.length]);
    expect([...seen.ends].sort()).toEqual([
      "cancelled cancelled",
      "cancelled null",
      "cancelled refused",
      "confirmed done",
      "refused refused",
    ]);
    process.stdout.write(`model of transfers: ${seen.runs} random runs, ${seen.steps} steps, ${seen.worlds.size} states, 0 violations\n`);
  });

  test("a repeated message never moves a side twice, and a late one is known", () => {
    for (const world of worlds) {
      for (const kind of world.sent) {
        for (const after of deliver(world, kind)) expect(deliver(after, kind), `${keyOf(world)}: ${kind}`).toEqual([]);
      }
    }
    expect(effectOf("out", "released", "accept")).toBe("known");
    expect(effectOf("in", "done", "release")).toBe("known");
    expect(effectOf("in", "refused", "release")).toBe("known");
    expect(effectOf("in", "accepted", "release")).toBe("early");
    expect(effectOf("out", "offered", "receipt")).toBe("early");
    expect(effectOf("out", "released", "refusal")).toBe("moves");
  });

  test("a mutated table is found out: withdrawing after the release makes two live", () => {
    const withdrawing = (world: World): World[] => [
      ...next(world),
      ...(world.out === "released" ? [{ ...world, out: "cancelled" as const }] : []),
    ];
    expect(reach(first, withdrawing).some((world) => senderLive(world) && receiverLive(world))).toBe(true);
  });

  test("every kind of message is sent in some state", () => {
    const sent = new Set(worlds.flatMap((world) => world.sent));
    expect([...sent].sort()).toEqual([...messageKinds].sort());
  });
});

describe("recovering what was released, which is outside of that guarantee", () => {
  const recovering = (world: World): World[] => [...next(world), ...act(world, "out", "recover")];
  const all = reach(first, recovering);
  const bothLive = all.filter((world) => senderLive(world) && receiverLive(world));

  test("is possible only after the release and before an answer", () => {
    const from = transferStates.filter((state) => stateAfter("out", state, "recover") !== null);
    expect(from).toEqual(["released"]);
    expect(transferStates.filter((state) => stateAfter("in", state, "recover") !== null)).toEqual([]);
  });

  test("can leave two live, and only then: both are there only if the sender recovered what the receiver then stored", () => {
    expect(bothLive.length).toBeGreaterThan(0);
    expect(new Set(bothLive.map(({ out }) => out))).toEqual(new Set(["recovered", "disputed"]));
  });

  test("never leaves two live silently: the receipt, when it arrives, makes it disputed, and nothing else ends it", () => {
    for (const world of bothLive.filter(({ out }) => out === "recovered")) {
      const followed = reach(world, (each) => [...own(each), ...each.sent.flatMap((kind) => deliver(each, kind))]);
      expect(new Set(followed.map(({ out }) => out)), keyOf(world)).toEqual(new Set(["recovered", "disputed"]));
      expect(followed.some(({ out, in: into }) => out === "disputed" && into === "done")).toBe(true);
    }
  });

  test("keeps a receiver that has not heard of the release from storing the record, once it hears of the cancellation", () => {
    const unheard = all.filter(({ out, in: into }) => out === "recovered" && into === "ready");
    expect(unheard.length).toBeGreaterThan(0);
    for (const world of unheard) {
      const cancelled = deliver(send(world, "out"), "cancel");
      expect(cancelled.map((each) => each.in)).toEqual(["cancelled"]);
      const later = reach(cancelled[0] as World, recovering);
      expect(later.filter((each) => receiverLive(each))).toEqual([]);
    }
  });

  test("is still answered by a refusal, which settles it, and by old messages, which change nothing", () => {
    expect(effectOf("out", "recovered", "refusal")).toBe("moves");
    expect(effectOf("out", "recovered", "receipt")).toBe("moves");
    for (const kind of ["accept", "ready"] as const) expect(effectOf("out", "recovered", kind)).toBe("known");
    expect(effectOf("out", "disputed", "receipt")).toBe("known");
  });
});
