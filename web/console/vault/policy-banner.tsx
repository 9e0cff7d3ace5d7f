import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { may, me } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/vault-list/en.ts";

const w = en.policyBanner;

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
    <aside class="notice policy-banner" aria-label={w.recommendation}>
      <p>
        <strong>{w.doYouLend}</strong>
        {w.thenLetEach}
        {may("settings:manage") ? <Link to="/settings">{w.changeItUnder}</Link> : w.anAdminCan}
      </p>
      <button type="button" class="button" onClick={dismiss}>
        {w.dismiss}
      </button>
    </aside>
  );
}
