/**
 * The staff login cookie. It is `Lax`, because browsers omit a `Strict` cookie when an OAuth client redirects to the
 * authorization page.
 */
import { sessionDays } from "@trailbook/core/staff"
import type { Site } from "../Site.ts"

export type LoginCookie = ReturnType<typeof loginCookie>

/**
 * Returns functions for the login cookie. At the root of an https origin, the cookie's name has the `__Host-` prefix,
 * which binds the cookie to this host and path.
 */
export const loginCookie = (site: Site) => {
  const isSecure = site.absolute("/")?.startsWith("https:") === true
  const path = site.link("/").replace(/(?<=.)\/$/, "")
  const name = isSecure && path === "/" ? "__Host-tb_login" : "tb_login"
  const attributes = `; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`
  return {
    /** Returns the secret from the request's cookie, or an empty string. */
    of: ({ headers }: Request): string => {
      for (const pair of (headers.get("cookie") ?? "").split(";")) {
        const at = pair.indexOf("=")
        if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
      }
      return ""
    },
    /** Returns the `Set-Cookie` value that stores a secret. */
    keep: (secret: string): string => `${name}=${secret}; Max-Age=${sessionDays * 24 * 3600}${attributes}`,
    forget: `${name}=; Max-Age=0${attributes}`
  }
}
