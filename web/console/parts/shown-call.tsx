import { type AnyGiven, methodOf, type OperationId, pathOf } from "../operations.ts";
import { en as words } from "../words/copy/en.ts";
import { Copy } from "./copy.tsx";
import { curl } from "./curl.ts";

export interface ShownCallProps {
  readonly operation: OperationId;
  readonly given: AnyGiven;
  readonly form: readonly string[] | undefined;
  readonly open: boolean;
  readonly credential: "$API_KEY" | "$TOKEN";
}

export function ShownCall({ operation, given, form, open, credential }: ShownCallProps) {
  const text = curl(methodOf(operation), pathOf(operation, given), given.body, form, credential);
  return (
    <details class="api-call" open={open}>
      <summary>{words.showCall}</summary>
      <div class="code">
        <pre>
          <code>{text}</code>
        </pre>
        <Copy text={text} what={words.call} />
      </div>
    </details>
  );
}
