import type { Act, ActDecision } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { clauseOf, isOpenAct, needName, sentence } from "../../act-words.ts";
import { ApiError } from "../../http.ts";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { AreaField } from "../parts/field.tsx";
import { may, me } from "../session.ts";
import { en } from "../words/acts/en.ts";
import { resultWords } from "./words.tsx";

const w = en.decide;

interface DecideProps {
  readonly act: Act;
  readonly onDone: (act: Act, words: string) => void;
  /** the act may have changed in the meantime */
  readonly onStale: () => Promise<void>;
}

/** What the signed-in member can do with an open act. */
export function Decide({ act, onDone, onStale }: DecideProps) {
  const [doing, setDoing] = useState<ActDecision | "cancel" | null>(null);
  const [reason, setReason] = useState("");
  if (!isOpenAct(act)) return null;
  const need = needOf(act);
  const mayCancel = act.org_name === null && may("control:write");
  const params = { act_id: act.act_id };
  const run = async (operate: () => Promise<Act>) => {
    try {
      const now = await operate();
      onDone(now, resultWords(now));
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) await onStale();
      throw error;
    }
  };
  const decide = (decision: ActDecision) => {
    const body = { decision, sha256: act.sha256, ...(decision === "refuse" && reason.trim() !== "" && { reason }) };
    return run(() => call("decide_act", { params, body }));
  };
  const close = () => setDoing(null);
  return (
    <Card title={w.yourDecision}>
      <p>{explain(act, need)}</p>
      <div class="buttons">
        {need !== null && (
          <>
            <button type="button" class="button primary" onClick={() => setDoing("confirm")}>
              {w.confirm}
            </button>
            <button type="button" class="button danger" onClick={() => setDoing("refuse")}>
              {w.refuse}
            </button>
          </>
        )}
        {mayCancel && (
          <button type="button" class="button" onClick={() => setDoing("cancel")}>
            {w.cancelAct}
          </button>
        )}
      </div>
      {doing === "confirm" && (
        <Confirm title={w.confirmAct} button={w.confirm} onConfirm={() => decide("confirm")} onClose={close}>
          <p>
            {sentence(w.youConfirmFor(need, clauseOf(act)))}
            {w.itTakesEffect}
          </p>
        </Confirm>
      )}
      {doing === "refuse" && (
        <Confirm title={w.refuseAct} button={w.refuse} kind="danger" onConfirm={() => decide("refuse")} onClose={close}>
          <p>
            {sentence(w.youRefuseFor(need, clauseOf(act)))}
            {w.theActEnds}
          </p>
          <AreaField label={w.reason} name="reason" value={reason} onText={setReason} maxLength={500} optional />
        </Confirm>
      )}
      {doing === "cancel" && (
        <Confirm
          title={w.cancelActQuestion}
          button={w.cancelAct}
          kind="danger"
          onConfirm={() => run(() => call("cancel_act", { params }))}
          onClose={close}
        >
          <p>{w.theActEndsAnd}</p>
        </Confirm>
      )}
    </Card>
  );
}

const isMine = ({ proposed_by }: Act): boolean => proposed_by.kind === "user" && proposed_by.id === me().user.user_id;

/** For whom the member can decide; null if the act asks no one that they can be. The service decides in the end. */
function needOf(act: Act): string | null {
  const open = act.needs.filter(({ asked, decided }) => asked && !decided);
  if (act.org_name !== null) return may("control:approve") && open.length > 0 ? me().org.name : null;
  if (isMine(act)) return null;
  const need =
    open.find(({ role, user_id }) => role === "custodian" && user_id === me().user.user_id) ??
    open.find(({ role }) => role === "admin" && may("control:approve"));
  if (need === undefined) return null;
  return need.role === "admin" ? w.yourOrganization : needName(need);
}

function explain(act: Act, need: string | null): string {
  if (need !== null) return w.youCanDecide(need);
  if (act.org_name !== null) return w.anAdminOf;
  if (isMine(act) && act.needs.some(({ role, decided }) => (role === "admin" || role === "custodian") && !decided))
    return w.youProposedThis;
  return w.thisActWaits;
}
