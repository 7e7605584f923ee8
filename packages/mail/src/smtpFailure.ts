import { MailFailed, type MailFailure } from "@trailbook/core/mail"

/**
 * Converts a library error to a failure reason. Mail servers' responses contain guests' names, so only the status codes
 * are kept.
 */
export const toMailFailed = (error: unknown): MailFailed => {
  const { code, command, message, response, responseCode } = errorParts(error)
  const codes = codesOf(response)
  const mailFailed = (reason: MailFailure, permanent: boolean, words: string) =>
    new MailFailed({ reason, permanent, message: `${words}${codes === "" ? "" : ` (${codes})`}.` })
  if (code === "EAUTH" || code === "ENOAUTH" || /^53[0458]$/.test(String(responseCode))) {
    return mailFailed("login", false, "The mail server rejected the login")
  }
  const isFinal = responseCode !== undefined && responseCode >= 500
  if (command === "RCPT TO" && responseCode !== undefined) {
    // Servers that do not accept mail from Trailbook reject every recipient with this response.
    if (/relay/i.test(response)) return mailFailed("login", false, "The mail server refused to relay the message")
    return mailFailed("address", isFinal, "The mail server rejected the recipient address")
  }
  if (command === "DATA" && responseCode !== undefined) {
    return mailFailed("refused", isFinal, "The mail server rejected the message")
  }
  // The server announced a size limit, so the library did not send the message.
  if (code === "EMESSAGE") return mailFailed("refused", true, "The message is too large for the mail server")
  if (command === "MAIL FROM") return mailFailed("refused", false, "The mail server rejected the sender address")
  if (command === "API" && code === "EENVELOPE") {
    return mailFailed("address", true, "The email address is not valid for SMTP")
  }
  if (code === "ETIMEDOUT") return mailFailed("timeout", false, "The mail server did not respond in time")
  if (code === "ETLS") return mailFailed("unreachable", false, "The connection to the mail server cannot be encrypted")
  if (responseCode !== undefined) return mailFailed("refused", false, "The mail server rejected the session")
  const fault = /\bE[A-Z]{4,}\b/.exec(message)?.[0] ?? code
  return mailFailed("unreachable", false, `The mail server is unreachable${fault === undefined ? "" : `: ${fault}`}`)
}

/** Returns the status code and the enhanced status code (RFC 3463), such as "550 5.1.1". */
const codesOf = (response: string): string => {
  const [, basic, enhanced] = /^(\d{3})[ -](?:(\d\.\d{1,3}\.\d{1,3})\b)?/.exec(response) ?? []
  return [basic, enhanced].filter((part) => part !== undefined).join(" ")
}

const errorParts = (error: unknown) => {
  const fieldOf = (name: string): unknown => error instanceof Error ? Reflect.get(error, name) : undefined
  const text = (name: string): string | undefined => {
    const value = fieldOf(name)
    return typeof value === "string" ? value : undefined
  }
  const responseCode = fieldOf("responseCode")
  return {
    code: text("code"),
    command: text("command"),
    message: text("message") ?? "",
    response: text("response") ?? "",
    responseCode: typeof responseCode === "number" ? responseCode : undefined
  }
}
