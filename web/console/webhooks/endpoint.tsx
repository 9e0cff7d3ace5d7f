import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { showToast } from "../parts/toast.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/webhooks/en.ts";
import { DeliveryLog } from "./delivery-log.tsx";
import { Details } from "./details.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import type { Notice } from "./notice.ts";
import { Success } from "./success.tsx";
import { HealthNotice, nameOf } from "./words.tsx";

const tabs = [
  ["deliveries", words.tabs.deliveries],
  ["details", words.tabs.details],
] as const;

function tell({ words: text, undo }: Notice): void {
  const button = undo !== undefined && (
    <button type="button" class="button" onClick={undo}>
      {words.undo}
    </button>
  );
  showToast(text, button === false ? undefined : button);
}

export function EndpointScreen({ params: { endpoint_id = "" } }: ScreenProps) {
  const params = { endpoint_id };
  const loaded = useLoad(endpoint_id, () => call("get_endpoint", { params }));
  const endpoint = loaded.data;
  return (
    <Screen title={endpoint === null ? words.one : nameOf(endpoint)} above={<Link to="/webhooks">{words.title}</Link>}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {endpoint === null && loaded.isSlow && <Skeleton />}
      {endpoint !== null && (
        <>
          <HealthNotice of={endpoint} />
          <RequirePermission needs="webhooks:write" to={words.role}>
            <EndpointActions of={endpoint} onChanged={loaded.put} onNotice={tell} />
          </RequirePermission>
          <Tabs label={words.tabs.label} tabs={tabs}>
            {(tab) =>
              tab === "deliveries" ? (
                <>
                  <Success endpoint_id={endpoint_id} />
                  <DeliveryLog of={endpoint} onNotice={tell} />
                  <ApiCall operation="list_deliveries" given={{ params, query: { status: "failed" } }} />
                </>
              ) : (
                <Details of={endpoint} onChanged={loaded.reload} onNotice={tell} />
              )
            }
          </Tabs>
        </>
      )}
    </Screen>
  );
}
