import type { CodeMail } from "@countersign/client/pages";
import { useEffect, useState } from "preact/hooks";
import { readData } from "../../http.ts";
import { type CodeMailState, whenLate } from "../../late-code.ts";
import { urlOf } from "../operations.ts";
import { me } from "../session.ts";
import { en as words } from "../words/late-code/en.ts";

interface LateCodeProps {
  /** how often a code was requested: each time, the half minute begins again */
  readonly requests: number;
  /** the command with which the operator helps */
  readonly command: string;
}

/** For a mailed code that has not been entered after half a minute: what became of the e-mail, and what else the user can do. */
export function LateCode({ requests, command }: LateCodeProps) {
  const [state, setState] = useState<NonNullable<CodeMailState> | null>(null);
  useEffect(() => {
    setState(null);
    if (requests === 0) return;
    return whenLate(follow, (found) => setState(found ?? "sent"));
  }, [requests]);
  return (
    <p role="status">
      {state !== null && (
        <>
          {words[state]} {words.operator} <code>npx countersign {command}</code>
        </>
      )}
    </p>
  );
}

/** At the address where the code was requested. Not with `call`, which would ask who the user is where that dialog is already open. */
async function follow(): Promise<CodeMailState> {
  return (await readData<CodeMail>(fetch(urlOf("send_email_code"), { headers: { authorization: `Bearer ${me().token}` } }))).state;
}
