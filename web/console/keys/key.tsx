import type { ApiKey } from "@countersign/client/types";
import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Countdown } from "../parts/countdown.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/table.tsx";
import { When } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { hasRole } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { KeyActions } from "./key-actions.tsx";
import { ScopesList } from "./scopes.tsx";
import { KeyStatus } from "./status.tsx";
import { UnknownFields } from "./unknown-fields.tsx";
import { useNames } from "./use-names.ts";

const above = <Link to="/keys">API keys</Link>;

export function KeyScreen({ params }: ScreenProps) {
  if (hasRole("admin")) return <OneKey key_id={params.key_id ?? ""} />;
  return (
    <Screen title="API key" above={above}>
      <RequireRole least="admin" to="see and manage API keys">
        {null}
      </RequireRole>
    </Screen>
  );
}

function OneKey({ key_id }: { key_id: string }) {
  const params = { key_id };
  const loaded = useLoad(`key ${key_id}`, () => call("get_key", { params }));
  const [message, setMessage] = useState("");
  const key = loaded.data;
  const done = (changed: ApiKey, words: string) => {
    loaded.put(changed);
    setMessage(words);
  };
  return (
    <Screen title={key?.partner_name ?? "API key"} above={above}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {key === null && loaded.isSlow && <Skeleton />}
      <p class={message === "" ? "hidden-visually" : "notice good"} role="status">
        {message}
      </p>
      {key !== null && (
        <>
          <KeyActions of={key} onDone={done} onMessage={setMessage} />
          <div class="cards">
            <About of={key} />
            <Card title="Permissions">
              <ScopesList scopes={key.scopes} />
            </Card>
            <UnknownFields of={key} onDone={done} />
          </div>
          {key.webhook !== null && (
            <Card title="Custom data">
              <p class="quiet">
                Stored with the key for your program to use. Events are sent to <Link to="/webhooks">webhook endpoints</Link>.
              </p>
              <div class="code">
                <pre>
                  <code>{JSON.stringify(key.webhook, null, 2)}</code>
                </pre>
              </div>
            </Card>
          )}
          <ApiCall operation="get_key" given={{ params }} credential="$TOKEN" />
        </>
      )}
    </Screen>
  );
}

function About({ of }: { of: ApiKey }) {
  const nameOf = useNames();
  return (
    <Card title="Details">
      <Facts
        facts={[
          ["Status", <KeyStatus key="status" of={of} />],
          ["Key", <code key="hint">{of.key_hint}</code>],
          ...(of.previous_key_expires_at === null || of.status === "deactivated"
            ? []
            : ([["Previous key expires", <Countdown key="until" at={of.previous_key_expires_at} over="now" />]] as const)),
          ["Requests per minute", of.rate_limit_rpm.toLocaleString()],
          ["Last used", <When key="used" at={of.last_used_at} otherwise="never" />],
          ["Created", <When key="created" at={of.created_at} />],
          ["Created by", of.created_by === null ? "the command line" : nameOf(of.created_by)],
          ["Rotated", <When key="rotated" at={of.rotated_at} otherwise="never" />],
          ...(of.deactivated_at === null ? [] : ([["Deactivated", <When key="over" at={of.deactivated_at} />]] as const)),
          [
            "ID",
            <span key="id" class="mono">
              {of.key_id}
            </span>,
          ],
        ]}
      />
    </Card>
  );
}
