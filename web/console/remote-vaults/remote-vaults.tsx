import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { showToast } from "../parts/toast.tsx";
import { en } from "../words/remote-vaults/en.ts";
import { Transfers } from "./transfers.tsx";
import { Vaults } from "./vaults.tsx";

const w = en.remoteVaults;

const TABS = [
  ["in", w.transfersIn],
  ["out", w.transfersOut],
  ["vaults", w.pinnedVaults],
] as const;

/** Records that move to and from other installations, and the installations with which that is possible. */
export function RemoteVaults() {
  return (
    <Screen title={w.remoteVaults} lead={w.aRecordCan}>
      <Tabs label={w.remoteVaults} tabs={TABS}>
        {(tab) => (
          <>
            {tab === "in" && (
              <RequirePermission needs="vault:write" to={w.receiveRecords}>
                <Transfers key="in" direction="in" say={showToast} />
              </RequirePermission>
            )}
            {tab === "out" && (
              <RequirePermission needs="vault:release" to={w.seeAndCancel}>
                <Transfers key="out" direction="out" say={showToast} />
              </RequirePermission>
            )}
            {tab === "vaults" && (
              <RequirePermission needs="settings:manage" to={w.pinOtherVaults}>
                <Vaults say={showToast} />
              </RequirePermission>
            )}
          </>
        )}
      </Tabs>
    </Screen>
  );
}
