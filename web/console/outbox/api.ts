export interface Message {
  readonly message_id: string;
  readonly to: string;
  /** null once the text is forgotten */
  readonly subject: string | null;
  readonly kind: string;
  readonly state: "queued" | "sent" | "failed";
  readonly created_at: string;
  readonly sent_at: string | null;
  /** of the mail server; or `withdrawn`, or `expired` */
  readonly last_error: string | null;
}

export interface OpenMessage extends Message {
  readonly text: string | null;
}
