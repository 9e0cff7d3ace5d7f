import type { CountersignSign, FrameEvents } from "@countersign/embed";
import { type HTMLAttributes, type RefAttributes, useEffect, useRef } from "react";

interface Props {
  /** From your backend, which gets it with its API key from POST /embed/token. A new token for the same document keeps all entered values. */
  readonly embedUrl: string;
  /** Returns a new embed_url for the same document when the token expires. */
  readonly renew: () => Promise<string>;
  readonly locale?: string;
  /** Only for display. To know whether the document was signed, use webhooks and GET …/status. */
  readonly onCompleted?: (detail: FrameEvents["completed"]["detail"]) => void;
  readonly onDeclined?: () => void;
  readonly onProblem?: (code: string) => void;
}

/** A document to sign. Works with React 18 and 19: listeners and the function are set on the element itself. */
export function SigningFrame({ embedUrl, renew, locale, onCompleted, onDeclined, onProblem }: Props) {
  const element = useRef<CountersignSign>(null);

  // Only in the browser, and once. The element is defined when this has loaded, and then uses what was set before.
  useEffect(() => {
    void import("@countersign/embed");
  }, []);

  useEffect(() => {
    if (element.current !== null) element.current.renew = renew;
  }, [renew]);

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    element.current?.addEventListener("completed", ({ detail }) => onCompleted?.(detail), { signal });
    element.current?.addEventListener("declined", () => onDeclined?.(), { signal });
    element.current?.addEventListener("problem", ({ detail }) => onProblem?.(detail.code), { signal });
    return () => listening.abort();
  }, [onCompleted, onDeclined, onProblem]);

  return <countersign-sign ref={element} src={embedUrl} locale={locale} />;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "countersign-sign": HTMLAttributes<CountersignSign> &
        RefAttributes<CountersignSign> & {
          src?: string;
          "renew-url"?: string;
          locale?: string | undefined;
          theme?: string;
          label?: string;
        };
    }
  }
}
