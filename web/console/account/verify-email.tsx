import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { mail } from "../boot.ts";
import { Act, Submit } from "../parts/button.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Told } from "../parts/told.tsx";
import { Trouble } from "../parts/trouble.tsx";
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
      <Told>{isMailed && `A mail with a code is on its way to ${email}. The code works for 10 minutes.`}</Told>
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
            <Submit sending={verifying}>Verify</Submit>
          </div>
        </Form>
      )}
      <div class="buttons">
        <Act sending={mailing} onAct={mailCode} kind={isMailed ? "plain" : "primary"}>
          {isMailed ? "Mail a new code" : "Mail me a code"}
        </Act>
      </div>
      <Trouble of={mailing.error} />
    </>
  );
}
