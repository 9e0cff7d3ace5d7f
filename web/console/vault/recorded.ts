import type { Compliance, VaultRecord } from "@countersign/client/types";
import type { People } from "./people.ts";

/** What an act led to. */
export interface Saying {
  readonly words: string;
  readonly tone?: "good" | "plain";
}

export const nothingSaid: Saying = { words: "" };

/** What the parts of this screen have in common. */
export interface Recorded {
  readonly envelope_id: string;
  readonly name: string;
  readonly copy: VaultRecord;
  readonly compliance: Compliance;
  readonly people: People;
  /** An act is done: says so, and shows how it is now. */
  done(words: string, tone?: Saying["tone"]): Promise<void>;
}
