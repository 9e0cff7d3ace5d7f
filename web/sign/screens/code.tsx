import type { SigningIdentityStep, StartedIdentityStep } from "@countersign/client/pages";
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../../i18n/i18n.ts";
import { lazyWords } from "../../i18n/lazy/lazy.ts";
import { type CodeMailState, whenLate } from "../../late-code.ts";
import { opened } from "../ceremony.ts";
import { type CodeMethod, enterCode, followCode, requestCode } from "../identity-code.ts";
import { Heading } from "./heading.tsx";

const lateWords = (state: CodeMailState, sender: string): string => {
  const { codeNotSent, codeFailed, codeLate } = lazyWords.value;
  return (state === "queued" ? codeNotSent : state === "failed" ? codeFailed : codeLate)(sender);
};

/** A code that the person enters: from an e-mail, or agreed on with the sender. */
export function CodeTask({ step }: { readonly step: SigningIdentityStep }) {
  const method = step.method as CodeMethod;
  const isMailed = method === "email_code";
  const asked = useSignal<StartedIdentityStep | null>(null);
  const code = useSignal("");
  const said = useSignal("");
  const isBusy = useSignal(false);
  const late = useSignal("");
  const message = useRef<HTMLParagraphElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { sender = "" } = opened.value?.envelope ?? {};
  const sent = isMailed ? (asked.value?.resend_after ?? null) : null;
  useEffect(() => {
    late.value = "";
    if (sent === null) return;
    return whenLate(followCode, (state) => {
      late.value = lateWords(state, sender);
    });
  }, [sent]);
  const tell = (text: string) => {
    said.value = text;
    requestAnimationFrame(() => message.current?.focus());
  };
  const request = async (): Promise<StartedIdentityStep | null> => {
    const before = asked.value;
    const started = await requestCode(method);
    if (started === "failed") return null;
    if (started === "limited") {
      tell(lazyWords.value.codeLimited);
      return null;
    }
    asked.value = started;
    if (!isMailed) return started;
    // The same time as before: nothing was sent.
    if (before !== null) tell(before.resend_after === started.resend_after ? lazyWords.value.codeWait : lazyWords.value.codeAnother);
    else requestAnimationFrame(() => input.current?.focus());
    return started;
  };
  const during = async (act: () => Promise<unknown>) => {
    if (isBusy.value) return;
    isBusy.value = true;
    said.value = "";
    await act();
    isBusy.value = false;
  };
  const enter = async () => {
    if (code.value.trim() === "") return tell(lazyWords.value.codeMissing);
    const started = asked.value ?? (await request());
    if (started === null) return;
    const entered = await enterCode(method, started.challenge_id, code.value);
    if (entered === "failed") return;
    code.value = "";
    if (entered === "over" || (isMailed && entered.attempts_left === 0)) {
      asked.value = null;
      tell(lazyWords.value.codeOver);
    } else if (entered.state === "required") tell(lazyWords.value.questionsWrong(entered.attempts_left ?? 0));
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void during(isMailed && asked.value === null ? request : enter);
  };
  const isAsking = !isMailed || asked.value !== null;
  return (
    <form class="stack" onSubmit={submit} autocomplete="off">
      <div class="stack tight">
        <Heading>{lazyWords.value.questionsTitle}</Heading>
        <p>
          {step.state === "expired" && `${lazyWords.value.codeExpired} `}
          {isMailed ? lazyWords.value.codeLead(step.hint ?? "") : lazyWords.value.accessCodeLead(sender)}
        </p>
      </div>
      {isAsking && (
        <div>
          <label class="label" for="identity-code">
            {isMailed ? lazyWords.value.codeLabel : lazyWords.value.accessCodeLabel}
          </label>
          <input
            id="identity-code"
            ref={input}
            class="input"
            type="text"
            inputMode={isMailed ? "numeric" : "text"}
            maxLength={200}
            autocomplete={isMailed ? "one-time-code" : "off"}
            value={code.value}
            onInput={(event) => (code.value = event.currentTarget.value)}
          />
        </div>
      )}
      <p role="status">{late.value}</p>
      <p class="error" role="alert" tabIndex={-1} ref={message}>
        {said.value}
      </p>
      <button type="submit" class="button primary wide" disabled={isBusy.value}>
        {isAsking ? words.value.continue : lazyWords.value.codeSend}
      </button>
      {isMailed && isAsking && (
        <button type="button" class="button wide" disabled={isBusy.value} onClick={() => void during(request)}>
          {lazyWords.value.codeSendAgain}
        </button>
      )}
    </form>
  );
}
