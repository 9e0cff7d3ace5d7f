import { passes, Refusal } from "../http.ts";
import { call } from "../session.ts";
import type { Identity, Questions } from "./api.ts";
import { note } from "./ceremony.ts";
import { readAgain, settle, wait } from "./conduct.ts";

/** The identity questions, and their answers. */

export const askQuestions = (): Promise<Questions> => call<Questions>("GET", "/kba");

export async function answerQuestions({ challenge_id }: Questions, answers: readonly { id: number; value: string }[]): Promise<boolean> {
  try {
    const identity = await call<Identity>("POST", "/kba", { body: { challenge_id, answers } });
    note.value = identity.state === "passed" ? null : "questions_wrong";
    await readAgain();
    return identity.state === "passed";
  } catch (error) {
    if (passes(error)) wait(error);
    else {
      await settle(error);
      if (error instanceof Refusal && error.code === "stale") note.value = "questions_over";
    }
    return false;
  }
}
