import type { NotificationKind, NotificationSettings as Settings } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { Unreachable } from "../../http.ts";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";
import { en } from "../words/notifications/en.ts";

type Way = "console" | "mail";

const words = en.settings;
const kinds: Readonly<Record<NotificationKind, string>> = words.kinds;
const ways = Object.entries(words.ways) as readonly (readonly [Way, string])[];

/** Each box is saved when it is changed. */
export function NotificationSettings() {
  const loaded = useLoad("notification settings", () => call("get_notification_settings"));
  const sending = useSending();
  const settings = loaded.data;
  // A change whose answer was lost: the user can send it again.
  const [lost, setLost] = useState<(() => Promise<void>) | null>(null);
  const change = async (before: Settings, kind: NotificationKind, way: Way, isOn: boolean) => {
    // Shown at once; the answer of the service replaces it.
    loaded.put({ kinds: { ...before.kinds, [kind]: { ...before.kinds[kind], [way]: isOn } } });
    setLost(null);
    try {
      loaded.put(await call("update_notification_settings", { body: { kinds: { [kind]: { [way]: isOn } } } }));
    } catch (error) {
      if (error instanceof Unreachable) setLost(() => () => change(before, kind, way, isOn));
      else loaded.put(before);
      throw error;
    }
  };
  return (
    <Card title={words.title}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      <ErrorNotice error={sending.error} {...(lost !== null && { onRetry: () => sending.run(lost) })} />
      {settings === null && loaded.isSlow && <Skeleton lines={6} />}
      {settings !== null && (
        <div class="table-box">
          <table class="table">
            <caption class="hidden-visually">{words.caption}</caption>
            <thead>
              <tr>
                <th scope="col">{words.when}</th>
                {ways.map(([way, name]) => (
                  <th key={way} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Object.entries(kinds).map(([kind, name]) => (
                <Row
                  key={kind}
                  name={name}
                  set={settings.kinds[kind as NotificationKind]}
                  isBusy={sending.isBusy}
                  onChange={(way, isOn) => void sending.run(() => change(settings, kind as NotificationKind, way, isOn))}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </Card>
  );
}

interface RowProps {
  readonly name: string;
  readonly set: Settings["kinds"][NotificationKind];
  readonly isBusy: boolean;
  readonly onChange: (way: Way, isOn: boolean) => void;
}

function Row({ name, set, isBusy, onChange }: RowProps) {
  return (
    <tr>
      <th scope="row">{name}</th>
      {ways.map(([way, by]) => (
        <td key={way} data-head={by}>
          <input
            type="checkbox"
            aria-label={words.box(name, by)}
            checked={set[way]}
            disabled={isBusy}
            onChange={(event) => onChange(way, event.currentTarget.checked)}
          />
        </td>
      ))}
    </tr>
  );
}
