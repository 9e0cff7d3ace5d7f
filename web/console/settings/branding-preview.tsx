import type { OrganizationBranding } from "@countersign/client/types";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { usePng } from "../../ui/blob-url.ts";
import { applyThemeTo, type Dropped } from "../../ui/theme.ts";
import { en } from "../words/settings/en.ts";
import { droppedWords } from "./dropped-words.ts";

const words = en.branding;

interface BrandingPreviewProps {
  readonly look: OrganizationBranding;
  readonly orgName: string;
  /** what signing pages would not use, for each scheme */
  readonly onDropped: (scheme: "light" | "dark", dropped: readonly Dropped[]) => void;
}

/** A miniature signing page in each colour scheme that signers can get, styled by the code that styles the real page. */
export function BrandingPreview({ look, orgName, onDropped }: BrandingPreviewProps) {
  const schemes = look.scheme === "light" || look.scheme === "dark" ? ([look.scheme] as const) : (["light", "dark"] as const);
  return (
    <div class="stack">
      {schemes.map((scheme) => (
        <SchemePreview key={scheme} scheme={scheme} look={look} orgName={orgName} onDropped={onDropped} />
      ))}
    </div>
  );
}

function SchemePreview({ look, orgName, scheme, onDropped }: BrandingPreviewProps & { readonly scheme: "light" | "dark" }) {
  const page = useRef<HTMLDivElement>(null);
  const [dropped, setDropped] = useState<readonly Dropped[]>([]);
  const { logo, ...worn } = look;
  const url = usePng(logo);
  useLayoutEffect(() => {
    const root = page.current;
    if (root === null) return;
    delete root.dataset.font;
    root.style.removeProperty("--radius");
    const found = applyThemeTo(root, { ...worn, scheme });
    setDropped(found);
    onDropped(scheme, found);
    return () => onDropped(scheme, []);
  }, [JSON.stringify(worn), scheme]);
  return (
    <figure class="look">
      <figcaption class="quiet small">{words.preview(scheme)}</figcaption>
      <div ref={page} class="look-page" data-scheme={scheme} inert>
        <div class="look-bar">
          {logo !== undefined && url !== null && <img class="logo-picture" src={url} alt="" />}
          <div>
            <p class="look-title">{words.sample.document}</p>
            <p class="look-quiet">{words.sample.from(orgName)}</p>
          </div>
        </div>
        <div class="look-card">
          <p>{words.sample.read}</p>
          <p class="look-quiet">{words.sample.filled}</p>
          <span class="look-input">{words.sample.signer}</span>
          <span class="look-button">{words.sample.sign}</span>
          <span class="look-link">{words.sample.decline}</span>
        </div>
      </div>
      <div class="look-faults" role="status">
        {dropped.map((one) => (
          <p key={droppedWords(one)} class="error">
            {droppedWords(one)}
          </p>
        ))}
      </div>
      {dropped.length === 0 && <p class="quiet small">{words.readable}</p>}
    </figure>
  );
}
