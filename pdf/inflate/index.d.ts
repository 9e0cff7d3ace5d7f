export type InflateLimit = "stream_bytes" | "job_bytes";

/** `exceeded` stays set: the job has failed. */
export type Budget = {
  readonly stream_bytes: number;
  readonly job_bytes: number;
  spent_bytes: number;
  exceeded: InflateLimit | null;
};

export class BudgetExceeded extends Error {}

export function createBudget(limits?: { stream_bytes?: number; job_bytes?: number }): Budget;
export function useBudget(budget: Budget | null): void;
export function inflate(data: Uint8Array): Uint8Array;
export function deflate(data: Uint8Array): Uint8Array;

export class Inflate {
  strm: { output: Uint8Array | null; total_out: number };
  push(data: Uint8Array, last?: boolean): boolean;
}

declare const pako: { inflate: typeof inflate; deflate: typeof deflate; Inflate: typeof Inflate };
// biome-ignore lint/style/noDefaultExport: the replaced package has one
export default pako;
