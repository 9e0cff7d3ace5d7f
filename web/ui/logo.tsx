import { usePng } from "./blob-url.ts";

/** The organization's own picture, if it has one. It comes with the answer, so no other address is asked for it. */
export function Logo({ png, name }: { png: unknown; name: string }) {
  const url = usePng(typeof png === "string" ? png : undefined);
  return url === null ? null : <img class="logo" src={url} alt={name} />;
}
