import type { ApiKey } from "@countersign/client/types";
import { call } from "../api.ts";
import { Card } from "../parts/card.tsx";
import { ErrorNotice } from "../parts/error-notice.tsx";
import { Checkbox } from "../parts/field.tsx";
import { useSending } from "../sending.ts";
import { en as words } from "../words/keys/en.ts";

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
    onDone(changed, lenient_fields ? words.unknown.ignored : words.unknown.rejected);
  };
  return (
    <Card title={words.unknown.title}>
      <Checkbox
        label={words.unknown.label}
        checked={of.lenient_fields}
        disabled={of.status === "deactivated" || sending.isBusy}
        onCheck={(lenient) => void sending.run(() => change(lenient))}
        hint={words.unknown.hint}
      />
      <ErrorNotice error={sending.error} />
    </Card>
  );
}
