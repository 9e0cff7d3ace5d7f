// Who agreed, before signing, that the record is a transferable record. The audit trail alone says it.

import type { Facts2 } from "../../facts-2.ts";
import type { Milestone } from "../../milestones.ts";
import { entriesOf } from "../1/checks/wording.ts";
import { firstFacts } from "./imported.ts";

export type Maker = {
  readonly name: string;
  readonly role: string;
  /** that they agreed, before their first signature; null if they did not */
  readonly agreed: Milestone | null;
};

/** The signers whose roles were named when the envelope was sent. Of a record that moved, those of the vault where it was signed. */
export function makersOf(facts: Facts2): Maker[] {
  const first = firstFacts(facts);
  const roles = entriesOf(first, "envelope.sent")[0]?.said?.maker_roles;
  if (!Array.isArray(roles)) return [];
  return first.signers
    .filter(({ role }) => role !== null && roles.includes(role))
    .map(({ slug, name, email, role, order }) => {
      const isOwn = ({ actor }: Milestone) => actor.kind === "signer" && actor.id === slug;
      const signed = entriesOf(first, "signature.applied").find(isOwn);
      const agreed = entriesOf(first, "agreement.accepted").find(
        (entry) => isOwn(entry) && (signed === undefined || entry.seq < signed.seq) && isPublished(first, entry),
      );
      return { name: name ?? email ?? `Signer ${order}`, role: role ?? "", agreed: agreed ?? null };
    });
}

/** A text that this installation did not publish says nothing. What was erased cannot be compared. */
function isPublished({ texts }: Facts2, { said }: Milestone): boolean {
  if (said === null) return true;
  return texts.some(({ kind, sha256, published }) => kind === "agreement" && sha256 === said.agreement_sha256 && published);
}
