/** A mail server and its login. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly login: { readonly user: string; readonly password: string } | undefined
  /**
   * `from the start` (port 465), `required` by STARTTLS, `where offered` by STARTTLS, or `off`. Certificates are
   * verified except on the same machine, where encryption protects nothing.
   */
  readonly encryption: "from the start" | "required" | "where offered" | "off"
}

/** The accepted URL formats. */
export const forms = "smtp://<user>:<password>@<host>:<port>, or smtps://…; only the host is required"

/**
 * Parses a mail server URL. `smtps://` encrypts from the start, by default on port 465. `smtp://` uses STARTTLS if it
 * is offered, by default on port 587, and requires it if a password is sent to another machine. `?tls=off` disables
 * encryption. Returns `undefined` for anything else. Write a space or an `@` in a name or password as `%20` or `%40`.
 */
export const smtpUrl = (text: string): SmtpServer | undefined => {
  if (!/^smtps?:\/\/[^\s]+$/i.test(text) || !URL.canParse(text)) return undefined
  const url = new URL(text)
  const user = decoded(url.username)
  const password = decoded(url.password)
  const tls = url.searchParams.get("tls")
  const hasOthers = [...url.searchParams.keys()].some((key) => key !== "tls")
  if (hasOthers || tls !== null && tls !== "off" || url.hash !== "" || !/^\/?$/.test(url.pathname)) return undefined
  if (url.hostname === "" || user === undefined || password === undefined || (user === "") !== (password === "")) {
    return undefined
  }
  const isEncrypted = url.protocol === "smtps:"
  if (isEncrypted && tls === "off") return undefined
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const mustEncrypt = user !== "" && !isThisMachine(host)
  return {
    host,
    port: url.port === "" ? isEncrypted ? 465 : 587 : Number(url.port),
    login: user === "" ? undefined : { user, password },
    encryption: isEncrypted ? "from the start" : tls === "off" ? "off" : mustEncrypt ? "required" : "where offered"
  }
}

export const isThisMachine = (host: string): boolean => /^(?:localhost|127\.[\d.]+|::1)$/i.test(host)

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
