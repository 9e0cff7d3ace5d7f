import { useEffect, useRef, useState } from "preact/hooks";

interface PagePictureProps {
  readonly class: string;
  readonly alt?: string;
  /** names the picture: another name loads another one */
  readonly of: string;
  readonly load: () => Promise<Blob>;
}

/** A small picture of a page, loaded when it comes near the window. It is an extra: what it shows is also said in words beside it. */
export function PagePicture({ class: name, alt = "", of, load }: PagePictureProps) {
  const place = useRef<HTMLSpanElement>(null);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    let made: string | null = null;
    let isGone = false;
    const show = async () => {
      const picture = await load();
      if (isGone) return;
      made = URL.createObjectURL(picture);
      setUrl(made);
    };
    const watch = new IntersectionObserver(
      ([seen]) => {
        if (seen?.isIntersecting !== true) return;
        watch.disconnect();
        // The screen of the document reports what is wrong with it.
        show().catch(() => undefined);
      },
      { rootMargin: "50%" },
    );
    if (place.current !== null) watch.observe(place.current);
    return () => {
      isGone = true;
      watch.disconnect();
      if (made !== null) URL.revokeObjectURL(made);
    };
  }, [of]);
  return (
    <span ref={place} class={name}>
      {url !== null && <img src={url} alt={alt} draggable={false} />}
    </span>
  );
}
