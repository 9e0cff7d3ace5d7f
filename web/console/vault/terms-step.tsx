import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Skeleton } from "../parts/table.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import type { StepProps } from "./deposit-form.ts";
import { PartyFields } from "./party-fields.tsx";
import { StepButtons } from "./step-buttons.tsx";

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
          <legend>Certification terms, version {loaded.data.terms_version}</legend>
          {/* Focusable, so that it can be scrolled with the arrow keys. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be focusable */}
          <section class="terms" tabIndex={0} aria-label="Certification terms">
            {loaded.data.text.replace(/^#+ /gm, "")}
          </section>
          <Checkbox label={`I accept these terms for ${me().org.name}`} checked={terms.accepted} onCheck={accept} />
          <p class="error" role="status">
            {isMissing ? "Accept the terms to continue." : ""}
          </p>
          <div class="columns">
            <TextField
              label="Accepted by"
              name="certification.accepted_by.name"
              value={terms.name}
              onText={(name) => put({ terms: { ...terms, name } })}
              sending={sending}
            />
            <TextField
              label="Their e-mail address"
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
        <legend>Secured party</legend>
        <p class="quiet small">
          The party that the record is assigned to, for example a lender (check 8). Leave it empty if there is none.
        </p>
        <PartyFields value={party} onChange={(changed) => put({ party: changed })} sending={sending} at="secured_party." optional />
      </fieldset>
      <StepButtons onBack={onBack} />
    </form>
  );
}
