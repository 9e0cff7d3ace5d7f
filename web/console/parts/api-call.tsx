import type { Given } from "../../operation.ts";
import type { OperationId, Operations } from "../operations.ts";
import { storedSwitch } from "../stored-switch.ts";
import { lazy } from "./lazy.tsx";
import type { ShownCallProps } from "./shown-call.tsx";

const ShownCall = lazy(async () => (await import("./shown-call.tsx")).ShownCall);

/** For people who write programs. Others would have a line that says nothing to them on every screen. */
export const apiCalls = storedSwitch("countersign.api-calls", false);

interface ApiCallProps<O extends OperationId> {
  readonly operation: O;
  readonly given?: Partial<Given<Operations[O]>>;
  /** for a form: `file=@contract.pdf` */
  readonly form?: readonly string[];
  readonly open?: boolean;
  /** `$TOKEN` for operations that no API key may call: a session token from `POST /auth/login` */
  readonly credential?: ShownCallProps["credential"];
}

/** The API call behind this screen, as a curl command, if the user wants to see such calls. `open`: shown without a press. */
export function ApiCall<O extends OperationId>({ operation, given, form, open = false, credential = "$API_KEY" }: ApiCallProps<O>) {
  if (!apiCalls.isOn.value) return null;
  return <ShownCall operation={operation} given={given ?? {}} form={form} open={open} credential={credential} />;
}
