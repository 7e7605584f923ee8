/**
 * Formats an error from the host application for logs and stored errors. The text contains only the error's kind and
 * code, because the message may name a guest, as mail server messages do.
 */
export const hostFailure = (
  part: "mailer" | "notifier" | "payments" | "files" | "drafter" | "weather" | "before.bookingCreate" | "handler",
  error: unknown
): string => {
  const kind = error instanceof Error ? error.name : typeof error
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? ` ${error.code}` : ""
  return `The host application's ${part} failed: ${kind}${code}.`
}
