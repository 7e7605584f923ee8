export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly login: { readonly user: string; readonly password: string } | undefined
  /**
   * TLS from the start (port 465), required or opportunistic STARTTLS, or no encryption at all. Certificates are
   * verified unless the mail server is on the same machine.
   */
  readonly encryption: "from the start" | "required" | "where offered" | "off"
}

/** The URL formats in error messages. */
export const smtpUrlFormats = "smtp://<user>:<password>@<host>:<port>, or smtps://…; only the host is required"

/**
 * Parses a mail server URL, or returns `undefined` if it is invalid. Write spaces and `@` in the username or password
 * as `%20` and `%40`.
 * - `smtps://` uses TLS from the start. The default port is 465.
 * - `smtp://` uses STARTTLS if the server offers it, and requires it if the URL has a password and the server is on
 *   another machine. The default port is 587.
 * - `?tls=off` disables encryption.
 */
export const parseSmtpUrl = (text: string): SmtpServer | undefined => {
  if (!/^smtps?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const user = decode(url.username)
  const password = decode(url.password)
  const tls = url.searchParams.get("tls")
  const hasOthers = [...url.searchParams.keys()].some((key) => key !== "tls")
  if (hasOthers || tls !== null && tls !== "off" || url.hash !== "" || !/^\/?$/.test(url.pathname)) return undefined
  if (url.hostname === "" || user === undefined || password === undefined || (user === "") !== (password === "")) {
    return undefined
  }
  const isEncrypted = url.protocol === "smtps:"
  if (isEncrypted && tls === "off") return undefined
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const mustEncrypt = user !== "" && !isLoopbackHost(host)
  return {
    host,
    port: url.port === "" ? isEncrypted ? 465 : 587 : Number(url.port),
    login: user === "" ? undefined : { user, password },
    encryption: isEncrypted ? "from the start" : tls === "off" ? "off" : mustEncrypt ? "required" : "where offered"
  }
}

export const isLoopbackHost = (host: string): boolean => /^(?:localhost|127\.[\d.]+|::1)$/i.test(host)

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
