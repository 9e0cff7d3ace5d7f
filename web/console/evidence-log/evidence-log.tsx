import { call } from "../api.ts";
import { ApiCall } from "../parts/api-call.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import { useLoad } from "../use-load.ts";
import { Alarm } from "./alarm.tsx";
import { Keys } from "./keys.tsx";
import { LogState } from "./log-state.tsx";
import { Witnesses } from "./witnesses.tsx";

/** What outsiders can hold this installation to: its log, the witnesses of the log, and its keys. */
export function EvidenceLog() {
  const loaded = useLoad("transparency", () => call("get_transparency"));
  const log = loaded.data;
  return (
    <Screen
      title="Evidence log"
      lead="Every audit entry of this installation is in one log, as a hash. Witnesses outside the installation cosign the log and refuse a second history."
    >
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
