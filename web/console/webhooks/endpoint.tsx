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
import { EndpointActs } from "./acts.tsx";
import { DeliveryLog } from "./delivery-log.tsx";
import { Details } from "./details.tsx";
import type { Said } from "./said.ts";
import { Success } from "./success.tsx";
import { HealthNotice, nameOf } from "./words.tsx";

const tabs = [
  ["deliveries", "Deliveries"],
  ["details", "Details and secret"],
] as const;

export function EndpointScreen({ params: { endpoint_id = "" } }: ScreenProps) {
  const params = { endpoint_id };
  const loaded = useLoad(endpoint_id, () => call("get_endpoint", { params }));
  const [said, setSaid] = useState<Said>({ words: "" });
  const endpoint = loaded.data;
  return (
    <Screen title={endpoint === null ? "Webhook endpoint" : nameOf(endpoint)} above={<Link to="/webhooks">Webhooks</Link>}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {endpoint === null && loaded.isSlow && <Skeleton />}
      <div class={said.words === "" ? "hidden-visually" : "notice good said"} role="status">
        {said.words}
        {said.undo !== undefined && (
          <button type="button" class="button quiet" onClick={said.undo}>
            Undo
          </button>
        )}
      </div>
      {endpoint !== null && (
        <>
          <HealthNotice of={endpoint} />
          <RequireRole least="admin" to="change, test and replay">
            <EndpointActs of={endpoint} onChanged={loaded.put} onSaid={setSaid} />
          </RequireRole>
          <Tabs label="Sections of the endpoint" tabs={tabs}>
            {(tab) =>
              tab === "deliveries" ? (
                <>
                  <Success endpoint_id={endpoint_id} />
                  <DeliveryLog of={endpoint} onSaid={setSaid} />
                  <ApiCall operation="list_deliveries" given={{ params, query: { status: "failed" } }} />
                </>
              ) : (
                <Details of={endpoint} onChanged={loaded.reload} onSaid={setSaid} />
              )
            }
          </Tabs>
        </>
      )}
    </Screen>
  );
}
