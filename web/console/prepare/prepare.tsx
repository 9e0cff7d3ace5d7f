import { useEffect, useRef, useState } from "preact/hooks";
import { Refusal } from "../../http.ts";
import { useAsked } from "../asked.ts";
import { noAcceptance } from "../envelopes/acceptance.tsx";
import { isDraft } from "../envelopes/api.ts";
import { Link } from "../link.tsx";
import { useLeaving } from "../parts/leaving.tsx";
import { Only } from "../parts/only.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import { Trouble } from "../parts/trouble.tsx";
import { query } from "../place.ts";
import type { ScreenParts } from "../screen-parts.ts";
import { type Draft, readDraft } from "./api.ts";
import { DocumentStep } from "./document-step.tsx";
import { FieldsStep } from "./fields-step.tsx";
import { OptionsStep } from "./options-step.tsx";
import { PeopleStep } from "./people-step.tsx";
import { ReviewStep } from "./review-step.tsx";
import { placeOf, type Step, StepList, stepOf } from "./steps.tsx";
import type { Memory, StepProps } from "./wizard.ts";

export function Prepare({ parts }: ScreenParts) {
  const envelope_id = parts.envelope_id ?? "";
  const { data, error, isSlow, reload } = useAsked(envelope_id, () => readDraft(envelope_id));
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
    <Screen title={data === null ? "Prepare an envelope" : `Prepare ${data.envelope.envelope_name}`} above={above}>
      {error !== null && <Trouble of={error} again={reload} />}
      {data === null && error === null && isSlow && <Skeleton />}
      {data !== null && (
        <Only least="member" to="prepare envelopes">
          {isDraft(data.envelope.status) ? <Wizard draft={data} reload={reload} /> : <NoDraft envelope_id={envelope_id} />}
        </Only>
      )}
    </Screen>
  );
}

function NoDraft({ envelope_id }: { envelope_id: string }) {
  const notice = useRef<HTMLParagraphElement>(null);
  // Where it comes in place of a step, what was pressed is gone with it.
  useEffect(() => {
    if (document.activeElement === document.body) notice.current?.focus();
  }, []);
  return (
    <p class="notice" ref={notice} tabIndex={-1}>
      It is no draft any more, so nothing about it can be changed here. <Link to={`/envelopes/${envelope_id}`}>Show the envelope</Link>
    </p>
  );
}

function Wizard({ draft, reload }: { draft: Draft; reload: () => Promise<void> }) {
  const { envelope_id, status } = draft.envelope;
  const [memory, setMemory] = useState<Memory>(() => ({ questions: {}, acceptance: noAcceptance() }));
  const [refusal, setRefusal] = useState<unknown>(null);
  const held: StepProps["held"] = useRef(null);
  const { travel: go, notice } = useLeaving((to) => {
    const isStep = to?.startsWith(placeOf(envelope_id, "people").split("?")[0] ?? "") ?? false;
    if (!isStep && Object.keys(memory.questions).length > 0)
      return "The identity questions are kept nowhere until the envelope is sent: to leave loses them.";
    return held.current?.isChanged ? "What you changed in this step is not saved yet." : null;
  });
  const wanted = stepOf(query.value.get("step")) ?? "people";
  // Nothing else can be done with an envelope that has no document.
  const step: Step = status === "pending" ? "document" : wanted;
  const travel = (to: Step) => go(placeOf(envelope_id, to));
  const leave = async (to: Step) => {
    if (to !== step && (held.current === null || (await held.current.save()))) travel(to);
  };
  const props: StepProps = {
    draft,
    memory,
    reload,
    travel,
    held,
    remember: (change) => setMemory((now) => ({ ...now, ...change })),
    leave: (to) => void leave(to),
    refusalOf: (field) => (refusal instanceof Refusal ? (refusal.details.find((one) => one.field === field)?.message ?? null) : null),
  };
  return (
    <>
      {notice}
      <StepList at={step} envelope_id={envelope_id} onStep={props.leave} />
      {step === "document" && <DocumentStep key={status} {...props} />}
      {step === "people" && <PeopleStep {...props} />}
      {step === "fields" && <FieldsStep {...props} />}
      {step === "options" && <OptionsStep {...props} />}
      {step === "review" && (
        <ReviewStep {...props} refusal={refusal} onRefusal={setRefusal} onSent={() => go(`/envelopes/${envelope_id}`)} />
      )}
      <p class="quiet">
        The draft is the envelope itself: leaving loses nothing but the identity questions and the acceptance of the terms.
      </p>
    </>
  );
}
