import { useEffect, useRef, useState } from "preact/hooks";
import { file } from "../api.ts";

/** A thumbnail of the first page, loaded when it comes near the window. */
export function FirstPage({ template_id }: { template_id: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let created: string | null = null;
    let isOver = false;
    const fetchPage = async () => {
      const { blob } = await file("get_template_page", { params: { template_id, page: 1 } });
      if (isOver) return;
      created = URL.createObjectURL(blob);
      setUrl(created);
    };
    const observer = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting !== true) return;
        observer.disconnect();
        // The thumbnail is optional, so errors are ignored here. The template's own screen reports them.
        fetchPage().catch(() => undefined);
      },
      { rootMargin: "50%" },
    );
    if (place.current !== null) observer.observe(place.current);
    return () => {
      isOver = true;
      observer.disconnect();
      if (created !== null) URL.revokeObjectURL(created);
    };
  }, [template_id]);
  return (
    <div ref={place} class="first-page">
      {url !== null && <img src={url} alt="" />}
    </div>
  );
}
