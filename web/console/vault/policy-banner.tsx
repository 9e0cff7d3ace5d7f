import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { hasRole, me } from "../session.ts";
import { useLoad } from "../use-load.ts";

/** Recommends that parties confirm with their own credentials. Each person can dismiss it for an organization, in this browser. */
export function PolicyBanner() {
  const key = `countersign policy banner ${me().user.user_id} ${me().org.org_id}`;
  const [isDismissed, setDismissed] = useState(() => localStorage.getItem(key) !== null);
  // Without an answer there is nothing to recommend, and the screen shows its own errors.
  const { data } = useLoad("control policy", async () => (isDismissed ? null : call("get_settings")));
  if (isDismissed || data?.control_policy !== "attested") return null;
  const dismiss = () => {
    localStorage.setItem(key, "dismissed");
    setDismissed(true);
  };
  return (
    <aside class="notice policy-banner" aria-label="Recommendation">
      <p>
        <strong>Do you lend against these records?</strong> Then let each party confirm changes with a credential of its own. Currently a
        party that no one acts for is not asked, and checks 3 and 8 of such a record are attested at most.{" "}
        {hasRole("admin") ? <Link to="/settings">Change it under Settings</Link> : "An admin can change it under Settings."}
      </p>
      <button type="button" class="button" onClick={dismiss}>
        Dismiss
      </button>
    </aside>
  );
}
