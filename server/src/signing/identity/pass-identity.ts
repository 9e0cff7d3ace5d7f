import { TEST_OPERATION } from "@countersign/evidence";
import { appendAudit } from "../../audit/append-audit.ts";
import type { Tx } from "../../db/sql.ts";
import type { WidgetCaller } from "../../shared/caller.ts";
import { isSandbox } from "../../shared/ids.ts";
import type { Slug } from "../../shared/slugs.ts";
import { ACTING, asRecipient, notNow } from "../builtin/ceremony.ts";
import type { SigningDeps } from "../submission.ts";
import { insertChallenge, insertResult } from "./kba/kba-store.ts";
import { partnerQuestions } from "./kba/partner-questions.ts";
import type { MethodName } from "./method.ts";
import { refuseUnasked } from "./refuse-unasked.ts";
import { insertCodeChallenge, insertCodeResult, listRequirementStates } from "./store.ts";

/**
 * Records every identity step of a person as passed, for an operation for tests: nothing was entered, and the entries say who recorded it.
 * Throws what the page would be told about a step that cannot be passed now.
 */
export async function passIdentity(deps: SigningDeps, who: WidgetCaller): Promise<void> {
  if (!isSandbox(who.org) || who.by_test !== true) throw new Error("only an operation for tests passes identity steps");
  await asRecipient(deps, who, ACTING, async (tx, ceremony, slug) => {
    let { identity } = ceremony;
    for (const { method, state } of ceremony.identity.steps) {
      if (state === "passed") continue;
      refuseUnasked({ ...ceremony, identity }, method);
      await (method === "kba" ? passQuestions(deps, tx, who, slug) : passCode(deps, tx, who, slug, method));
      identity = { ...identity, steps: identity.steps.map((step) => (step.method === method ? { ...step, state: "passed" } : step)) };
    }
  });
}

async function passCode(deps: SigningDeps, tx: Tx, who: WidgetCaller, slug: Slug, method: MethodName): Promise<void> {
  const { org, holder } = who;
  const { envelope_id, signing_session } = holder;
  const methods = deps.identityMethods;
  const asked = { slug, method: methods[method] };
  const required = (await listRequirementStates(methods, tx, org, slug, signing_session)).find((one) => one.method === method);
  const challenge = await insertCodeChallenge(tx, who, asked, required?.set_no ?? 0);
  await insertCodeResult(tx, org, asked, challenge, true);
  const data = { method, provider: TEST_OPERATION, signing_session };
  await appendAudit(tx, org, { type: "identity.passed", by: who, envelope_id, data });
}

async function passQuestions(deps: SigningDeps, tx: Tx, who: WidgetCaller, slug: Slug): Promise<void> {
  const { org, holder } = who;
  const { envelope_id, signing_session } = holder;
  const material = await partnerQuestions.materialFor(deps, tx, org, slug);
  if (material === null) throw notNow("identity_unavailable", "identity_unavailable", "the sender has not set your questions yet");
  const challenge = await insertChallenge(tx, who, slug, material.set_no);
  await insertResult(tx, org, slug, challenge, true, []);
  const data = { provider: partnerQuestions.name, set: material.set_no, questions: [], signing_session };
  await appendAudit(tx, org, { type: "kba.passed", by: who, envelope_id, data });
}
