import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { DAY_MS } from "../parts/durations.ts";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { RequirePermission } from "../parts/require-permission.tsx";
import { day } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import { en } from "../words/vault/en.ts";
import { inputDay, midnight } from "../zone-inputs.ts";
import type { RecordProps } from "./record-props.ts";

const w = en.retention;

/** The retention period. It can be extended but never shortened. */
export function Retention({ envelope_id, copy, done }: RecordProps) {
  const sending = useSending();
  const [until, setUntil] = useState("");
  if (!["active", "escrowed", "papering", "tampered"].includes(copy.state)) return null;
  const extend = async () => {
    const retention_until = midnight(until) ?? until;
    const kept = await call("extend_retention", { params: { envelope_id }, body: { retention_until } });
    setUntil("");
    await done(w.retentionExtendedUntil(day(kept.retention_until)));
  };
  return (
    <Card title={w.retention}>
      <p>{w.keptAndLocked(day(copy.retention_until))}</p>
      <RequirePermission needs="vault:write" to={w.extendTheRetention}>
        <Form sending={sending} onSend={extend}>
          <div class="one-line">
            <TextField
              label={w.keepUntil}
              name="retention_until"
              required
              type="date"
              min={inputDay(new Date(Date.parse(copy.retention_until) + DAY_MS).toISOString())}
              value={until}
              onText={setUntil}
              sending={sending}
            />
            <SubmitButton sending={sending} kind="plain">
              {w.extendRetention}
            </SubmitButton>
          </div>
        </Form>
      </RequirePermission>
    </Card>
  );
}
