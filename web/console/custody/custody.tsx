import { useState } from "preact/hooks";
import { query } from "../navigation.ts";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { usePeople } from "../vault/people.ts";
import { useWhenChanged } from "../when-changed.ts";
import { History } from "./history.tsx";
import { Incoming } from "./incoming.tsx";
import { Outgoing } from "./outgoing.tsx";

const TABS = [
  ["incoming", "For you"],
  ["outgoing", "Waiting for others"],
  ["history", "History"],
] as const;

/** Custody transfers. Custody changes only when the new custodian accepts. */
export function Custody() {
  const people = usePeople();
  const [message, setMessage] = useState("");
  const shown = query.value.get("tab");
  useWhenChanged(shown, () => setMessage(""));
  const shared = { people, say: setMessage };
  return (
    <Screen title="Custody" lead="Each vaulted original has one custodian. Custody changes only when the new custodian accepts.">
      <StatusNotice>{message}</StatusNotice>
      <Tabs label="Custody transfers" tabs={TABS}>
        {(tab) => (
          <>
            {tab === "incoming" && (
              <RequireRole least="member" orCustodian to="take custody">
                <Incoming {...shared} />
              </RequireRole>
            )}
            {tab === "outgoing" && <Outgoing {...shared} />}
            {tab === "history" && <History people={people} />}
          </>
        )}
      </Tabs>
    </Screen>
  );
}
