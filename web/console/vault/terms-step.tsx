import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Skeleton } from "../parts/table.tsx";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import type { StepProps } from "./deposit-form.ts";
import { Moves } from "./moves.tsx";
import { PartyFields } from "./party-fields.tsx";

interface TermsStepProps extends StepProps {
  readonly onBack: () => void;
  readonly onNext: () => void;
}

/** Nothing is vaulted without the terms, which are read in full where they are accepted. */
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
          {/* Longer than its place: whoever has no mouse scrolls it with the arrow keys. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a part that scrolls must take the focus */}
          <section class="terms" tabIndex={0} aria-label="Certification terms">
            {loaded.data.text.replace(/^#+ /gm, "")}
          </section>
          <Checkbox label={`I accept these terms for ${me().org.name}`} checked={terms.accepted} onCheck={accept} />
          <p class="error" role="status">
            {isMissing ? "Without the terms nothing is vaulted." : ""}
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
              label="E-mail address of who accepts"
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
        <p class="quiet small">Whom the record is assigned to, a lender for instance (check 8). Leave it empty where there is none.</p>
        <PartyFields value={party} onChange={(changed) => put({ party: changed })} sending={sending} at="secured_party." optional />
      </fieldset>
      <Moves onBack={onBack} />
    </form>
  );
}
