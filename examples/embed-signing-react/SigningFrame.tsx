import { CountersignSign } from "@countersign/react";
import { useState } from "react";

interface Props {
  /** From your backend, which gets it with its API key from POST /embed/token. A new token for the same document keeps all entered values. */
  readonly embedUrl: string;
  /** Returns a new embed_url for the same document when the token expires. */
  readonly renew: () => Promise<string>;
  readonly locale?: string;
  /** Only for display. To know whether the document was signed, use webhooks and GET …/status. */
  readonly onSigned?: (signed_at: string) => void;
}

/** A document to sign, and what there is to say when the page cannot continue. */
export function SigningFrame({ embedUrl, renew, locale, onSigned }: Props) {
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <>
      {problem !== null && <p role="alert">The document cannot be signed now ({problem}).</p>}
      <CountersignSign
        src={embedUrl}
        renew={renew}
        locale={locale}
        height="auto"
        onReady={() => setProblem(null)}
        onCompleted={({ detail }) => onSigned?.(detail.signed_at)}
        onDeclined={() => setProblem("declined")}
        onProblem={({ detail }) => setProblem(detail.code)}
      />
    </>
  );
}
