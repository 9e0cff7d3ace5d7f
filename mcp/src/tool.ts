import type { Countersign } from "@countersign/client";
import type { KeyCaller } from "@countersign/client/types";
import type { z } from "zod";
import type { Settings } from "./settings.ts";

/** What every tool works with. */
export interface Agent {
  readonly client: Countersign;
  /** who the key belongs to, as it was at the start */
  readonly me: KeyCaller;
  readonly settings: Settings;
}

/** What a client is told about a tool. Only hints: what an agent cannot do, the service refuses. */
export interface Hints {
  readonly readOnlyHint: boolean;
  /** whether it can change or remove what was there before */
  readonly destructiveHint: boolean;
  /** whether a second call with the same arguments changes nothing */
  readonly idempotentHint: boolean;
}

export const READS: Hints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };
export const ADDS: Hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };
export const CHANGES: Hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true };

export interface Tool<I extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly hints: Hints;
  readonly input: I;
  /** What the agent reads: data, which becomes JSON, or texts. Throws what `sayError` turns into a sentence. */
  readonly run: (agent: Agent, given: z.infer<I>) => Promise<Answer>;
}

export interface Answer {
  readonly data: unknown;
  /** text of a document, which is marked before the agent reads it */
  readonly untrusted?: { readonly what: string; readonly text: string };
}

/** Ties the type of `run` to the shape of its input. */
export const tool = <I extends z.ZodObject>(declared: Tool<I>): Tool => declared as unknown as Tool;
