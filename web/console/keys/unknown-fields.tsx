import type { ApiKey } from "@countersign/client/types";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox } from "../parts/field.tsx";
import { useSending } from "../sending.ts";

interface UnknownFieldsProps {
  readonly of: ApiKey;
  /** the updated key and a message about the result */
  readonly onDone: (changed: ApiKey, words: string) => void;
}

/** Whether requests with unknown fields succeed. Read-only for a deactivated key. */
export function UnknownFields({ of, onDone }: UnknownFieldsProps) {
  const sending = useSending();
  const change = async (lenient_fields: boolean) => {
    const changed = await call("update_key", { params: { key_id: of.key_id }, body: { lenient_fields } });
    onDone(changed, lenient_fields ? "Unknown fields are now ignored." : "Unknown fields are now rejected.");
  };
  return (
    <Card title="Unknown fields">
      <Checkbox
        label="Ignore unknown fields"
        checked={of.lenient_fields}
        disabled={of.status === "deactivated" || sending.isBusy}
        onCheck={(lenient) => void sending.run(() => change(lenient))}
        hint="On: requests with misspelled or unknown fields succeed, and the response lists the ignored fields in X-Ignored-Fields. Off: such requests get 422. Unknown query parameters always get 422."
      />
      <ErrorNotice error={sending.error} />
    </Card>
  );
}
