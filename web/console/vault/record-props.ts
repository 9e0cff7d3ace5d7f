import type { Compliance, VaultRecord } from "@countersign/client/types";
import type { People } from "./people.ts";

/** A message about the result of an action. */
export interface Message {
  readonly words: string;
  readonly tone?: "good" | "plain";
}

export const noMessage: Message = { words: "" };

/** Props that all tabs of the record screen share. */
export interface RecordProps {
  readonly envelope_id: string;
  readonly name: string;
  readonly copy: VaultRecord;
  readonly compliance: Compliance;
  readonly people: People;
  /** Called after an action: reloads the record and shows the message. */
  done(words: string, tone?: Message["tone"]): Promise<void>;
}
