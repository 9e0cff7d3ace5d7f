// The operands that precede an operator. The arrays are reused and never shrink: emptying an array makes the JavaScript engine release
// its memory and allocate it again, millions of times per document.

import type { Operand } from "./lexer.ts";
import { limits } from "./limits.ts";

export class Operands {
  private count = 0;
  private readonly values: Operand[] = [];
  private readonly starts: number[] = [];

  /** Beyond the limit only the last operands are kept, since an operator uses those right before it. */
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

  /** Counted back from the operator: 1 is the operand right before it. */
  at(fromEnd: number): Operand | undefined {
    return fromEnd <= this.count ? this.values[this.count - fromEnd] : undefined;
  }

  /** 0 for anything but a number, as in viewers. */
  number(fromEnd: number): number {
    const value = this.at(fromEnd);
    return typeof value === "number" ? value : 0;
  }

  /** The start of that operand, or of the first one if there are fewer; undefined if there are none. */
  startOf(fromEnd: number): number | undefined {
    return this.count === 0 ? undefined : this.starts[Math.max(0, this.count - fromEnd)];
  }
}
