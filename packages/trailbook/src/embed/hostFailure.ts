/**
 * What is kept and logged of an error that the program's own part threw. Its
 * message may name a guest, as those of mail servers do, so only its kind and
 * its code are.
 */
export const hostFailure = (
  part: "mailer" | "notifier" | "payments" | "files" | "drafter" | "weather" | "before.bookingCreate" | "handler",
  error: unknown
): string => {
  const kind = error instanceof Error ? error.name : typeof error
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? ` ${error.code}` : ""
  return `The program's ${part} failed: ${kind}${code}.`
}
