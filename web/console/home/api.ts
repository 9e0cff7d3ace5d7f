import type { Status } from "../parts/chip.tsx";

export interface Statistics {
  readonly by_status: Readonly<Record<Status, number>>;
  readonly days: readonly {
    readonly day: string;
    readonly created: number;
    readonly completed: number;
    readonly declined: number;
    readonly voided: number;
    readonly expired: number;
  }[];
  readonly time_to_sign: { readonly median_s: number | null; readonly p90_s: number | null; readonly count: number };
  readonly webhooks: {
    readonly days: readonly { readonly day: string; readonly succeeded: number; readonly failed: number }[];
    readonly endpoints: number;
    readonly failing: number;
  };
}
