import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { showToast } from "../parts/toast.tsx";
import { usePeople } from "../vault/people.ts";
import { en } from "../words/custody/en.ts";
import { History } from "./history.tsx";
import { Incoming } from "./incoming.tsx";
import { Outgoing } from "./outgoing.tsx";

const w = en.custody;

const TABS = [
  ["incoming", w.forYou],
  ["outgoing", w.waitingForOthers],
  ["history", w.history],
] as const;

/** Custody transfers. Custody changes only when the new custodian accepts. */
export function Custody() {
  const people = usePeople();
  const shared = { people, say: showToast };
  return (
    <Screen title={w.custody} lead={w.eachVaultedOriginal}>
      <Tabs label={w.custodyTransfers} tabs={TABS}>
        {(tab) => (
          <>
            {tab === "incoming" && (
              <RequirePermission needs="custody:write" to={w.takeCustody}>
                <Incoming {...shared} />
              </RequirePermission>
            )}
            {tab === "outgoing" && <Outgoing {...shared} />}
            {tab === "history" && <History people={people} />}
          </>
        )}
      </Tabs>
    </Screen>
  );
}
