import type { News, Notification } from "./notification.ts";

/** One sentence about what happened. */
export function textOf(news: News): string {
  const { envelope_name: name } = news;
  switch (news.kind) {
    case "completed":
      return `Everyone has signed ${name}`;
    case "declined":
      return `${news.person} ${news.rejected === true ? "rejected" : "declined to sign"} ${name}`;
    case "expires_soon":
      return `${name} expires in less than two days`;
    case "expired":
      return `${name} expired before everyone signed`;
    case "mail_failed":
      return `The message about ${name} to ${news.person} (${news.address}) could not be delivered`;
    case "action_needed":
      return news.because === "locked"
        ? `${news.person} failed the identity questions of ${name} and is locked out`
        : `${news.person} asks to sign ${name} on paper`;
  }
}

export const presentNotification = ({ notification_id, kind, envelope_id, batch_id, data, created_at, read_at }: Notification) => ({
  notification_id,
  kind,
  envelope_id,
  batch_id,
  text: textOf(data),
  created_at: created_at.toISOString(),
  read_at: read_at?.toISOString() ?? null,
});
