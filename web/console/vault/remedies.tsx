import type { ComplianceCheck } from "@countersign/client/types";
import type { ShownCheck } from "../checks/checks-list.tsx";
import { NameParty } from "../checks/name-party.tsx";
import { duplicate } from "../envelopes/duplicate.ts";
import { ActionButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { useSending } from "../sending.ts";
import { isCustodian, may } from "../session.ts";
import { en } from "../words/vault/en.ts";
import { originOf } from "./api.ts";
import { Fixes } from "./fixes.tsx";
import type { RecordProps } from "./record-props.ts";

const Matches = lazy(async () => (await import("./matches.tsx")).Matches);

const w = en.remedies;

interface RemediesProps extends RecordProps {
  readonly check: ShownCheck;
  /** opens the correction of the attestation; null if there is none to correct */
  readonly onAttest: (() => void) | null;
  /** runs the checks again, and returns what was found in words */
  readonly onCheck: () => Promise<string>;
}

/** What can be done about a check, as buttons, or why nothing can be done. */
export function Remedies({ check, onAttest, onCheck, ...it }: RemediesProps) {
  const { envelope_id, copy, done } = it;
  const { id, state } = check;
  if (state === "proven" || state === "satisfied") return null;
  const isUnnamed = copy.control.controller === null && copy.state === "active";
  const nothing = state === "attested" && copy.state === "active" ? whyNothing(check, it) : null;
  return (
    <>
      {nothing !== null && <p class="checks-nothing quiet">{nothing}</p>}
      {id === "secured_party" && may("vault:write") && (
        <NameParty envelope_id={envelope_id} isOffered={isUnnamed} onCheck={onCheck} onNamed={done} />
      )}
      {state === "not_shown" && onAttest !== null && restsOnAttestation(check, it) && (
        <div class="buttons">
          <button type="button" class="button" onClick={onAttest}>
            {w.correctWhatWas}
          </button>
        </div>
      )}
      <Fixes {...it} check={check} />
      <CheckAgain {...it} check={check} onCheck={onCheck} />
      <SignAgain {...it} check={check} />
      {state === "not_shown" && id === "single_authoritative_copy" && !isCustodian() && <Matches envelope_id={envelope_id} done={done} />}
    </>
  );
}

/** The checks that rest on what the depositor attested about an upload. */
const attestedChecks: readonly ComplianceCheck[] = ["tamper_evident_record", "signatures_complete", "consent_and_attribution"];

/** For paper also the first: that the paper original is destroyed or kept is attested. */
const restsOnAttestation = ({ id }: ShownCheck, { copy }: RecordProps): boolean =>
  attestedChecks.includes(id) || (id === "single_authoritative_copy" && originOf(copy) === "paper_upload");

/** Why an attested check cannot become a proven one here; null if a button can do it. */
function whyNothing({ id }: ShownCheck, { copy }: RecordProps): string | null {
  if (attestedChecks.includes(id) && originOf(copy) !== "signed_here") return w.nothing.upload;
  switch (id) {
    case "custodian":
      return copy.control.controller === null ? w.nothing.custodian : null;
    case "secured_party":
      return null;
    default:
      return w.nothing[id];
  }
}

type CheckProps = RecordProps & { readonly check: ShownCheck };

/** Another run takes the trail into a checkpoint, and gets the time from outside that was missing. A broken trail stays broken. */
function CheckAgain({ check, done, onCheck }: CheckProps & Pick<RemediesProps, "onCheck">) {
  const sending = useSending();
  const isFinal = /cannot be repaired/.test(check.remedy ?? "");
  if (check.id !== "audit_trail" || check.state !== "not_shown" || isFinal || !may("vault:write")) return null;
  return (
    <>
      <div class="buttons">
        <ActionButton sending={sending} busyLabel={w.runningChecks} onAction={async () => done(await onCheck(), "plain")}>
          {w.runChecksAgain}
        </ActionButton>
      </div>
      <ErrorNotice error={sending.error} />
    </>
  );
}

/** What is missing from a signature cannot be added later. The new envelope begins with the documents and recipients of this one. */
function SignAgain({ envelope_id, copy, check }: CheckProps) {
  const sending = useSending();
  const isToSign = check.state === "not_shown" && originOf(copy) === "signed_here" && /new envelope/.test(check.remedy ?? "");
  if (!isToSign || copy.state !== "active" || !may("envelopes:write")) return null;
  return (
    <>
      <div class="buttons">
        <ActionButton sending={sending} onAction={() => duplicate(envelope_id)}>
          {w.duplicate}
        </ActionButton>
      </div>
      <ErrorNotice error={sending.error} />
    </>
  );
}
