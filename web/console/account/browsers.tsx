import type { KnownBrowser } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { Chip } from "../parts/chip.tsx";
import { Confirm } from "../parts/confirm.tsx";
import { Pending } from "../parts/pending.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import { useLoad } from "../use-load.ts";
import { en } from "../words/own-details/en.ts";

const words = en.browsers;

/** The browsers that the user's account knows. */
export function Browsers() {
  const loaded = useLoad("own browsers", () => call("list_devices"));
  const [leaving, setLeaving] = useState<KnownBrowser | null>(null);
  const browsers = loaded.data?.devices ?? [];
  const forget = async ({ device_id, browser }: KnownBrowser) => {
    await call("forget_device", { params: { device_id } });
    showToast(words.forgotten(browser));
    await loaded.reload();
  };
  return (
    <Card title={words.title}>
      <p class="quiet">{words.lead}</p>
      <Pending of={loaded} />
      {loaded.data !== null && browsers.length === 0 && <p>{words.none}</p>}
      {browsers.length > 0 && (
        <div class="table-box">
          <table class="table">
            <caption class="hidden-visually">{words.caption}</caption>
            <thead>
              <tr>
                <th scope="col">{words.columns.browser}</th>
                <th scope="col">{words.columns.ip}</th>
                <th scope="col">{words.columns.used}</th>
                <th scope="col">{words.columns.second}</th>
                <th scope="col">{words.columns.actions}</th>
              </tr>
            </thead>
            <tbody>
              {browsers.map((one) => (
                <tr key={one.device_id}>
                  <th scope="row">
                    {one.browser} {one.current && <Chip tone="good">{words.this}</Chip>}
                  </th>
                  <td class="mono" data-head={words.columns.ip}>
                    {one.last_ip}
                  </td>
                  <td data-head={words.columns.used}>
                    <When at={one.last_seen_at} />
                  </td>
                  <td data-head={words.columns.second}>
                    {one.remembered_at === null ? (
                      words.asked
                    ) : (
                      <>
                        {words.remembered} <When at={one.remembered_at} />
                      </>
                    )}
                  </td>
                  <td data-head={words.columns.actions}>
                    <button
                      type="button"
                      class="button"
                      aria-label={words.forgetLabel(one.browser, one.last_ip)}
                      onClick={() => setLeaving(one)}
                    >
                      {words.forget}
                    </button>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {leaving !== null && (
        <Confirm
          title={words.forgetTitle}
          button={words.forget}
          kind="danger"
          onConfirm={() => forget(leaving)}
          onClose={() => setLeaving(null)}
        >
          {words.forgetText(leaving.browser, leaving.last_ip)}
        </Confirm>
      )}
    </Card>
  );
}
