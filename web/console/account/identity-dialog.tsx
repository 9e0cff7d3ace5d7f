import type { PasskeyAssertion, SecondFactorMethod } from "@countersign/client/types";
import { useEffect, useRef, useState } from "preact/hooks";
import { askToLogIn, isSupported } from "../../passkeys.ts";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox, TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { lazy } from "../parts/lazy.tsx";
import { refusedFields } from "../refused-fields.ts";
import { type Sending, useSending } from "../sending.ts";
import { me, post, type Question } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/identity/en.ts";
import { en as passkeys } from "../words/passkeys/en.ts";
import { en as sso } from "../words/sso/en.ts";
import { explained } from "./passkey-error.ts";
import { openWindow, whenFinished } from "./sso-window.ts";

/** Asks for the second step of a log-in, or for the password of a user who logged in a while ago. */
export function IdentityDialog({ question }: { question: Question }) {
  if (question.pending !== null) return <SecondFactor question={question} pending={question.pending} />;
  if (question.code === "enrollment_required") return <Enrol question={question} />;
  return me().sso_connection_id === undefined ? <ConfirmIdentity question={question} /> : <ConfirmBySso question={question} />;
}

const Enrol = lazy(async () => (await import("./enrol.tsx")).Enrol);

type Proof = { readonly code: string } | { readonly recovery_code: string };

interface CodeFieldProps {
  readonly sending: Sending;
  readonly proof: Proof;
  readonly onProof: (proof: Proof) => void;
  readonly hasRecovery: boolean;
}

const typed = (proof: Proof): Proof =>
  "code" in proof ? { code: proof.code.replace(/\s/g, "") } : { recovery_code: proof.recovery_code.trim() };

function CodeField({ sending, proof, onProof, hasRecovery }: CodeFieldProps) {
  const isCode = "code" in proof;
  return (
    <>
      {isCode ? (
        <TextField
          key="code"
          label={words.code}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          hint={words.codeHint}
          value={proof.code}
          onText={(code) => onProof({ code })}
          sending={sending}
        />
      ) : (
        <TextField
          key="recovery_code"
          label={words.recovery}
          name="recovery_code"
          autoComplete="off"
          hint={words.recoveryHint}
          value={proof.recovery_code}
          onText={(recovery_code) => onProof({ recovery_code })}
          sending={sending}
        />
      )}
      {hasRecovery && (
        <p>
          <button
            type="button"
            class="button quiet"
            onClick={() => {
              sending.clear();
              onProof(isCode ? { recovery_code: "" } : { code: "" });
            }}
          >
            {isCode ? words.useRecovery : words.useCode}
          </button>
        </p>
      )}
    </>
  );
}

interface PasskeyButtonProps {
  readonly sending: Sending;
  /** It has the focus when the dialog opens. */
  readonly isFirst?: boolean;
  readonly onSigned: (passkey: PasskeyAssertion) => Promise<unknown>;
}

/** Asks the browser for a passkey, and passes on what it signed. */
function PasskeyButton({ sending, isFirst = false, onSigned }: PasskeyButtonProps) {
  if (!isSupported) return null;
  const use = async () => {
    const { challenge } = await post("start_passkey", {});
    await onSigned(await explained(askToLogIn(challenge)));
  };
  return (
    // biome-ignore lint/a11y/noAutofocus: in a dialog that was just opened, for a user who has only passkeys
    <button type="button" class="button wide" autoFocus={isFirst} disabled={sending.isBusy} onClick={() => void sending.run(use)}>
      {passkeys.use}
    </button>
  );
}

function Buttons({ sending, question, button }: { sending: Sending; question: Question; button: string }) {
  return (
    <div class="buttons end">
      <button type="button" class="button" onClick={() => question.answer(null)}>
        {words.cancel}
      </button>
      <SubmitButton sending={sending}>{button}</SubmitButton>
    </div>
  );
}

