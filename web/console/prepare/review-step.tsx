import { ApiError } from "../../http.ts";
import { call } from "../api.ts";
import { justSent } from "../envelopes/just-sent.ts";
import { isBlank } from "../envelopes/questions.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Form } from "../parts/form.tsx";
import { acts, peopleOf } from "./people.ts";
import { DocumentReview, OptionsReview, PeopleReview } from "./reviews.tsx";
import { sendBody, withoutAnswers } from "./send-body.ts";
import { StepButtons } from "./step-buttons.tsx";
import { StepHead, steps } from "./steps.tsx";
import { type StepProps, stepOfField, useStepSending } from "./wizard.ts";

interface ReviewStepProps extends StepProps {
  /** the error of the last attempt to send */
  readonly refusal: unknown;
  readonly onRefusal: (error: unknown) => void;
  readonly onSent: () => void;
}

/** Shows everything once more, with links to change it, and sends the envelope. */
export function ReviewStep(props: ReviewStepProps) {
  const { draft, memory, remember, reload, saveAndGo, refusal, onRefusal, onSent } = props;
  const { envelope_id, metadata } = draft.envelope;
  const sending = useStepSending(reload);
  const body = sendBody(draft, memory);
  const params = { envelope_id };
  const sendIt = async () => {
    onRefusal(null);
    try {
      const { warnings, recipients } = await call("send_envelope", { params, body });
      justSent.value = { envelope_id, warnings, recipients };
    } catch (error) {
      onRefusal(error);
      throw error;
    }
    // Leaving the wizard loses nothing now.
    remember({ questions: {} });
    onSent();
  };
  const people = peopleOf(draft, memory.questions);
  const unasked = metadata.kba_required ? people.filter((one) => acts(one) && isBlank(one.questions)) : [];
  return (
    <Form sending={sending} onSend={sendIt} wide>
      <StepHead title="Review and send">
        Check everything before you send. After sending, the document and its fields can no longer be changed, and no signer can be added.
      </StepHead>
      <DocumentReview {...props} />
      <PeopleReview {...props} people={people} unasked={unasked} />
      <OptionsReview {...props} />
      <FixButtons refusal={refusal} onStep={saveAndGo} />
      <StepButtons step="review" sending={sending} onLeave={saveAndGo} words="Send" />
      <ApiCall operation="send_envelope" given={{ params, body: withoutAnswers(body) }} />
    </Form>
  );
}

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
          Fix in {name}
        </button>
      ))}
    </div>
  );
}
