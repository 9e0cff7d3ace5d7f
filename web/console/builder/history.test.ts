import { describe, expect, test } from "vitest";
import { begin, change, redo, undo } from "./history.ts";

const after = (...values: readonly number[]) => values.reduce((history, value) => change(history, value), begin(0));

describe("undo and redo", () => {
  test("move step by step and stop at both ends", () => {
    const history = after(1, 2);
    expect(undo(history).present).toBe(1);
    expect(undo(undo(undo(history))).present).toBe(0);
    expect(redo(undo(history)).present).toBe(2);
    expect(redo(history).present).toBe(2);
  });

  test("a new step after an undo discards the undone steps", () => {
    const history = change(undo(after(1, 2)), 3);
    expect(redo(history).present).toBe(3);
    expect(undo(history).present).toBe(1);
  });

  test("keep 50 steps", () => {
    let history = after(...Array.from({ length: 80 }, (_, n) => n + 1));
    for (let n = 0; n < 80; n++) history = undo(history);
    expect(history.present).toBe(30);
  });

  test("a drag is one step, and a cancelled drag is none", () => {
    const dragged = change(change(after(1), 2, "drag 1"), 3, "drag 1");
    expect(undo(dragged).present).toBe(1);
    const cancelled = change(dragged, 1, "drag 1");
    expect(cancelled.past).toEqual([0]);
    expect(undo(cancelled).present).toBe(0);
  });
});
