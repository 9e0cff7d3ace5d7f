import type { Factor, NewTotp, PasskeyRegistration } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { ApiError } from "../../http.ts";
import { isSupported, makePasskey } from "../../passkeys.ts";
import { call } from "../api.ts";
import { mail } from "../boot.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Copy } from "../parts/copy.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { Pending } from "../parts/pending.tsx";
import { SecretOnce } from "../parts/secret.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { type Sending, useSending } from "../sending.ts";
import { me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as account } from "../words/account/en.ts";
import { en as words } from "../words/factors/en.ts";
import { en as passkeys } from "../words/passkeys/en.ts";
import { isAlreadyConfirmed } from "./already-confirmed.ts";
import { EndOthers } from "./end-others.tsx";
import { LateCode } from "./late-code.tsx";
import { explained } from "./passkey-error.ts";
import { QrCode } from "./qr-code.tsx";

const MOST_APPS = 2;
const MOST_PASSKEYS = 10;

const passkeysOf = (factors: readonly Factor[]): number => factors.filter(({ kind }) => kind === "passkey").length;

type Open = { readonly act: "add" | "passkey" } | { readonly act: "remove"; readonly factor: Factor } | { readonly act: "renew" };

/** The user's own authenticator apps and recovery codes. */
export function OwnFactors() {
  const loaded = useLoad("own factors", () => call("get_factors"));
  const person = useLoad("me", () => call("get_me"));
  const due = person.data?.second_factor_due_at ?? null;
  const [open, setOpen] = useState<Open | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [isChanged, setChanged] = useState(false);
  const factors = loaded.data?.factors ?? [];
  const close = () => setOpen(null);
  const remove = async ({ factor_id, name }: Factor) => {
    await call("remove_factor", { params: { factor_id } });
    showToast(words.removed(name));
    setChanged(true);
    await loaded.reload();
  };
  const renew = async () => {
    setCodes((await call("renew_recovery_codes")).recovery_codes);
    await loaded.reload();
  };
  const added = async (name: string, recovery_codes: readonly string[] | null, areCodesLost = false) => {
    // Codes that were made and never shown are replaced at once.
    if (areCodesLost && factors.length === 0) setOpen({ act: "renew" });
    else close();
    setCodes(recovery_codes);
    showToast(words.setUp.added(name));
    setChanged(true);
    await Promise.all([loaded.reload(), person.reload()]);
  };
  return (
    <Card title={words.title}>
      <Pending of={loaded} />
      {loaded.data !== null && <p class="quiet">{factors.length === 0 ? words.none : words.some}</p>}
      {due !== null && (
        <p class="notice">
          {words.due} <When at={due} />
        </p>
      )}
      {factors.length > 0 && <Apps factors={factors} onRemove={(factor) => setOpen({ act: "remove", factor })} />}
      {factors.length > 0 && <p>{words.left(loaded.data?.recovery_codes_left ?? 0)}</p>}
      {loaded.data !== null && (
        <div class="buttons">
          {isSupported && passkeysOf(factors) < MOST_PASSKEYS && (
            <button type="button" class="button" onClick={() => setOpen({ act: "passkey" })}>
              {passkeys.add}
            </button>
          )}
          {factors.length - passkeysOf(factors) < MOST_APPS && (
            <button type="button" class="button" onClick={() => setOpen({ act: "add" })}>
              {factors.length === passkeysOf(factors) ? words.add : words.addMore}
            </button>
          )}
          {factors.length > 0 && (
            <button type="button" class="button" onClick={() => setOpen({ act: "renew" })}>
              {words.renew}
            </button>
          )}
        </div>
      )}
      {isChanged && (
        <div class="notice stack tight">
          <p>{account.sessions.others.offer}</p>
          <EndOthers onEnded={async () => setChanged(false)} />
        </div>
      )}
      {open?.act === "passkey" && <AddPasskey onAdded={added} onClose={close} />}
      {open?.act === "add" && <AddApp onAdded={added} onClose={close} />}
      {open?.act === "remove" && (
        <Confirm
          title={words.removeTitle(open.factor.name)}
          button={words.remove}
          kind="danger"
          onConfirm={() => remove(open.factor)}
          onClose={close}
        >
          {factors.length === 1 ? words.removeLast : words.removeText}
        </Confirm>
      )}
      {open?.act === "renew" && (
        <Confirm title={words.renewTitle} button={words.renew} onConfirm={renew} onClose={close}>
          {words.renewText}
        </Confirm>
      )}
      {codes !== null && (
        <SecretOnce
          title={words.codes.title}
          lead={words.codes.lead}
          secret={codes.join("\n")}
          what={words.codes.what}
          onClose={() => setCodes(null)}
        />
      )}
    </Card>
  );
}

