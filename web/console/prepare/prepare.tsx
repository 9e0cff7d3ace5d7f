import { useRef, useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { usePreload } from "../builder/use-preload.ts";
import { isDraft } from "../envelopes/api.ts";
import { noAcceptance } from "../envelopes/no-acceptance.ts";
import { query } from "../navigation.ts";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { lazy } from "../parts/lazy.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/steps/en.ts";
import { type Draft, readDraft } from "./api.ts";
import { CloseLink, placeOf, type Step, StepList, stepOf, steps } from "./steps.tsx";
import { useSavedLeaving } from "./use-saved-leaving.tsx";
import type { Conflicting, Memory, StepProps } from "./wizard.ts";

// Each step is loaded when it is first shown; the others follow a moment later.
const loadDocument = async () => (await import("./document-step.tsx")).DocumentStep;
const loadPeople = async () => (await import("./people-step.tsx")).PeopleStep;
const loadFields = async () => (await import("./fields-step.tsx")).FieldsStep;
const loadOptions = async () => (await import("./options-step.tsx")).OptionsStep;
const loadReview = async () => (await import("./review-step.tsx")).ReviewStep;
const loadConflict = async () => (await import("./conflict.tsx")).Conflict;
const loadBlocked = async () => (await import("./blocked.tsx")).Blocked;
const [Conflict, Blocked] = [lazy(loadConflict), lazy(loadBlocked)];
const [DocumentStep, PeopleStep, FieldsStep] = [lazy(loadDocument), lazy(loadPeople), lazy(loadFields)];
const [OptionsStep, ReviewStep] = [lazy(loadOptions), lazy(loadReview)];

export function Prepare({ params: { envelope_id = "" } }: ScreenProps) {
  const { data, error, isSlow, reload, put } = useLoad(envelope_id, () => readDraft(envelope_id));
  const canEdit = data !== null && isDraft(data.envelope.status) && may("envelopes:write");
  const preparedBy = data?.envelope.metadata.prepared_by;
  // What was entered stays on the screen, even if it cannot be saved any more.
  const isBegun = useRef(false);
  isBegun.current ||= canEdit;
  return (
    <Screen
      title={data === null ? words.title : words.titleOf(data.envelope.envelope_name)}
      above={<CloseLink to={`/envelopes/${envelope_id}`} />}
      {...(preparedBy != null && { lead: words.preparedBy(preparedBy.partner_name) })}
    >
      {error !== null && <ErrorNotice error={error} onRetry={reload} />}
      {data === null && error === null && isSlow && <Skeleton />}
      {data !== null && !canEdit && <Blocked envelope={data.envelope} isBegun={isBegun.current} />}
      {data !== null && isBegun.current && <Wizard draft={data} onRead={put} onFailed={reload} isBlocked={!canEdit} />}
    </Screen>
  );
}

interface WizardProps {
  readonly draft: Draft;
  readonly onRead: (draft: Draft) => void;
  /** reads the draft once more, and shows the error if that fails too */
  readonly onFailed: () => Promise<void>;
  readonly isBlocked: boolean;
}

function Wizard({ draft, onRead, onFailed, isBlocked }: WizardProps) {
  const { envelope_id, status } = draft.envelope;
  const [memory, setMemory] = useState<Memory>(() => ({ checks: {}, acceptance: noAcceptance() }));
  usePreload([loadDocument, loadPeople, loadFields, loadOptions, loadReview, loadConflict, loadBlocked]);
  const [refusal, setRefusal] = useState<unknown>(null);
  const unsaved: StepProps["unsaved"] = useRef(null);
  const hasChecks = Object.keys(memory.checks).length > 0;
  const turns: StepProps["turns"] = useRef(Promise.resolve());
  const { travel: go, notice } = useSavedLeaving(unsaved, query.value.toString(), (to) => {
    const isStep = to?.startsWith(placeOf(envelope_id, "people").split("?")[0] ?? "") ?? false;
    return !isStep && (unsaved.current?.hasChecks?.() ?? hasChecks) ? words.checksLost : null;
  });
  const [conflict, setConflict] = useState<Conflicting>(null);
  // Another version of the draft is another form.
  const [version, setVersion] = useState(0);
  const base = useRef(draft);
  const reload = async () => {
    try {
      base.current = await readDraft(envelope_id);
      onRead(base.current);
    } catch {
      await onFailed();
    }
  };
  const loadOther = async () => {
    await reload();
    setVersion(version + 1);
    setConflict(null);
  };
  /** What is on the screen replaces what was saved elsewhere. */
  const keepOwn = async () => {
    base.current = await readDraft(envelope_id);
    await unsaved.current?.save();
  };
  const wanted = stepOf(query.value.get("step")) ?? "people";
  // Without a document, only the first step makes sense.
  const step: Step = status === "pending" ? "document" : wanted;
  // Of the other steps, and of a first upload, it is said only if something would be lost.
  const isForm = step !== "fields" && step !== "review" && status !== "pending";
  const goTo = (to: Step) => go(placeOf(envelope_id, to));
  const saveAndGo = async (to: Step) => {
    const { current } = unsaved;
    if (to !== step && (current === null || (isBlocked ? !current.isChanged() : await current.save()))) goTo(to);
  };
  const props: StepProps = {
    draft,
    base,
    turns,
    conflict,
    onConflict: setConflict,
    memory,
    reload,
    goTo,
    unsaved,
    isBlocked,
    remember: (change) => setMemory((now) => ({ ...now, ...change })),
    saveAndGo: (to) => void saveAndGo(to),
    note: (isForm || hasChecks || memory.acceptance.isAccepted) && (
      <p class="quiet">
        {isForm && words.saved} {words.notKept}
      </p>
    ),
    // Once nothing can be saved, there is nothing to correct.
    refusalOf: (field) =>
      refusal instanceof ApiError && !isBlocked ? (refusal.details.find((one) => one.field === field)?.message ?? null) : null,
  };
  return (
    <>
      {notice}
      <StepList at={step} envelope_id={envelope_id} onStep={props.saveAndGo} done={doneIn(draft, memory, step)} />
      {conflict !== null && <Conflict takesFocus={conflict === "asked"} onOther={loadOther} onOwn={keepOwn} />}
      {step === "document" && <DocumentStep key={`${status === "pending"} ${version}`} {...props} />}
      {step === "people" && <PeopleStep key={version} {...props} />}
      {step === "fields" && <FieldsStep {...props} />}
      {step === "options" && <OptionsStep key={version} {...props} />}
      {step === "review" && <ReviewStep {...props} onRefusal={setRefusal} onSent={() => go(`/envelopes/${envelope_id}`)} />}
    </>
  );
}

/** The steps with nothing left to do. Fields and options are optional: they count once the user has passed them. */
function doneIn({ envelope: { metadata }, documents, document, recipients }: Draft, { acceptance }: Memory, at: Step): readonly Step[] {
  const codes = steps.map(([code]) => code);
  const isPast = (step: Step) => codes.indexOf(step) < codes.indexOf(at);
  const hasEveryRole = document.roles.every((role) => recipients.some((one) => one.role === role));
  const isDone = {
    document: documents.length > 0,
    people: hasEveryRole && recipients.some(({ kind }) => kind === "signer"),
    fields: document.fields.length > 0 || isPast("fields"),
    options: isPast("options") && (!metadata.auto_vault_enabled || acceptance.isAccepted),
    review: false,
  };
  return codes.filter((code) => isDone[code]);
}
