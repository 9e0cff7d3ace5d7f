import type { ApiKey } from "@countersign/client/types";
import { call } from "../api.ts";
import { formatNumber } from "../format-number.ts";
import { Link } from "../link.tsx";
import { ApiCall } from "../parts/api-call.tsx";
import { Card } from "../parts/card.tsx";
import { Countdown } from "../parts/countdown.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Facts } from "../parts/facts.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { Screen } from "../parts/screen.tsx";
import { Skeleton } from "../parts/skeleton.tsx";
import { showToast } from "../parts/toast.tsx";
import { When } from "../parts/when.tsx";
import type { ScreenProps } from "../screen-props.ts";
import { may } from "../session.ts";
import { useLoad } from "../use-load.ts";
import { en as words } from "../words/keys/en.ts";
import { KeyActions } from "./key-actions.tsx";
import { ScopesList } from "./scopes.tsx";
import { KeyStatus } from "./status.tsx";
import { UnknownFields } from "./unknown-fields.tsx";
import { useNames } from "./use-names.ts";

const above = <Link to="/keys">{words.title}</Link>;

export function KeyScreen({ params }: ScreenProps) {
  if (may("keys:manage")) return <OneKey key_id={params.key_id ?? ""} />;
  return (
    <Screen title={words.one} above={above}>
      <RequirePermission needs="keys:manage" to={words.role}>
        {null}
      </RequirePermission>
    </Screen>
  );
}

function OneKey({ key_id }: { key_id: string }) {
  const params = { key_id };
  const loaded = useLoad(`key ${key_id}`, () => call("get_key", { params }));
  const key = loaded.data;
  const done = (changed: ApiKey, message: string) => {
    loaded.put(changed);
    showToast(message);
  };
  return (
    <Screen title={key?.partner_name ?? words.one} above={above}>
      <ErrorNotice error={loaded.error} onRetry={loaded.reload} />
      {key === null && loaded.isSlow && <Skeleton />}
      {key !== null && (
        <>
          <KeyActions of={key} onDone={done} onMessage={showToast} />
          <div class="cards">
            <About of={key} />
            <Card title={words.permissions}>
              <ScopesList scopes={key.scopes} />
            </Card>
            <UnknownFields of={key} onDone={done} />
          </div>
          {key.webhook !== null && (
            <Card title={words.custom.title}>
              <p class="quiet">
                {words.custom.text} <Link to="/webhooks">{words.custom.endpoints}</Link>.
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
    <Card title={words.details.title}>
      <Facts
        facts={[
          [words.details.status, <KeyStatus key="status" of={of} />],
          [words.details.key, <code key="hint">{of.key_hint}</code>],
          ...(of.previous_key_expires_at === null || of.status === "deactivated"
            ? []
            : ([[words.details.previous, <Countdown key="until" at={of.previous_key_expires_at} over={words.details.now} />]] as const)),
          [words.details.limit, formatNumber(of.rate_limit_rpm)],
          [words.details.used, <When key="used" at={of.last_used_at} otherwise={words.never} />],
          ...(of.last_used_ip === null ? [] : ([[words.details.usedFrom, of.last_used_ip]] as const)),
          ...(of.last_used_user_agent === null ? [] : ([[words.details.usedBy, of.last_used_user_agent]] as const)),
          [words.details.expires, <When key="expires" at={of.expires_at} otherwise={words.never} />],
          [words.details.addresses, of.allowed_cidrs.length === 0 ? words.details.all : of.allowed_cidrs.join(", ")],
          [words.details.created, <When key="created" at={of.created_at} />],
          [words.details.by, of.created_by === null ? words.details.commandLine : nameOf(of.created_by)],
          [words.details.rotated, <When key="rotated" at={of.rotated_at} otherwise={words.never} />],
          ...(of.deactivated_at === null ? [] : ([[words.details.deactivated, <When key="over" at={of.deactivated_at} />]] as const)),
          [
            words.details.id,
            <span key="id" class="mono">
              {of.key_id}
            </span>,
          ],
        ]}
      />
    </Card>
  );
}
