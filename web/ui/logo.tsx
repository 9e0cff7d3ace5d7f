import { usePng } from "./blob-url.ts";

/** The organization's logo, if it has one. It is part of the API answer, so nothing else is fetched. */
export function Logo({ png, name }: { png: unknown; name: string }) {
  const url = usePng(typeof png === "string" ? png : undefined);
  return url === null ? null : <img class="logo" src={url} alt={name} />;
}
