// The operands that wait for their operator. The arrays are kept from one operator to the next and never shrink: emptying an
// array makes the engine give up its memory and ask for it again, millions of times a document.

import type { Operand } from "./lexer.ts";
import { limits } from "./limits.ts";

export class Operands {
  private count = 0;
  private readonly values: Operand[] = [];
  private readonly starts: number[] = [];

  /** Of too many the last are kept: an operator takes what stands right before it. */
  push(value: Operand, start: number): void {
    if (this.count === limits.operands) {
      this.values.copyWithin(0, 1);
      this.starts.copyWithin(0, 1);
      this.count--;
    }
    this.values[this.count] = value;
    this.starts[this.count++] = start;
  }

  clear(): void {
    this.count = 0;
  }

  /** Counted from the operator: 1 is the operand right before it. */
  at(fromEnd: number): Operand | undefined {
    return fromEnd <= this.count ? this.values[this.count - fromEnd] : undefined;
  }

  /** 0 for anything but a number, as viewers read it. */
  number(fromEnd: number): number {
    const value = this.at(fromEnd);
    return typeof value === "number" ? value : 0;
  }

  /** Where that operand begins, or the first one if there are fewer; undefined if there are none. */
  startOf(fromEnd: number): number | undefined {
    return this.count === 0 ? undefined : this.starts[Math.max(0, this.count - fromEnd)];
  }
}
