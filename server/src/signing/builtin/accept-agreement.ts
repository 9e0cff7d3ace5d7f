import { appendAudit } from "../../audit/append-audit.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { invalidField } from "../../shared/problems.ts";
import { currentText, currentTexts } from "../../texts/current-texts.ts";
import type { ShownText } from "../../texts/text.ts";
import type { SigningDeps } from "../submission.ts";
import { asSigner, attendanceOf, consented, notNow } from "./ceremony.ts";
import { insertAgreement } from "./store.ts";

export interface AgreementGiven {
  readonly agreement_version: string;
  readonly agreement_sha256: string;
}

/** A maker agrees that the document is a transferable record. Once given, it stays: a maker who changes their mind declines. */
export function acceptAgreement(deps: SigningDeps, who: WidgetCaller, given: AgreementGiven): Promise<Date> {
  const { org, holder } = who;
  const { envelope_id, signing_session: session } = holder;
  return asSigner(deps, who, async (tx, ceremony, slug) => {
    const { you } = consented(ceremony);
    if (ceremony.agreement === null) throw notNow("agreement_not_needed", "conflict", "only makers of a transferable record agree to it");
    const { version, locale, sha256 } = textShown(deps, given);
    if (ceremony.agreement.accepted_at !== null) return ceremony.agreement.accepted_at;
    const { prepared_sha256 } = attendanceOf(ceremony);
    const accepted_at = await insertAgreement(tx, org, { envelope_id, slug, session, version, locale, sha256 });
    const data = {
      agreement_version: version,
      agreement_locale: locale,
      agreement_sha256: sha256,
      prepared_sha256,
      role: you.role,
      user_email: you.email,
      signing_session: session,
    };
    await appendAudit(tx, org, { type: "agreement.accepted", by: who, envelope_id, data });
    return accepted_at;
  });
}

/** Its hash shows the language. */
function textShown({ texts }: SigningDeps, { agreement_version, agreement_sha256 }: AgreementGiven): ShownText {
  const { version } = currentText(texts, "agreement");
  if (agreement_version !== version) throw invalidField("agreement_version", "invalid_value", `must be ${version}`);
  const shown = currentTexts(texts, "agreement").find(({ sha256 }) => sha256 === agreement_sha256);
  if (shown === undefined) throw invalidField("agreement_sha256", "invalid_value", "must be the hash of the text that was shown");
  return shown;
}