function Apps({ factors, onRemove }: { factors: readonly Factor[]; onRemove: (factor: Factor) => void }) {
  return (
    <div class="table-box">
      <table class="table">
        <caption class="hidden-visually">{words.caption}</caption>
        <thead>
          <tr>
            <th scope="col">{words.columns.name}</th>
            <th scope="col">{words.columns.kind}</th>
            <th scope="col">{words.columns.added}</th>
            <th scope="col">{words.columns.used}</th>
            <th scope="col">{words.columns.actions}</th>
          </tr>
        </thead>
        <tbody>
          {factors.map((factor) => (
            <tr key={factor.factor_id}>
              <th scope="row">{factor.name}</th>
              <td data-head={words.columns.kind}>{words.kinds[factor.kind]}</td>
              <td data-head={words.columns.added}>
                <When at={factor.created_at} />
              </td>
              <td data-head={words.columns.used}>{factor.last_used_at !== null && <When at={factor.last_used_at} />}</td>
              <td data-head={words.columns.actions}>
                <button type="button" class="button" aria-label={words.removeLabel(factor.name)} onClick={() => onRemove(factor)}>
                  {words.remove}
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The code that the service asks for while another organization of the user waits for their first factor. */
interface EmailCodeState {
  readonly isAsked: boolean;
  readonly text: string;
  readonly setText: (text: string) => void;
  /** for the request */
  readonly given: { readonly email_code?: string };
  /** Whether the request was refused for want of the code; then it is asked for. */
  isMissing(error: unknown): boolean;
}

function useEmailCode(): EmailCodeState {
  const [isAsked, setAsked] = useState(false);
  const [text, setText] = useState("");
  const isMissing = (error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== "email_code_required") return false;
    setAsked(true);
    return true;
  };
  return { isAsked, text, setText, given: isAsked ? { email_code: text.replace(/\s/g, "") } : {}, isMissing };
}

function EmailCode({ email, sending }: { readonly email: EmailCodeState; readonly sending: Sending }) {
  if (!email.isAsked) return null;
  return (
    <>
      <p class="notice">{words.enroll.elsewhere}</p>
      <TextField
        label={words.enroll.emailCode}
        name="email_code"
        inputMode="numeric"
        autoComplete="off"
        autoFocus
        hint={mail === "server" ? words.enroll.mailed(me().user.email) : words.enroll.printed}
        value={email.text}
        onText={email.setText}
        sending={sending}
      />
      {mail === "server" && <LateCode requests={1} command={`users code ${me().user.email}`} />}
    </>
  );
}

function AddPasskey({ onAdded, onClose }: AddAppProps) {
  const sending = useSending();
  const [name, setName] = useState<string>(passkeys.defaultName);
  const email = useEmailCode();
  // What the browser made, while the code from the e-mail is missing.
  const [made, setMade] = useState<PasskeyRegistration | null>(null);
  const add = async () => {
    const credential = made ?? (await explained(makePasskey(await call("offer_account_passkey"))));
    setMade(null);
    try {
      const { recovery_codes } = await call("add_account_passkey", { body: { credential, name, ...email.given } });
      await onAdded(name, recovery_codes ?? null);
    } catch (error) {
      if (!email.isMissing(error)) throw error;
      setMade(credential);
    }
  };
  return (
    <Dialog title={passkeys.addTitle} onClose={onClose}>
      <Form sending={sending} onSend={add}>
        <p>{passkeys.addLead}</p>
        <TextField label={passkeys.name} name="name" maxLength={60} value={name} onText={setName} sending={sending} />
        <EmailCode email={email} sending={sending} />
        <div class="buttons end">
          <button type="button" class="button" onClick={onClose}>
            {passkeys.cancel}
          </button>
          <SubmitButton sending={sending}>{passkeys.button}</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}

interface AddAppProps {
  readonly onAdded: (name: string, recovery_codes: readonly string[] | null, areCodesLost?: boolean) => Promise<void>;
  readonly onClose: () => void;
}

function AddApp({ onAdded, onClose }: AddAppProps) {
  const sending = useSending();
  const [name, setName] = useState<string>(words.setUp.defaultName);
  const [made, setMade] = useState<NewTotp | null>(null);
  const [code, setCode] = useState("");
  const email = useEmailCode();
  const begin = async () => setMade(await call("add_totp", { body: { name } }));
  const confirm = async ({ factor_id }: NewTotp) => {
    try {
      const body = { code: code.replace(/\s/g, ""), ...email.given };
      const { recovery_codes } = await call("confirm_factor", { params: { factor_id }, body });
      await onAdded(name, recovery_codes ?? null);
    } catch (error) {
      if (email.isMissing(error)) return;
      if (!isAlreadyConfirmed(error)) throw error;
      await onAdded(name, null, true);
    }
  };
  const cancel = (
    <button type="button" class="button" onClick={onClose}>
      {words.setUp.cancel}
    </button>
  );
  return (
    <Dialog title={words.setUp.title} onClose={onClose}>
      {made === null ? (
        <Form key="name" sending={sending} onSend={begin}>
          <TextField label={words.setUp.name} name="name" maxLength={60} value={name} onText={setName} sending={sending} />
          <div class="buttons end">
            {cancel}
            <SubmitButton sending={sending}>{words.setUp.begin}</SubmitButton>
          </div>
        </Form>
      ) : (
        <Form key="code" sending={sending} onSend={() => confirm(made)}>
          <p>{words.setUp.lead}</p>
          <QrCode text={made.otpauth_url} />
          <p>{words.setUp.byHand}</p>
          <div class="secret">
            <code>{made.secret}</code>
            <Copy text={made.secret} what={words.setUp.secret} />
          </div>
          <TextField
            label={words.setUp.code}
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            autoFocus
            value={code}
            onText={setCode}
            sending={sending}
          />
          <EmailCode email={email} sending={sending} />
          <div class="buttons end">
            {cancel}
            <SubmitButton sending={sending}>{words.setUp.button}</SubmitButton>
          </div>
        </Form>
      )}
    </Dialog>
  );
}
