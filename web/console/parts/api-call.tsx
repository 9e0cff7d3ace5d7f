import type { Given } from "../../operation.ts";
import { type AnyGiven, methodOf, type OperationId, type Operations, pathOf } from "../operations.ts";
import { Copy } from "./copy.tsx";

interface ApiCallProps<O extends OperationId> {
  readonly operation: O;
  readonly given?: Partial<Given<Operations[O]>>;
  /** for a form: `file=@contract.pdf` */
  readonly form?: readonly string[];
  readonly open?: boolean;
  /** `$TOKEN` for operations that no API key may call: a session token from `POST /auth/login` */
  readonly credential?: "$API_KEY" | "$TOKEN";
}

/** The API call behind this screen, as a curl command. */
export function ApiCall<O extends OperationId>({ operation, given, form, open = false, credential = "$API_KEY" }: ApiCallProps<O>) {
  const shown: AnyGiven = given ?? {};
  const text = curl(methodOf(operation), pathOf(operation, shown), shown.body, form, credential);
  return (
    <details class="api-call" open={open}>
      <summary>Show as API call</summary>
      <div class="code">
        <pre>
          <code>{text}</code>
        </pre>
        <Copy text={text} what="the API call" />
      </div>
    </details>
  );
}

export function curl(method: string, path: string, body?: unknown, form?: readonly string[], key = "$API_KEY"): string {
  const lines = [
    `curl -s ${method === "GET" ? "" : `-X ${method} `}"${location.origin}/api/v2${path}"`,
    `  -H "${key === "$TOKEN" ? "Authorization: Bearer " : "X-API-Key: "}${key}"`,
  ];
  if (body !== undefined) lines.push("  -H 'Content-Type: application/json'", `  -d '${JSON.stringify(body).replaceAll("'", "'\\''")}'`);
  for (const part of form ?? []) lines.push(`  -F '${part.replaceAll("'", "'\\''")}'`);
  return lines.join(" \\\n");
}
