import { useEffect, useRef, useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { noAcceptance } from "../envelopes/acceptance.tsx";
import { isDraft } from "../envelopes/api.ts";
import { Link } from "../link.tsx";
import { query } from "../navigation.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useLoad } from "../use-load.ts";
import { type Draft, readDraft } from "./api.ts";
import { DocumentStep } from "./document-step.tsx";
import { OptionsStep } from "./options-step.tsx";
import { PeopleStep } from "./people-step.tsx";
import { ReviewStep } from "./review-step.tsx";
import { placeOf, type Step, StepList, stepOf } from "./steps.tsx";
import type { Memory, StepProps } from "./wizard.ts";

// With the builder, which is as large as the other steps together.
const FieldsStep = lazy(async () => (await import("./fields-step.tsx")).FieldsStep);

export function Prepare({ params: { envelope_id = "" } }: ScreenProps) {
  const { data, error, isSlow, reload } = useLoad(envelope_id, () => readDraft(envelope_id));
  const above = (
    <p class="small">
      <Link to="/envelopes">Envelopes</Link>
      {data !== null && (
        <>
          {" "}
          / <Link to={`/envelopes/${envelope_id}`}>{data.envelope.envelope_name}</Link>
        </>
      )}
    </p>
  );
  return (
    <Screen title={data === null ? "Prepare envelope" : `Prepare ${data.envelope.envelope_name}`} above={above}>
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {data === null && error === null && isSlow && <Skeleton />}
      {data !== null && (
        <RequireRole least="member" to="prepare envelopes">
          {isDraft(data.envelope.status) ? <Wizard draft={data} reload={reload} /> : <NoDraft envelope_id={envelope_id} />}
        </RequireRole>
      )}
    </Screen>
  );
}

function NoDraft({ envelope_id }: { envelope_id: string }) {
  const notice = useRef<HTMLParagraphElement>(null);
  // If it replaces a step, the button that had the focus is gone.
  useEffect(() => {
    if (document.activeElement === document.body) notice.current?.focus();
  }, []);
  return (
    <p class="notice" ref={notice} tabIndex={-1}>
      This envelope is no longer a draft and cannot be edited here. <Link to={`/envelopes/${envelope_id}`}>Open envelope</Link>
    </p>
  );
}

function Wizard({ draft, reload }: { draft: Draft; reload: () => Promise<void> }) {
  const { envelope_id, status } = draft.envelope;
  const [memory, setMemory] = useState<Memory>(() => ({ questions: {}, acceptance: noAcceptance() }));
  const [refusal, setRefusal] = useState<unknown>(null);
  const unsaved: StepProps["unsaved"] = useRef(null);
  const { travel: go, notice } = useLeaving((to) => {
    const isStep = to?.startsWith(placeOf(envelope_id, "people").split("?")[0] ?? "") ?? false;
    if (!isStep && Object.keys(memory.questions).length > 0)
      return "Identity questions are not saved until the envelope is sent. If you leave, they are lost.";
    return unsaved.current?.isChanged ? "You have unsaved changes in this step." : null;
  });
  const wanted = stepOf(query.value.get("step")) ?? "people";
  // Without a document, only the first step makes sense.
  const step: Step = status === "pending" ? "document" : wanted;
  const goTo = (to: Step) => go(placeOf(envelope_id, to));
  const saveAndGo = async (to: Step) => {
    if (to !== step && (unsaved.current === null || (await unsaved.current.save()))) goTo(to);
  };
  const props: StepProps = {
    draft,
    memory,
    reload,
    goTo,
    unsaved,
    remember: (change) => setMemory((now) => ({ ...now, ...change })),
    saveAndGo: (to) => void saveAndGo(to),
    refusalOf: (field) => (refusal instanceof ApiError ? (refusal.details.find((one) => one.field === field)?.message ?? null) : null),
  };
  return (
    <>
      {notice}
      <StepList at={step} envelope_id={envelope_id} onStep={props.saveAndGo} />
      {step === "document" && <DocumentStep key={status} {...props} />}
      {step === "people" && <PeopleStep {...props} />}
      {step === "fields" && <FieldsStep {...props} />}
      {step === "options" && <OptionsStep {...props} />}
      {step === "review" && (
        <ReviewStep {...props} refusal={refusal} onRefusal={setRefusal} onSent={() => go(`/envelopes/${envelope_id}`)} />
      )}
      <p class="quiet">
        Each step is saved when you continue. If you leave, only the identity questions and the acceptance of the terms are lost.
      </p>
    </>
  );
}
