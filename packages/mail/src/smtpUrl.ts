/** Where mails leave and how to log in there. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  readonly login: { readonly user: string; readonly password: string } | undefined
  /**
   * `from the start` (port 465), `required` by STARTTLS, `where offered` by STARTTLS, or `off`. A certificate has to be
   * right, but on this machine itself, where it protects nothing.
   */
  readonly encryption: "from the start" | "required" | "where offered" | "off"
}

/** What an address has to be. */
export const forms = "smtp://<user>:<password>@<host>:<port>, or smtps://…; only the host is required"

/**
 * `smtps://` encrypts from the start, on port 465 when none is said. `smtp://` uses
 * STARTTLS where it is offered, on port 587, and requires it when there is a password to
 * send and the server is not this machine; `?tls=off` never encrypts. `undefined` for
 * anything else. A blank or an `@` in a name or a password is written `%20`, `%40`.
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
