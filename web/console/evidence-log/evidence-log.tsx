import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/evidence-log/en.ts";
import { Alarm } from "./alarm.tsx";
import { Keys } from "./keys.tsx";
import { LogState } from "./log-state.tsx";
import { Witnesses } from "./witnesses.tsx";

const w = en.evidenceLog;

/** What outsiders can hold this installation to: its log, the witnesses of the log, and its keys. */
export function EvidenceLog() {
  const loaded = useLoad("transparency", () => call("get_transparency"));
  const log = loaded.data;
  return (
    <Screen title={w.evidenceLog} lead={w.everyAuditEntry}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {log === null && loaded.isSlow && <Skeleton />}
      {log !== null && (
        <>
          <Alarm conflicts={log.conflicts} />
          <LogState log={log} />
          <Witnesses log={log} />
          <Keys log={log} />
        </>
      )}
      <ApiCall operation="get_transparency" />
    </Screen>
  );
}
