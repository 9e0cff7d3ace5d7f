import type { ActDecision, DecidePersonRequestRequest, PersonRequest } from "@countersign/client/pages";
import { useState } from "preact/hooks";
import { clauseOf, sentence } from "../../act-words.ts";
import { ApiError, Unreachable } from "../../http.ts";
import { isSupported, signAct } from "../../passkeys.ts";
import { call, callOpen } from "../api.ts";
import { ActionButton, Card, CodeField, ErrorNotice, Form, TextField } from "../parts.tsx";
import { hrefOf } from "../route.ts";
import { person } from "../session.ts";
import { useTask } from "../task.ts";
import { useFocusOnChange } from "../use-focus-on-change.ts";
import { useLateCode } from "../use-late-code.ts";
import { undecided } from "../waiting.ts";

interface DecideProps {
  readonly request: PersonRequest;
  /** gets the request as the service answered it */
  readonly onDecided: (request: PersonRequest) => void;
  /** the request may have changed in the meantime */
  readonly onStale: () => Promise<void>;
}

/** Two steps: what the person decides, then the proof that it is them. */
export function Decide(props: DecideProps) {
  const [decision, setDecision] = useState<ActDecision | null>(null);
  // A person decides once. For another party of the act, another person decides.
  const first = undecided(props.request)[0]?.name ?? "";
  const place = useFocusOnChange<HTMLDivElement>(decision);
  return (
    <div ref={place} tabIndex={-1}>
      {decision === null ? (
        <Choose party={first} org={props.request.act.org_name ?? ""} onChoice={setDecision} />
      ) : (
        <Prove {...props} decision={decision} party={first} onBack={() => setDecision(null)} />
      )}
    </div>
  );
}

/** For a change that waits for objections: the one decision that is left. */
export function Stop(props: DecideProps) {
  const party = props.request.parties[0]?.name ?? "";
  return <Prove {...props} decision="refuse" party={party} onBack={null} />;
}

interface ChooseProps {
  readonly party: string;
  readonly org: string;
  readonly onChoice: (decision: ActDecision) => void;
}

function Choose({ party, org, onChoice }: ChooseProps) {
  return (
    <Card title="Your decision">
      <p>
        You decide for <strong>{party}</strong>
        {party.endsWith(".") ? "" : "."} Read the request above first. If you did not expect it, ask {org} in another way than by e-mail.
      </p>
      <div class="buttons">
        <button type="button" class="button primary" onClick={() => onChoice("confirm")}>
          Confirm
        </button>
        <button type="button" class="button danger" onClick={() => onChoice("refuse")}>
          Refuse
        </button>
      </div>
    </Card>
  );
}

interface ProveProps extends DecideProps {
  readonly decision: ActDecision;
  readonly party: string;
  /** null: there is nothing to go back to */
  readonly onBack: (() => void) | null;
}

function Prove({ request, decision, party, onDecided, onStale, onBack }: ProveProps) {
  const { act } = request;
  const decide: Decides = async (given) => {
    try {
      onDecided(await call(`POST /acts/${act.act_id}/decision`, { body: { decision, sha256: act.sha256, ...given } }));
    } catch (error) {
      // 409: it was closed in the meantime. No answer: it may have been recorded all the same, so the page asks.
      if ((error instanceof ApiError && error.status === 409) || error instanceof Unreachable) await onStale();
      throw error;
    }
  };
  return (
    <Card title={decision === "confirm" ? `Confirm for ${party}` : `Refuse for ${party}`}>
      <p class="party-statement">{sentence(`You ${decision} for ${party} that ${clauseOf(act)}`)}</p>
      <p class="quiet small">
        {decision === "confirm"
          ? "It takes effect when everyone who is asked has confirmed. Your decision cannot be withdrawn."
          : "The request ends and nothing changes. Your decision cannot be withdrawn."}
      </p>
      {decision === "refuse" ? (
        <Refuse act={act} decide={decide} />
      ) : (
        <>
          <WithPasskey act={act} decide={decide} />
          <WithCode act={act} decide={decide} />
        </>
      )}
      {onBack !== null && (
        <div class="buttons">
          <button type="button" class="button" onClick={onBack}>
            Back
          </button>
        </div>
      )}
    </Card>
  );
}

type Decides = (given: Pick<DecidePersonRequestRequest, "assertion" | "code" | "reason">) => Promise<void>;

interface ProofProps {
  readonly act: PersonRequest["act"];
  readonly decide: Decides;
}

/** The session is enough: nothing changes for the record, and what a passkey signs would pass for a confirmation. */
function Refuse({ act, decide }: ProofProps) {
  const task = useTask();
  const [reason, setReason] = useState("");
  return (
    <Form task={task} onSend={() => decide(reason.trim() === "" ? {} : { reason: reason.trim() })}>
      <TextField
        label="Reason (optional)"
        name="reason"
        value={reason}
        onText={setReason}
        task={task}
        rows={2}
        maxLength={500}
        hint={`${act.org_name} can read it.`}
      />
      <div class="buttons">
        <ActionButton task={task} kind="danger">
          Refuse request
        </ActionButton>
      </div>
    </Form>
  );
}

/** Signs the act itself. */
function WithPasskey({ act, decide }: ProofProps) {
  const task = useTask();
  const passkeys = person.value?.passkeys ?? [];
  if (!isSupported) return <p class="quiet small">This browser does not support passkeys, so use a code.</p>;
  if (passkeys.length === 0) {
    return (
      <p class="quiet small">
        You have no passkey. A passkey signs the request itself, so that anyone can check it later.{" "}
        <a href={hrefOf("security")}>Add a passkey</a>, or use a code, which only shows that you can read the mail of your address.
      </p>
    );
  }
  const sign = async () => {
    const ids = passkeys.map(({ credential_id }) => credential_id);
    await decide({ assertion: await signAct(act.sha256, ids) });
  };
  return (
    <div class="stack tight">
      <div class="buttons">
        <ActionButton task={task} kind="primary" onAction={sign}>
          Confirm with passkey
        </ActionButton>
      </div>
      <ErrorNotice error={task.error} />
    </div>
  );
}

/** A code for this act alone. It is mailed to the address of the person, whatever is typed here. */
function WithCode({ act, decide }: ProofProps) {
  const task = useTask();
  const asking = useTask();
  const [requests, setRequests] = useState(0);
  const [code, setCode] = useState("");
  const late = useLateCode(requests, async () => (await call("GET /code", { query: { act_id: act.act_id } })).state);
  const email = person.value?.email ?? "";
  const isSent = requests > 0;
  const hasPasskey = isSupported && (person.value?.passkeys ?? []).length > 0;
  const send = async () => {
    await callOpen("POST /code", { body: { email, act_id: act.act_id } });
    setCode("");
    setRequests(requests + 1);
  };
  return (
    <div class="stack tight">
      {isSent && (
        <>
          <p role="status">We are sending a code for this request to {email}. At most 6 codes are sent per hour.</p>
          <p role="status">
            {late}
            {late !== "" && hasPasskey && " You can also confirm with your passkey."}
          </p>
          <Form task={task} onSend={() => decide({ code })}>
            <CodeField value={code} onText={setCode} task={task} />
            <div class="buttons">
              <ActionButton task={task} kind="primary">
                Confirm with code
              </ActionButton>
            </div>
          </Form>
        </>
      )}
      <div class="buttons">
        <ActionButton task={asking} onAction={send}>
          {isSent ? "Send another code" : "Send me a code"}
        </ActionButton>
      </div>
      <ErrorNotice error={asking.error} />
    </div>
  );
}
