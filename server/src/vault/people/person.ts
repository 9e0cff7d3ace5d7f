import type { Db } from "../../db/connect.ts";
import type { SystemTx, Tx } from "../../db/sql.ts";
import type { MailDeps } from "../../mail/message.ts";
import type { ProofPool, Turn } from "../../proofs/pool.ts";
import type { PasskeyAlgorithm, PasskeySite } from "../../proofs/protocol.ts";
import { MINUTE_SECONDS } from "../../shared/durations.ts";
import type { PasskeyId, PersonId } from "../../shared/ids.ts";
import type { DerivedKeys } from "../../shared/secrets.ts";

export interface PeopleDeps {
  readonly db: Db;
  readonly keys: Pick<DerivedKeys, "mail">;
  readonly mail: MailDeps;
  readonly proofs: ProofPool;
  /** the host and origin of PUBLIC_URL, where people's pages are */
  readonly site: PasskeySite;
  /** shared with the log-in of accounts, so that a flood of visitors does not slow down others */
  readonly visitorQueue: { through(db: Pick<Db, "lease" | "system">, turn: Turn): Pick<Db, "lease" | "system"> };
  /** Who else acts for the person's parties, and is told when the person's passkeys change. Of `parties/`. */
  readonly otherPeopleOf: (tx: Tx, person_id: PersonId) => Promise<readonly OtherPerson[]>;
  /** The act, if this person can decide on it now. Of `acts/`. */
  readonly lookUpActOf: (tx: SystemTx, person_id: PersonId, act_id: string) => Promise<ActToDecide | null>;
}

export interface OtherPerson {
  readonly email: string;
  /** the party that both belong to */
  readonly party_name: string;
}

export interface ActToDecide {
  /** of its canonical bytes, in lower-case hex */
  readonly sha256: string;
  /** one line that says what is decided */
  readonly summary: string;
}

export interface Person {
  readonly person_id: PersonId;
  readonly email: string;
}

export interface Passkey {
  readonly passkey_id: PasskeyId;
  readonly credential_id: string;
  readonly name: string;
  readonly algorithm: PasskeyAlgorithm;
  /** synchronized between devices, or otherwise backed up */
  readonly backed_up: boolean;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

export const CODE_SECONDS = 10 * MINUTE_SECONDS;
export const PERSON_SESSION_SECONDS = 30 * MINUTE_SECONDS;
export const MAX_PASSKEYS = 10;
export const PERSON_CALLS_PER_MINUTE = 120;
