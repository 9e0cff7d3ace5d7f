import { useEffect, useState } from "preact/hooks";
import { file } from "../api.ts";

interface FirstPageProps {
  readonly envelope_id: string;
  /** counted through all documents */
  readonly page: number;
  readonly name: string;
}

/** A small picture of the first page of a document. Its name is beside it, so that a picture that cannot be loaded is not missed. */
export function FirstPage({ envelope_id, page, name }: FirstPageProps) {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let isGone = false;
    const load = async () => {
      const picture = await file("get_envelope_page", { params: { envelope_id, page }, query: { w: "204" } }).catch(() => null);
      if (picture === null || isGone) return;
      made = URL.createObjectURL(picture.blob);
      setUrl(made);
    };
    void load();
    return () => {
      isGone = true;
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [envelope_id, page]);
  return <span class="prepare-first-page">{url !== null && <img src={url} alt={`First page of ${name}`} />}</span>;
}
