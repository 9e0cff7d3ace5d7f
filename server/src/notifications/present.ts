import type { News, Notification } from "./notification.ts";

/** One sentence about what happened. */
export function textOf(news: News): string {
  if (news.kind === "batch_ended") return resultOf(news);
  if (news.kind === "action_needed" && news.because === "batch_paused") return `The bulk send ${news.batch_name} is paused`;
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
      if (news.because === "your_turn") return `It is your turn: ${name}`;
      return news.because === "locked"
        ? `${news.person} failed the identity check of ${name} and is locked out`
        : `${news.person} asks to sign ${name} on paper`;
  }
}

function resultOf({ batch_name, cancelled, sent, failed, skipped }: Extract<News, { kind: "batch_ended" }>): string {
  const parts = [`${sent.toLocaleString("en")} sent`];
  if (failed > 0) parts.push(`${failed.toLocaleString("en")} failed`);
  if (skipped > 0) parts.push(`${skipped.toLocaleString("en")} skipped`);
  return `The bulk send ${batch_name} ${cancelled === true ? "was cancelled" : "has ended"}: ${parts.join(", ")}`;
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
