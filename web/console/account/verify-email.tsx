import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { mail } from "../boot.ts";
import { ActionButton, SubmitButton } from "../parts/button.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { useSending } from "../sending.ts";

interface VerifyEmailProps {
  readonly email: string;
  readonly onVerified: () => void;
}

/** Proves the address of the person who is signed in: by a code in the mail, or by the operator where no mail is sent. */
export function VerifyEmail({ email, onVerified }: VerifyEmailProps) {
  if (mail === "outbox") {
    return (
      <p>
        No mail server is set up here. Ask the operator of this service to run: <code>npx countersign users verify {email}</code>
      </p>
    );
  }
  return <ByCode email={email} onVerified={onVerified} />;
}

function ByCode({ email, onVerified }: VerifyEmailProps) {
  const mailing = useSending();
  const verifying = useSending();
  const [isMailed, setMailed] = useState(false);
  const [code, setCode] = useState("");
  const mailCode = async () => {
    await call("send_email_code");
    verifying.clear();
    setCode("");
    setMailed(true);
  };
  const verify = async () => {
    await call("verify_email", { body: { code: code.trim() } });
    onVerified();
  };
  return (
    <>
      <StatusNotice>{isMailed && `A mail with a code is on its way to ${email}. The code works for 10 minutes.`}</StatusNotice>
      {isMailed && (
        <Form sending={verifying} onSend={verify}>
          <TextField
            label="Code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={6}
            value={code}
            onText={setCode}
            sending={verifying}
            hint="Six digits, from the mail."
          />
          <div class="buttons">
            <SubmitButton sending={verifying}>Verify</SubmitButton>
          </div>
        </Form>
      )}
      <div class="buttons">
        <ActionButton sending={mailing} onAction={mailCode} kind={isMailed ? "plain" : "primary"}>
          {isMailed ? "Mail a new code" : "Mail me a code"}
        </ActionButton>
      </div>
      <ErrorNotice error={mailing.error} />
    </>
  );
}