function SecondFactor({ question, pending }: { question: Question; pending: NonNullable<Question["pending"]> }) {
  const sending = useSending();
  const [proof, setProof] = useState<Proof>(pending.methods.includes("totp") ? { code: "" } : { recovery_code: "" });
  const [isRemembered, setRemembered] = useState(false);
  const { login_token, remember_device_days: days } = pending;
  const has = (method: SecondFactorMethod) => pending.methods.includes(method);
  const finish = async (by: Proof | { readonly passkey: PasskeyAssertion }) =>
    question.answer(await post("finish_log_in", { login_token, ...by, ...(isRemembered && { remember_device: true }) }));
  return (
    <Dialog title={has("totp") ? words.second.title : words.second.titlePasskey} onClose={() => question.answer(null)}>
      <p>{!has("totp") ? words.second.noApp : "code" in proof ? words.second.lead : words.second.leadRecovery}</p>
      {has("passkey") && <PasskeyButton sending={sending} isFirst={!has("totp")} onSigned={(passkey) => finish({ passkey })} />}
      <Form sending={sending} onSend={() => finish(typed(proof))}>
        <CodeField sending={sending} proof={proof} onProof={setProof} hasRecovery={has("totp") && has("recovery_code")} />
        {days > 0 && <Checkbox label={words.second.remember(days)} checked={isRemembered} onCheck={setRemembered} />}
        <Buttons sending={sending} question={question} button={words.second.button} />
      </Form>
    </Dialog>
  );
}

/** The session began with single sign-on, so the provider asks the user again, in a window of its own. */
function ConfirmBySso({ question }: { question: Question }) {
  const sending = useSending();
  const waiting = useRef(new AbortController()).current;
  useEffect(() => () => waiting.abort(), []);
  const confirm = async () => {
    const other = openWindow();
    if (other === null) throw refusedFields(sso.confirm.blocked, []);
    const finished = whenFinished(waiting.signal);
    try {
      other.location.href = (await post("start_sso", { purpose: "confirm" }, me().token)).redirect_url;
    } catch (error) {
      other.close();
      throw error;
    }
    const result = await finished;
    if (result === null) return;
    if (result.status !== "confirmed") throw refusedFields(result.message ?? "", []);
    question.answer(me());
  };
  return (
    <Dialog title={words.confirm.title} onClose={() => question.answer(null)}>
      <p>{sso.confirm.lead}</p>
      <Form sending={sending} onSend={confirm}>
        <Buttons sending={sending} question={question} button={sso.confirm.button} />
      </Form>
    </Dialog>
  );
}

function ConfirmIdentity({ question }: { question: Question }) {
  const sending = useSending();
  const loaded = useLoad("own factors", () => call("get_factors"));
  const person = useLoad("me", () => call("get_me"));
  const hasPassword = person.data?.has_password !== false;
  const [password, setPassword] = useState("");
  const [proof, setProof] = useState<Proof>({ code: "" });
  const { email } = me().user;
  const factors = loaded.data?.factors ?? [];
  const needsCode = factors.length > 0;
  const hasApp = factors.some(({ kind }) => kind === "totp");
  const shown: Proof = hasApp || "recovery_code" in proof ? proof : { recovery_code: "" };
  const confirm = async () => {
    await call("confirm_identity", { body: { password, ...(needsCode && typed(shown)) } });
    question.answer(me());
  };
  const confirmBy = async (passkey: PasskeyAssertion) => {
    await call("confirm_identity", { body: { passkey } });
    question.answer(me());
  };
  return (
    <Dialog title={words.confirm.title} onClose={() => question.answer(null)}>
      <p>{words.confirm.lead}</p>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      <ErrorNotice error={person.error} onRetry={person.reload} />
      {factors.some(({ kind }) => kind === "passkey") && <PasskeyButton sending={sending} onSigned={confirmBy} />}
      {!hasPassword && <PasskeyOnly sending={sending} question={question} />}
      {hasPassword && (
        <Form sending={sending} onSend={confirm}>
          <input class="hidden-visually" type="email" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden="true" />
          <TextField
            label={words.confirm.password(email)}
            name="password"
            type="password"
            autoComplete="current-password"
            value={password}
            onText={setPassword}
            sending={sending}
          />
          {needsCode && (
            <CodeField
              sending={sending}
              proof={shown}
              onProof={setProof}
              hasRecovery={hasApp && loaded.data !== null && loaded.data.recovery_codes_left > 0}
            />
          )}
          <Buttons sending={sending} question={question} button={words.confirm.button} />
        </Form>
      )}
    </Dialog>
  );
}

/** For a user without a password: the button above is the only way to confirm. */
function PasskeyOnly({ sending, question }: { sending: Sending; question: Question }) {
  return (
    <>
      <ErrorNotice error={sending.error} />
      <div class="buttons end">
        <button type="button" class="button" onClick={() => question.answer(null)}>
          {words.cancel}
        </button>
      </div>
    </>
  );
}
