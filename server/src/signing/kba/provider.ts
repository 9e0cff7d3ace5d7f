import type { Read } from "../../db/sql.ts";
import type { OrgId } from "../../shared/ids.ts";
import type { Slug } from "../../shared/slugs.ts";
import type { Hashing } from "./answers.ts";

/** Questions that only the signer should be able to answer. What answers are right is known to the provider alone. */
export interface KbaMaterial {
  readonly set_no: number;
  readonly questions: readonly { readonly question_no: number; readonly question: string }[];
  /** In the order of `questions`: whether each answer is right. An answer that is missing is wrong. */
  check(hashing: Hashing, answers: ReadonlyMap<number, string>): Promise<boolean[]>;
}

/** Where questions come from. `partner_questions`: the sender sets them. */
export interface KbaProvider {
  readonly name: string;
  /** Null: there are none for this signer. */
  materialFor(read: Read, org: OrgId, slug: Slug): Promise<KbaMaterial | null>;
}
