/**
 * The cookie that somebody of the staff is signed in by. It is Lax and not Strict, or a
 * browser would leave it out on the way here from an assistant that asks to be let in.
 */
import { sessionDays } from "@trailbook/core/staff/StaffSession"
import type { Site } from "../Site.ts"

export type LoginCookie = ReturnType<typeof loginCookie>

/**
 * At the root of an https address it has the prefix that browsers give to no other host and
 * no other path.
 */
export const loginCookie = (site: Site) => {
  const isSecure = site.absolute("/")?.startsWith("https:") === true
  const path = site.link("/").replace(/(?<=.)\/$/, "")
  const name = isSecure && path === "/" ? "__Host-tb_login" : "tb_login"
  const rest = `; Path=${path}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`
  return {
    /** The secret that a request brings, or a text that is none. */
    of: ({ headers }: Request): string => {
      for (const pair of (headers.get("cookie") ?? "").split(";")) {
        const at = pair.indexOf("=")
        if (pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
      }
      return ""
    },
    /** The header that keeps a secret in the browser. */
    keep: (secret: string): string => `${name}=${secret}; Max-Age=${sessionDays * 24 * 3600}${rest}`,
    forget: `${name}=; Max-Age=0${rest}`
  }
}
