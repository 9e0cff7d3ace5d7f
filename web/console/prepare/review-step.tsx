import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { blanksOf } from "../envelopes/blanks-of.ts";
import { justSent } from "../envelopes/just-sent.ts";
import { isBlank } from "../envelopes/question.ts";
import { Sheets } from "../envelopes/sheets.tsx";
import { changeIfSame } from "../guards.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Form } from "../parts/form.tsx";
import { en as words } from "../words/review/en.ts";
import type { Draft } from "./api.ts";
import { acts, peopleOf } from "./people.ts";
import { DocumentReview, OptionsReview, PeopleReview, ValuesReview } from "./reviews.tsx";
import { sendBody, withoutAnswers } from "./send-body.ts";
import { StepButtons } from "./step-buttons.tsx";
import { StepHead, steps } from "./steps.tsx";
import { type StepProps, stepOfField, useStepSending } from "./wizard.ts";

interface ReviewStepProps extends StepProps {
  /** the error of the last attempt to send */
  readonly onRefusal: (error: unknown) => void;
  readonly onSent: () => void;
}

/** Shows everything once more, with links to change it, and sends exactly that: a draft that has changed since is shown again instead. */
export function ReviewStep(props: ReviewStepProps) {
  const { draft, memory, remember, saveAndGo, isBlocked, onRefusal, onSent, reload } = props;
  const { envelope_id, metadata } = draft.envelope;
  const sending = useStepSending(props);
  const body = sendBody(draft, memory);
  const params = { envelope_id };
  const [isChanged, setChanged] = useState(false);
  const sendIt = async () => {
    onRefusal(null);
    setChanged(false);
    try {
      const { warnings, recipients } = await changeIfSame("send_envelope", { params, body }, draft.tag);
      justSent.value = { envelope_id, warnings, recipients };
    } catch (error) {
      if (error instanceof ApiError && error.status === 412) {
        await reload();
        setChanged(true);
        return;
      }
      onRefusal(error);
      throw error;
    }
    // Leaving the wizard loses nothing now.
    remember({ checks: {} });
    onSent();
  };
  const people = peopleOf(draft, memory.checks);
  // Also people who are only suggested so far: they are sent as they stand here.
  const waiting = people.map(({ kind, name, role }) => ({ kind, name, role: role || null, status: "pending" as const }));
  const unasked = metadata.kba_required ? people.filter((one) => acts(one) && isBlank(one.questions)) : [];
  return (
    <Form
      sending={sending}
      onSend={sendIt}
      wide
      bar={
        <>
          {isChanged && !isBlocked && (
            <p class="notice bad" role="alert">
              {words.changed}
            </p>
          )}
          <FixButtons refusal={sending.error} onStep={saveAndGo} />
          <StepButtons step="review" sending={sending} isBlocked={isBlocked} onLeave={saveAndGo} words={words.send} />
        </>
      }
    >
      <StepHead title={words.title}>{words.lead}</StepHead>
      <div class="prepare-review">
        <div class="stack">
          <DocumentReview {...props} />
          <PeopleReview {...props} people={people} unasked={unasked} />
          <ValuesReview {...props} />
          <OptionsReview {...props} />
        </div>
        <Card title={words.shown}>
          <Sheets
            key={draft.documents.map(({ hash }) => hash).join()}
            envelope_id={envelope_id}
            pages={draft.document.pages}
            asText={false}
            blanks={blanksOf(inEnvelope(draft), waiting)}
            hasThumbnails
          />
        </Card>
      </div>
      <ApiCall operation="send_envelope" given={{ params, body: withoutAnswers(body) }} />
      {props.note}
    </Form>
  );
}

/** The fields with pages that count from the first document. In the draft, they count within each document. */
const inEnvelope = ({ document, documents }: Draft): Draft["document"]["fields"] =>
  document.fields.map((field) => {
    const before = documents.filter(({ document_no }) => document_no < (field.document ?? 1));
    const pages = before.reduce((sum, one) => sum + one.pages, 0);
    return { ...field, areas: field.areas.map((area) => ({ ...area, page: area.page + pages })) };
  });

/** Buttons to the steps with rejected fields. The step shows the error at the field. */
function FixButtons({ refusal, onStep }: { refusal: unknown; onStep: StepProps["saveAndGo"] }) {
  if (!(refusal instanceof ApiError)) return null;
  const wanted = new Set(refusal.details.map(({ field }) => stepOfField(field)));
  const found = steps.filter(([code]) => wanted.has(code));
  if (found.length === 0) return null;
  return (
    <div class="buttons">
      {found.map(([code, name]) => (
        <button key={code} type="button" class="button" onClick={() => onStep(code)}>
          {words.fixIn(name)}
        </button>
      ))}
    </div>
  );
}
