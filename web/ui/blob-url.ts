import { useEffect, useState } from "preact/hooks";

/** A PNG that came inside an answer, as an address that an image can show. The policy of the pages admits no `data:`. */
export function usePng(base64: string | undefined): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (base64 === undefined) return;
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const made = URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [base64]);
  return url;
}
