import { useState } from "preact/hooks";
import { isSupported } from "../../passkeys.ts";
import { callOpen } from "../api.ts";
import { ActionButton, CodeField, ErrorNotice, Form, Screen, TextField } from "../parts.tsx";
import { place } from "../route.ts";
import { person } from "../session.ts";
import { useTask } from "../task.ts";
import { useLateCode } from "../use-late-code.ts";
import { begin, logInByPasskey } from "../visit.ts";

/** By a code that is mailed, or by passkey. `isAgain`: the session ended while the person was working. */
export function LogIn({ isAgain = false }: { isAgain?: boolean }) {
  const [email, setEmail] = useState(isAgain ? (person.peek()?.email ?? "") : "");
  const [isCodeStep, setCodeStep] = useState(false);
  return (
    <div class="party-card">
      <Screen title={isAgain ? "Log in again" : "Log in"} lead={leadOf(isAgain)}>
        {isCodeStep ? (
          <CodeStep email={email} onBack={() => setCodeStep(false)} />
        ) : (
          <AddressStep email={email} onText={setEmail} onSent={() => setCodeStep(true)} />
        )}
        {!isCodeStep && <ByPasskey />}
      </Screen>
    </div>
  );
}

function leadOf(isAgain: boolean): string {
  if (isAgain)
    return "Your session has ended. A session lasts at most 30 minutes. Log in to continue where you were. What you entered is still here.";
  if (place.value.screen === "request") return "Log in to read the request and decide on it.";
  return "For people who confirm requests for a bank or another party of a vaulted record.";
}

interface AddressStepProps {
  readonly email: string;
  readonly onText: (email: string) => void;
  readonly onSent: () => void;
}

function AddressStep({ email, onText, onSent }: AddressStepProps) {
  const task = useTask();
  const send = async () => {
    await callOpen("POST /code", { body: { email: email.trim() } });
    onSent();
  };
  return (
    <Form task={task} onSend={send}>
      <TextField
        label="E-mail address"
        name="email"
        type="email"
        inputMode="email"
        autoComplete="email"
        value={email}
        onText={onText}
        task={task}
        hint="The address that received the request."
      />
      <ActionButton task={task} kind="primary" wide>
        Send code
      </ActionButton>
    </Form>
  );
}

function CodeStep({ email, onBack }: { email: string; onBack: () => void }) {
  const task = useTask();
  const again = useTask();
  const [code, setCode] = useState("");
  const [requests, setRequests] = useState(1);
  const late = useLateCode(requests, null);
  const address = email.trim();
  const logIn = async () => begin(await callOpen("POST /session", { body: { email: address, code } }), "code");
  const sendAgain = async () => {
    await callOpen("POST /code", { body: { email: address } });
    setCode("");
    setRequests(requests + 1);
  };
  return (
    <>
      <p role="status">
        {requests > 1 ? "Requested again. Only the newest code works. " : ""}If {address} belongs to a person who acts for a party, we have
        sent a code there. At most 6 codes are sent per hour.
      </p>
      <p role="status">
        {late}
        {late !== "" && isSupported && " If you have a passkey, go back and log in with it."}
      </p>
      <Form task={task} onSend={logIn}>
        <CodeField value={code} onText={setCode} task={task} />
        <ActionButton task={task} kind="primary" wide>
          Log in
        </ActionButton>
      </Form>
      <div class="buttons">
        <ActionButton task={again} onAction={sendAgain}>
          Send another code
        </ActionButton>
        <button type="button" class="button" onClick={onBack}>
          Back
        </button>
      </div>
      <ErrorNotice error={again.error} />
    </>
  );
}

function ByPasskey() {
  const task = useTask();
  if (!isSupported) return <p class="quiet small">This browser does not support passkeys. Use a code.</p>;
  return (
    <>
      <p class="party-or quiet small">or</p>
      <ActionButton task={task} onAction={logInByPasskey} wide>
        Log in with passkey
      </ActionButton>
      <ErrorNotice error={task.error} />
    </>
  );
}
