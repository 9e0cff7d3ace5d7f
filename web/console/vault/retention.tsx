import { useState } from "preact/hooks";
import { call } from "../api.ts";
import { SubmitButton } from "../parts/button.tsx";
import { Card } from "../parts/card.tsx";
import { DAY_MS } from "../parts/durations.ts";
import { TextField } from "../parts/field.tsx";
import { Form } from "../parts/form.tsx";
import { RequireRole } from "../parts/require-role.tsx";
import { day } from "../parts/when.tsx";
import { useSending } from "../sending.ts";
import type { RecordProps } from "./record-props.ts";

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The retention period. It can be extended but never shortened. */
export function Retention({ envelope_id, copy, done }: RecordProps) {
  const sending = useSending();
  const [until, setUntil] = useState("");
  if (!["active", "escrowed", "papering", "tampered"].includes(copy.state)) return null;
  const extend = async () => {
    const retention_until = until === "" ? "" : `${until}T00:00:00.000Z`;
    const kept = await call("extend_retention", { params: { envelope_id }, body: { retention_until } });
    setUntil("");
    await done(`Retention extended until ${day(kept.retention_until)}.`);
  };
  return (
    <Card title="Retention">
      <p>Kept and locked until {day(copy.retention_until)}. You can extend this, but never shorten it.</p>
      <RequireRole least="member" to="extend the retention">
        <Form sending={sending} onSend={extend}>
          <div class="one-line">
            <TextField
              label="Keep until"
              name="retention_until"
              type="date"
              min={isoDay(new Date(copy.retention_until).getTime() + DAY_MS)}
              value={until}
              onText={setUntil}
              sending={sending}
            />
            <SubmitButton sending={sending} kind="plain">
              Extend retention
            </SubmitButton>
          </div>
        </Form>
      </RequireRole>
    </Card>
  );
}
