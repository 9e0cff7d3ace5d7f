/** Times that are evidence are shown in UTC, on one line. */
export const Utc = ({ at }: { readonly at: string }) => (
  <time class="utc" dateTime={at}>
    {`${at.slice(0, 19).replace("T", " ")} UTC`}
  </time>
);
