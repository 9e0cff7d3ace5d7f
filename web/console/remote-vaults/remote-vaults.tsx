import { useState } from "preact/hooks";
import { query } from "../navigation.ts";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { StatusNotice } from "../parts/status-notice.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { useWhenChanged } from "../when-changed.ts";
import { Transfers } from "./transfers.tsx";
import { Vaults } from "./vaults.tsx";

const TABS = [
  ["in", "Transfers in"],
  ["out", "Transfers out"],
  ["vaults", "Pinned vaults"],
] as const;

/** Records that move to and from other installations, and the installations with which that is possible. */
export function RemoteVaults() {
  const [message, setMessage] = useState("");
  useWhenChanged(query.value.get("tab"), () => setMessage(""));
  return (
    <Screen
      title="Remote vaults"
      lead="A record can move to the vault of another installation and back, so that there is one original at any time. Both organizations pin each other first."
    >
      <StatusNotice>{message}</StatusNotice>
      <Tabs label="Remote vaults" tabs={TABS}>
        {(tab) => (
          <>
            {tab === "in" && (
              <RequireRole least="member" to="receive records">
                <Transfers key="in" direction="in" say={setMessage} />
              </RequireRole>
            )}
            {tab === "out" && (
              <RequireRole least="admin" to="see and cancel transfers of records to other vaults">
                <Transfers key="out" direction="out" say={setMessage} />
              </RequireRole>
            )}
            {tab === "vaults" && (
              <RequireRole least="admin" to="pin other vaults">
                <Vaults say={setMessage} />
              </RequireRole>
            )}
          </>
        )}
      </Tabs>
    </Screen>
  );
}
