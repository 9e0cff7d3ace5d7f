import { useEffect, useRef } from "preact/hooks";
import { isDraft } from "../envelopes/api.ts";
import { Link } from "../link.tsx";
import { session } from "../session.ts";
import { en } from "../words/prepare/en.ts";
import { en as parts } from "../words/role/en.ts";
import type { Draft } from "./api.ts";

const words = en.blocked;

/** Says why the envelope cannot be edited, or not any more. */
export function Blocked({ envelope: { envelope_id, status }, isBegun }: Pick<Draft, "envelope"> & { isBegun: boolean }) {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    // The button that was pressed is disabled now. Anything else keeps the focus: the user may be typing.
    if (document.activeElement?.matches("body, :disabled") !== false) notice.current?.focus();
  }, []);
  return (
    <p class="notice" ref={notice} tabIndex={-1}>
      {isDraft(status) ? parts.notAllowed(session.value?.role, words.toPrepare) : words.noDraft} {isBegun && words.entries}{" "}
      <Link to={`/envelopes/${envelope_id}`}>{words.open}</Link>
    </p>
  );
}
