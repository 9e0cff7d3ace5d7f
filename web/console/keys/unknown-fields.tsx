import type { ApiKey } from "@countersign/client/types";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox } from "../parts/field.tsx";
import { useSending } from "../sending.ts";

interface UnknownFieldsProps {
  readonly of: ApiKey;
  /** the key as it is now, and what happened */
  readonly onDone: (changed: ApiKey, words: string) => void;
}

/** What happens to fields that the API does not know. A deactivated key shows it, and cannot change it. */
export function UnknownFields({ of, onDone }: UnknownFieldsProps) {
  const sending = useSending();
  const change = async (lenient_fields: boolean) => {
    const changed = await call("update_key", { params: { key_id: of.key_id }, body: { lenient_fields } });
    onDone(changed, lenient_fields ? "Unknown fields are ignored." : "Unknown fields are refused.");
  };
  return (
    <Card title="Unknown fields">
      <Checkbox
        label="Unknown fields are ignored"
        checked={of.lenient_fields}
        disabled={of.status === "deactivated" || sending.isBusy}
        onCheck={(lenient) => void sending.run(() => change(lenient))}
        hint="On: a request with a misspelled or unknown field succeeds without it, and the answer names it in X-Ignored-Fields. Off: the request gets 422. Unknown query parameters always get 422."
      />
      <ErrorNotice error={sending.error} />
    </Card>
  );
}
