import type { SessionFacts, SignerFacts } from "../../../facts.ts";
import type { Facts2 } from "../../../facts-2.ts";
import { consentAndAttribution as inRules1 } from "../../1/checks/05-consent-and-attribution.ts";
import { entriesOf, nameOf, requiredSigners, signedBy } from "../../1/checks/wording.ts";
import { seenByRules1 } from "../seen-by-rules-1.ts";
import { attested, type Graded, proven } from "./check.ts";
import { fromRules1 } from "./from-rules-1.ts";

export const consentAndAttribution = fromRules1(inRules1, gradeOf);

function gradeOf(facts: Facts2): Graded {
  const seen = seenByRules1(facts);
  if (signedBy(seen) !== "signed_here") return attested("The depositor states how the signers were identified.");
  for (const signer of requiredSigners(seen)) {
    const weakness = weaknessOf(facts, signer);
    if (weakness !== null) return attested(`${nameOf(signer)}: ${weakness}`);
  }
  return proven("Each signer used a link that a mail server accepted for the signer's address.");
}

/** Why the address of a signer is not shown by a mail server; null if it is. */
function weaknessOf(facts: Facts2, { signatures, sessions }: SignerFacts): string | null {
  const session = sessions.find((each) => signatures.some((signature) => signature.session === each.session));
  if (session === undefined) return "no session is recorded.";
  const { credential, link_kind } = session;
  if (credential === "embed_token") return "identity asserted by the organization, which issued the token.";
  if (link_kind === "handed_over") return "the link was handed over by the organization, not mailed.";
  if (link_kind !== "mailed") return "the signing link was also visible to API keys of the organization.";
  return isAccepted(facts, session) ? null : "no mail server is recorded to have accepted the message with the link.";
}

const isAccepted = ({ chain }: Facts2, { message_id, mail_sent_at }: SessionFacts): boolean =>
  (mail_sent_at ?? null) !== null || entriesOf({ chain }, "mail.accepted").some(({ said }) => said?.message_id === message_id);
