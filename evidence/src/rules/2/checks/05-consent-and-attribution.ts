import type { SessionFacts } from "../../../facts.ts";
import type { Facts2, SignerFacts2 } from "../../../facts-2.ts";
import { isOfForm } from "../../../form-token.ts";
import { methodWords } from "../../../identity-methods.ts";
import { TEST_OPERATION } from "../../../test-record.ts";
import { consentAndAttribution as inRules1 } from "../../1/checks/05-consent-and-attribution.ts";
import { entriesOf, type Failed, failed, nameOf, signedBy } from "../../1/checks/wording.ts";
import { askedOf, passOf } from "../identity-results.ts";
import { attested, type Graded, type GradedCheck, proven } from "./check.ts";
import { fromRules1 } from "./from-rules-1.ts";

const consented = fromRules1(inRules1, gradeOf);

export const consentAndAttribution: GradedCheck = {
  ...consented,
  judge: (facts) => {
    const finding = consented.judge(facts);
    if (!finding.satisfied || signedBy(facts) !== "signed_here") return finding;
    return missingPass(facts) ?? { ...finding, detail: `${finding.detail}${passedWords(facts)}` };
  },
};

const requiredSigners = ({ signers }: Facts2): SignerFacts2[] => signers.filter(({ required }) => required);

/** A signature rests on every code that was required of the signer. */
function missingPass(facts: Facts2): Failed | null {
  for (const signer of requiredSigners(facts)) {
    const missing = askedOf(signer).find((method) => passOf(signer, method) === null);
    if (missing === undefined) continue;
    const detail = `${nameOf(signer)} signed without passing what the sender required: ${methodWords(missing)}.`;
    return failed(detail, "Attribution cannot be back-dated: sign again in a new envelope.");
  }
  return null;
}

function passedWords(facts: Facts2): string {
  const lines = requiredSigners(facts).flatMap((signer) => {
    const methods = askedOf(signer).map(methodWords);
    const by = visitOf(signer)?.by === TEST_OPERATION ? ", as a test operation recorded" : "";
    return methods.length === 0 ? [] : [`${nameOf(signer)}: ${methods.join(" and ")}${by}`];
  });
  return lines.length === 0 ? "" : ` Passed before signing: ${lines.join("; ")}.`;
}

function gradeOf(facts: Facts2): Graded {
  if (signedBy(facts) !== "signed_here") return attested("The depositor states how the signers were identified.");
  const signers = requiredSigners(facts);
  for (const signer of signers) {
    const weakness = hasMailedCode(facts, signer) ? null : weaknessOf(facts, signer);
    if (weakness !== null) return attested(`${nameOf(signer)}: ${weakness}`);
  }
  const what = signers.some((signer) => weaknessOf(facts, signer) !== null) ? "link or a code" : "link";
  return proven(`Each signer used a ${what} that a mail server accepted for the signer's address.`);
}

/** The signer entered a code from a message that a mail server accepted. */
function hasMailedCode(facts: Facts2, signer: SignerFacts2): boolean {
  const message_id = passOf(signer, "email_code")?.message_id;
  return message_id !== undefined && isAcceptedMessage(facts, message_id);
}

/** Why the address of a signer is not shown by a mail server; null if it is. */
function weaknessOf(facts: Facts2, signer: SignerFacts2): string | null {
  const session = visitOf(signer);
  if (session === undefined) return "no session is recorded.";
  if (session.by === TEST_OPERATION) return "a test operation acted for the signer.";
  const { credential, link_kind } = session;
  if (isOfForm(session)) return "signed on a public form, which did not ask for proof of the address.";
  if (credential === "embed_token") return "identity asserted by the organization, which issued the token.";
  if (link_kind === "handed_over") return "the link was handed over by the organization, not mailed.";
  if (link_kind !== "mailed") return "the signing link was also visible to API keys of the organization.";
  return isAccepted(facts, session) ? null : "no mail server is recorded to have accepted the message with the link.";
}

/** The visit in which the person signed. */
const visitOf = ({ signatures, sessions }: SignerFacts2): SessionFacts | undefined =>
  sessions.find((each) => signatures.some((signature) => signature.session === each.session));

const isAccepted = (facts: Facts2, { message_id, mail_sent_at }: SessionFacts): boolean =>
  (mail_sent_at ?? null) !== null || (message_id !== undefined && isAcceptedMessage(facts, message_id));

const isAcceptedMessage = ({ chain }: Facts2, message_id: string): boolean =>
  entriesOf({ chain }, "mail.accepted").some(({ said }) => said?.message_id === message_id);
