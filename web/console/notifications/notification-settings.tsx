import type { NotificationKind, NotificationSettings as Settings } from "@countersign/client/types";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Skeleton } from "../parts/table.tsx";
import { useSending } from "../sending.ts";
import { useLoad } from "../use-load.ts";

type Way = "console" | "mail";

const kinds: Readonly<Record<NotificationKind, string>> = {
  completed: "Everyone has signed",
  declined: "A person declined",
  expires_soon: "An envelope expires within two days",
  expired: "An envelope has expired",
  mail_failed: "A message could not be delivered",
  action_needed: "A person is locked out or asks to sign on paper, or a bulk send is paused",
  batch_ended: "A bulk send has ended",
};

const ways: readonly (readonly [Way, string])[] = [
  ["console", "Here"],
  ["mail", "By e-mail"],
];

/** Each box is saved when it is changed. */
export function NotificationSettings() {
  const loaded = useLoad("notification settings", () => call("get_notification_settings"));
  const sending = useSending();
  const settings = loaded.data;
  const change = async (before: Settings, kind: NotificationKind, way: Way, isOn: boolean) => {
    // Shown at once; the answer of the service replaces it.
    loaded.put({ kinds: { ...before.kinds, [kind]: { ...before.kinds[kind], [way]: isOn } } });
    try {
      loaded.put(await call("update_notification_settings", { body: { kinds: { [kind]: { [way]: isOn } } } }));
    } catch (error) {
      loaded.put(before);
      throw error;
    }
  };
  return (
    <Card title="What you are notified of">
      <ErrorNotice error={loaded.error ?? sending.error} onRetry={loaded.reload} />
      {settings === null && loaded.isSlow && <Skeleton lines={6} />}
      {settings !== null && (
        <div class="table-box">
          <table class="table">
            <caption class="hidden-visually">How you are notified of each kind</caption>
            <thead>
              <tr>
                <th scope="col">When</th>
                {ways.map(([way, words]) => (
                  <th key={way} scope="col">
                    {words}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {Object.entries(kinds).map(([kind, words]) => (
                <Row
                  key={kind}
                  words={words}
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
  readonly words: string;
  readonly set: Settings["kinds"][NotificationKind];
  readonly isBusy: boolean;
  readonly onChange: (way: Way, isOn: boolean) => void;
}

function Row({ words, set, isBusy, onChange }: RowProps) {
  return (
    <tr>
      <th scope="row">{words}</th>
      {ways.map(([way, name]) => (
        <td key={way} data-head={name}>
          <input
            type="checkbox"
            aria-label={`${words}: ${name.toLowerCase()}`}
            checked={set[way]}
            disabled={isBusy}
            onChange={(event) => onChange(way, event.currentTarget.checked)}
          />
        </td>
      ))}
    </tr>
  );
}
