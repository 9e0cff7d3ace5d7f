import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { mail } from "../boot.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/open-links/en.ts";
import { LateCode } from "./late-code.tsx";

const words = en.verify;

interface VerifyEmailProps {
  readonly email: string;
  readonly onVerified: () => void;
}

/** Verifies the address of the signed-in user: with a code by e-mail, or by the operator if there is no mail server. */
export function VerifyEmail({ email, onVerified }: VerifyEmailProps) {
  if (mail === "outbox") {
    return (
      <p>
        {words.noMail} <code>npx countersign users verify {email}</code>
      </p>
    );
  }
  return <ByCode email={email} onVerified={onVerified} />;
}

function ByCode({ email, onVerified }: VerifyEmailProps) {
  const sendingCode = useSending();
  const verifying = useSending();
  const [requests, setRequests] = useState(0);
  const isSent = requests > 0;
  const [code, setCode] = useState("");
  const sendCode = async () => {
    await call("send_email_code");
    verifying.clear();
    setCode("");
    setRequests(requests + 1);
  };
  const verify = async () => {
    await call("verify_email", { body: { code: code.trim() } });
    onVerified();
  };
  return (
    <>
      <StatusNotice>{isSent && words.sent(email)}</StatusNotice>
      {isSent && (
        <Form sending={verifying} onSend={verify}>
          <TextField
            label={words.code}
            name="code"
            required
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={code}
            onText={setCode}
            sending={verifying}
            hint={words.codeHint}
          />
          <div class="buttons">
            <SubmitButton sending={verifying}>{words.button}</SubmitButton>
          </div>
        </Form>
      )}
      <LateCode requests={requests} command={`users verify ${email}`} />
      <div class="buttons">
        <ActionButton sending={sendingCode} onAction={sendCode} kind={isSent ? "plain" : "primary"}>
          {isSent ? words.again : words.send}
        </ActionButton>
      </div>
      <ErrorNotice error={sendingCode.error} />
    </>
  );
}
