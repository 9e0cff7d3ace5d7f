import type { IdentityAnswer, IdentityChallenge } from "@countersign/client/pages";
import { ApiError, isTemporary } from "../http.ts";
import { handleError, refresh, refreshAfter } from "./actions.ts";
import { call } from "./api.ts";
import { note } from "./ceremony.ts";

/** Loads the identity questions and sends the answers. */

export const loadQuestions = (): Promise<IdentityChallenge> => call("GET /kba");

export async function answerQuestions({ challenge_id }: IdentityChallenge, answers: readonly IdentityAnswer[]): Promise<boolean> {
  try {
    const identity = await call("POST /kba", { body: { challenge_id, answers } });
    note.value = identity.state === "passed" ? null : "questions_wrong";
    await refresh();
    return identity.state === "passed";
  } catch (error) {
    if (isTemporary(error)) refreshAfter(error);
    else {
      await handleError(error);
      if (error instanceof ApiError && error.code === "stale") note.value = "questions_over";
    }
    return false;
  }
}
