import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import { Tabs } from "../parts/tabs.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useLoad } from "../use-load.ts";
import { DeliveryLog } from "./delivery-log.tsx";
import { Details } from "./details.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import type { Notice } from "./notice.ts";
import { Success } from "./success.tsx";
import { HealthNotice, nameOf } from "./words.tsx";

const tabs = [
  ["deliveries", "Deliveries"],
  ["details", "Details and secret"],
] as const;

export function EndpointScreen({ params: { endpoint_id = "" } }: ScreenProps) {
  const params = { endpoint_id };
  const loaded = useLoad(endpoint_id, () => call("get_endpoint", { params }));
  const [notice, setNotice] = useState<Notice>({ words: "" });
  const endpoint = loaded.data;
  return (
    <Screen title={endpoint === null ? "Webhook endpoint" : nameOf(endpoint)} above={<Link to="/webhooks">Webhooks</Link>}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {endpoint === null && loaded.isSlow && <Skeleton />}
      <div class={notice.words === "" ? "hidden-visually" : "notice good with-undo"} role="status">
        {notice.words}
        {notice.undo !== undefined && (
          <button type="button" class="button quiet" onClick={notice.undo}>
            Undo
          </button>
        )}
      </div>
      {endpoint !== null && (
        <>
          <HealthNotice of={endpoint} />
          <RequireRole least="admin" to="change, test and replay">
            <EndpointActions of={endpoint} onChanged={loaded.put} onNotice={setNotice} />
          </RequireRole>
          <Tabs label="Sections of the endpoint" tabs={tabs}>
            {(tab) =>
              tab === "deliveries" ? (
                <>
                  <Success endpoint_id={endpoint_id} />
                  <DeliveryLog of={endpoint} onNotice={setNotice} />
                  <ApiCall operation="list_deliveries" given={{ params, query: { status: "failed" } }} />
                </>
              ) : (
                <Details of={endpoint} onChanged={loaded.reload} onNotice={setNotice} />
              )
            }
          </Tabs>
        </>
      )}
    </Screen>
  );
}
