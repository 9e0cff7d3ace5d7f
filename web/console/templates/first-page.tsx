import { useEffect, useRef, useState } from "preact/hooks";
import { file } from "../api.ts";

/** The first page, fetched when it comes near the window. Without it the card still says what the template is. */
export function FirstPage({ template_id }: { template_id: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let isOver = false;
    const fetchPage = async () => {
      const { blob } = await file("get_template_page", { params: { template_id, page: 1 } });
      if (isOver) return;
      made = URL.createObjectURL(blob);
      setUrl(made);
    };
    const observer = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting !== true) return;
        observer.disconnect();
        // The picture is an ornament: the name beside it leads to the pages themselves, which say what is wrong.
        fetchPage().catch(() => undefined);
      },
      { rootMargin: "50%" },
    );
    if (place.current !== null) observer.observe(place.current);
    return () => {
      isOver = true;
      observer.disconnect();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [template_id]);
  return (
    <div ref={place} class="first-page">
      {url !== null && <img src={url} alt="" />}
    </div>
  );
}
