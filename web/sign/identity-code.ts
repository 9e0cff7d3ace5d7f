import type { SigningIdentityStep, StartedIdentityStep } from "@countersign/client/pages";
import { ApiError, isTemporary } from "../http.ts";
import type { CodeMailState } from "../late-code.ts";
import { handleError, refresh, refreshAfter } from "./actions.ts";
import { call } from "./api.ts";

/** Requests a code, and sends what the person entered. */

export type CodeMethod = Exclude<SigningIdentityStep["method"], "kba">;

/** `limited`: too many codes were requested. `failed`: the page shows the current state or can retry. */
export async function requestCode(method: CodeMethod): Promise<StartedIdentityStep | "limited" | "failed"> {
  try {
    return await call(`POST /identity/${method}/start`);
  } catch (error) {
    if (error instanceof ApiError && error.status === 429) return "limited";
    return failed(error);
  }
}

export const followCode = async (): Promise<CodeMailState> => (await call("GET /identity/email_code")).state;

/** The step after the code was checked. `over`: it no longer works. */
export async function enterCode(method: CodeMethod, challenge_id: string, code: string): Promise<SigningIdentityStep | "over" | "failed"> {
  try {
    const step = await call(`POST /identity/${method}/answer`, { body: { challenge_id, code } });
    if (step.state !== "required") await refresh();
    return step;
  } catch (error) {
    if (error instanceof ApiError && error.code === "stale") return "over";
    return failed(error);
  }
}

async function failed(error: unknown): Promise<"failed"> {
  if (isTemporary(error)) refreshAfter(error);
  else await handleError(error);
  return "failed";
}
