import type { NewTotp } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { ApiError, readData } from "../../http.ts";
import { mail } from "../boot.ts";
import { type AnyGiven, methodOf, type OperationId, urlOf } from "../operations.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Copy } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { useSending } from "../sending.ts";
import { logOut, me, type Question } from "../session.ts";
import { en } from "../words/factors/en.ts";
import { isAlreadyConfirmed } from "./already-confirmed.ts";
import { LateCode } from "./late-code.tsx";
import { QrCode } from "./qr-code.tsx";

const words = en.enroll;

/** Not with `call`, which would ask the user to confirm who they are with the dialog that is already open. */
const send = <T,>(operation: OperationId, given: AnyGiven & { readonly body: object }): Promise<T> =>
  readData<T>(
    fetch(urlOf(operation, given), {
      method: methodOf(operation),
      headers: { "content-type": "application/json", authorization: `Bearer ${me().token}` },
      body: JSON.stringify(given.body),
    }),
  );

const isUnconfirmed = (error: unknown): boolean => error instanceof ApiError && error.code === "reauthentication_required";

/** For a member whose organization requires a second factor. The action that was refused goes on afterwards. */
export function Enrol({ question }: { question: Question }) {
  const sending = useSending();
  const [needsPassword, setNeedsPassword] = useState(false);
  const [password, setPassword] = useState("");
  const [made, setMade] = useState<NewTotp | null>(null);
  const [code, setCode] = useState("");
  const [emailCode, setEmailCode] = useState("");
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const { email } = me().user;
  const begin = async () => {
    if (needsPassword) await send("confirm_identity", { body: { password } });
    try {
      setMade(await send<NewTotp>("add_totp", { body: {} }));
    } catch (error) {
      if (!isUnconfirmed(error)) throw error;
      setNeedsPassword(true);
    }
  };
  const confirm = async ({ factor_id }: NewTotp) => {
    const body = { code: code.replace(/\s/g, ""), email_code: emailCode.replace(/\s/g, "") };
    try {
      const { recovery_codes = [] } = await send<{ recovery_codes?: string[] }>("confirm_factor", { params: { factor_id }, body });
      setCodes(recovery_codes);
    } catch (error) {
      if (!isAlreadyConfirmed(error)) throw error;
      question.answer(me());
    }
  };
  const leave = () =>
    sending.run(async () => {
      await logOut();
      question.answer(null);
    });
  const signOut = (
    <button type="button" class="button" onClick={() => void leave()}>
      {words.signOut}
    </button>
  );
  if (codes !== null)
    return (
      <SecretOnce
        title={en.codes.title}
        lead={en.codes.lead}
        secret={codes.join("\n")}
        what={en.codes.what}
        onClose={() => question.answer(me())}
      />
    );
  return (
    <Dialog title={words.title} onClose={() => void leave()}>
      {made === null ? (
        <Form key="begin" sending={sending} onSend={begin}>
          <p>{words.lead}</p>
          {needsPassword && (
            <TextField
              label={words.password(email)}
              name="password"
              type="password"
              autoComplete="current-password"
              hint={words.again}
              value={password}
              onText={setPassword}
              sending={sending}
            />
          )}
          <div class="buttons end">
            {signOut}
            <SubmitButton sending={sending}>{en.setUp.begin}</SubmitButton>
          </div>
        </Form>
      ) : (
        <Form key="code" sending={sending} onSend={() => confirm(made)}>
          <p>{en.setUp.lead}</p>
          <QrCode text={made.otpauth_url} />
          <p>{en.setUp.byHand}</p>
          <div class="secret">
            <code>{made.secret}</code>
            <Copy text={made.secret} what={en.setUp.secret} />
          </div>
          <TextField
            label={en.setUp.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            value={code}
            onText={setCode}
            sending={sending}
          />
          <TextField
            label={words.emailCode}
            name="email_code"
            inputMode="numeric"
            autoComplete="off"
            hint={mail === "server" ? words.mailed(email) : words.printed}
            value={emailCode}
            onText={setEmailCode}
            sending={sending}
          />
          {mail === "server" && <LateCode requests={1} command={`users code ${email}`} />}
          <div class="buttons end">
            {signOut}
            <SubmitButton sending={sending}>{en.setUp.button}</SubmitButton>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
