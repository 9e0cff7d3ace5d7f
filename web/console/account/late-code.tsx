import type { CodeMail } from "@countersign/client/pages";
import { useEffect, useState } from "preact/hooks";
import { ApiError, readData, Unreachable } from "../../http.ts";
import { urlOf } from "../operations.ts";
import { me } from "../session.ts";
import { en as words } from "../words/late-code/en.ts";

const LATE_MS = 30_000;

interface LateCodeProps {
  /** how often a code was requested: each time, the half minute begins again */
  readonly requests: number;
  /** the command with which the operator helps */
  readonly command: string;
}

/** For a mailed code that has not been entered after half a minute: what became of the e-mail, and what else the user can do. */
export function LateCode({ requests, command }: LateCodeProps) {
  const [state, setState] = useState<NonNullable<CodeMail["state"]> | null>(null);
  useEffect(() => {
    setState(null);
    if (requests === 0) return;
    const look = async () => {
      const found = await follow();
      if (timer === null) return;
      setState(found ?? "sent");
      if (found === "queued") timer = setTimeout(look, LATE_MS);
    };
    let timer: ReturnType<typeof setTimeout> | null = setTimeout(look, LATE_MS);
    return () => {
      clearTimeout(timer ?? undefined);
      timer = null;
    };
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

/**
 * Null if the service cannot say now. Not with `call`, which would ask the user to confirm who they are where that dialog is already open.
 * At the address where the code was requested.
 */
async function follow(): Promise<CodeMail["state"]> {
  try {
    return (await readData<CodeMail>(fetch(urlOf("send_email_code"), { headers: { authorization: `Bearer ${me().token}` } }))).state;
  } catch (error) {
    if (error instanceof ApiError || error instanceof Unreachable) return null;
    throw error;
  }
}
