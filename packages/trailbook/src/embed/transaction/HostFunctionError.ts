/**
 * An unexpected error from one of the host application's functions. The log contains only the error's kind and the name
 * of the function's option. Promise callers receive the original error.
 */
export class HostFunctionError extends Error {
  override readonly name = "HostFunctionError"
  /** The error is not stored as `cause`, because logs would print the cause, and its message may name a guest. */
  readonly #thrown: unknown

  constructor(part: Parameters<typeof formatHostFailure>[0], error: unknown) {
    super(formatHostFailure(part, error))
    this.#thrown = error
  }

  get thrown(): unknown {
    return this.#thrown
  }
}

/**
 * Formats an error from the host application for logs and stored errors. The text contains only the error's kind and
 * code, because the message may name a guest, as mail server messages do.
 */
export const formatHostFailure = (
  part: "mailer" | "notifier" | "payments" | "files" | "drafter" | "weather" | "before.bookingCreate" | "handler",
  error: unknown
): string => {
  const kind = error instanceof Error ? error.name : typeof error
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? ` ${error.code}` : ""
  return `The host application's ${part} failed: ${kind}${code}.`
}
