import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";

/** Turns a PNG from an API answer into a URL for an image. The pages' content security policy does not allow `data:`. */
export function usePng(base64: string | undefined): string | null {
  const url = useSignal<string | null>(null);
  useEffect(() => {
    if (base64 === undefined) return;
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const made = URL.createObjectURL(new Blob([bytes], { type: "image/png" }));
    url.value = made;
    return () => URL.revokeObjectURL(made);
  }, [base64]);
  return url.value;
}
