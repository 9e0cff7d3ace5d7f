import type { PageText, SigningFieldValue, SigningPreview } from "@countersign/client/types";

/** What the console gives to the preview of the signing page, which is a frame of its own window. Nothing goes back. */
export interface PreviewSource {
  /** What would be shown with these values, and what is wrong with them. */
  readonly open: (values: readonly SigningFieldValue[], lang: SigningPreview["default_locale"]) => Promise<SigningPreview>;
  readonly picture: (page: number, width: string | undefined) => Promise<Blob>;
  readonly text: (page: number) => Promise<PageText>;
}

declare global {
  interface Window {
    previewSource?: PreviewSource;
  }
}
