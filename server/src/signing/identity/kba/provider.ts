import type { Tx } from "../../../db/sql.ts";
import type { OrgId } from "../../../shared/ids.ts";
import type { Slug } from "../../../shared/slugs.ts";
import type { SealingDeps } from "../../sealed-columns.ts";
import type { Hashing } from "./answers.ts";

/** Questions that only the signer should be able to answer. Only the provider knows the right answers. */
export interface KbaMaterial {
  readonly set_no: number;
  readonly questions: readonly { readonly question_no: number; readonly question: string }[];
  /** Whether each answer is right, in the order of `questions`. A missing answer is wrong. */
  check(hashing: Hashing, answers: ReadonlyMap<number, string>): Promise<boolean[]>;
}

/** The source of the questions. `partner_questions`: the sender sets them. */
export interface KbaProvider {
  readonly name: string;
  /** Null if there are none for this signer. */
  materialFor(deps: SealingDeps, tx: Tx, org: OrgId, slug: Slug): Promise<KbaMaterial | null>;
}
