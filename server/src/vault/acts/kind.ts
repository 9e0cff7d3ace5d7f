import type { Tx } from "../../db/sql.ts";
import type { Caller } from "../../shared/caller.ts";
import type { HoldId, UserId } from "../../shared/ids.ts";
import type { CopyState, VaultDeps } from "../copy.ts";
import type { Party } from "../parties/party.ts";
import type { ActWithDecisions, Need } from "./act.ts";
import type { Control } from "./control.ts";
import type { ActDocument, NamedRecipient, NamedVault } from "./document.ts";

/** What an act of any kind can be about; each kind takes some of these. */
export interface Subject {
  readonly party: Party | null;
  readonly share_bp: number | null;
  readonly user: { readonly user_id: UserId; readonly name: string } | null;
  readonly hold_id: HoldId | null;
  readonly vault: NamedVault | null;
  readonly recipient: NamedRecipient | null;
}

export interface EndOfAct {
  readonly as: "refused" | "cancelled" | "expired";
  /** of a refusal */
  readonly reason: string | null;
}

export type Member = "party_id" | "share_bp" | "user_id" | "hold_id" | "vault_id" | "recipient";

/** The rules of one kind of act on a record. What gets a transaction runs under the locks of the envelope and its copy. */
interface Rules {
  /** the members of the request that it requires; others are refused */
  readonly takes: readonly Member[];
  /** the states of the copy in which it is possible; by default only `active` */
  readonly states?: readonly CopyState[];
  /** Who must confirm. Throws if the act is impossible as things stand. */
  readonly needs: (tx: Tx, control: Control, subject: Subject) => Promise<readonly Need[]>;
  /** Also done when it is proposed, in the same transaction. */
  readonly propose?: (tx: Tx, caller: Caller, control: Control, document: ActDocument) => Promise<void>;
  /** When it is refused, cancelled, superseded or expires. */
  readonly end?: (tx: Tx, caller: Caller, control: Control, act: ActWithDecisions, ending: EndOfAct) => Promise<void>;
}

export interface QuickKind extends Rules {
  /** Changes the registers. The version of control is compared and raised by the caller. */
  readonly takeEffect: (tx: Tx, caller: Caller, control: Control, act: ActWithDecisions) => Promise<void>;
}

/** Its effect needs work that no transaction waits for: the act is `confirmed` until a job has done it. */
export interface SlowKind extends Rules {
  /** Does the work, and returns what then changes the registers. A problem that it throws ends the act. */
  readonly prepare: (deps: VaultDeps, caller: Caller, act: ActWithDecisions) => Promise<(tx: Tx, control: Control) => Promise<void>>;
}

export type Kind = QuickKind | SlowKind;

export const DEFAULT_STATES: readonly CopyState[] = ["active"];
