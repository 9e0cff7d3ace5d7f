import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/deposit/en.ts";
import type { StepProps } from "./deposit-form.ts";
import { PartyFields } from "./party-fields.tsx";
import { StepButtons } from "./step-buttons.tsx";

const w = en.termsStep;

interface TermsStepProps extends StepProps {
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/** The terms must be accepted for a deposit. Their full text is shown here. */
export function TermsStep({ form, put, sending, onBack, onNext }: TermsStepProps) {
  const loaded = useLoad("terms", () => call("get_certification_terms"));
  const [isMissing, setMissing] = useState(false);
  const { terms, party } = form;
  const accept = (accepted: boolean) => {
    put({ terms: { ...terms, accepted, version: loaded.data?.terms_version ?? "" } });
    setMissing(false);
  };
  return (
    <form
      class="form wide"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!terms.accepted) setMissing(true);
        else onNext();
      }}
    >
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {loaded.data === null ? (
        loaded.isSlow && <Skeleton />
      ) : (
        <fieldset class="stack tight">
          <legend>{w.certificationTermsVersion(loaded.data.terms_version)}</legend>
          {/* Focusable, so that it can be scrolled with the arrow keys. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable */}
          <section class="terms" tabIndex={0} aria-label={w.certificationTerms}>
            {loaded.data.text.replace(/^#+ /gm, "")}
          </section>
          <Checkbox label={w.iAcceptThese(me().org.name)} checked={terms.accepted} onCheck={accept} />
          <p class="error" role="status">
            {isMissing ? w.acceptTheTerms : ""}
          </p>
          <div class="columns">
            <TextField
              label={w.acceptedBy}
              name="certification.accepted_by.name"
              value={terms.name}
              onText={(name) => put({ terms: { ...terms, name } })}
              sending={sending}
            />
            <TextField
              label={w.theirEMail}
              name="certification.accepted_by.email"
              type="email"
              value={terms.email}
              onText={(email) => put({ terms: { ...terms, email } })}
              sending={sending}
            />
          </div>
        </fieldset>
      )}
      <fieldset class="stack">
        <legend>{w.securedParty}</legend>
        <p class="quiet small">{w.thePartyThat}</p>
        <PartyFields value={party} onChange={(changed) => put({ party: changed })} sending={sending} at="secured_party." optional />
      </fieldset>
      <StepButtons onBack={onBack} />
    </form>
  );
}
