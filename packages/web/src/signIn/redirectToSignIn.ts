import type { RenderError } from "@trailbook/http/Route"
import { makeRenderError } from "../renderError.ts"
import { seeOther } from "../seeOther.ts"
import type { Site } from "../Site.ts"
import { withNext } from "./nextPath.ts"

/**
 * Renders errors for staff pages. Unauthenticated requests are redirected to the sign-in page. If the request was a
 * GET, signing in returns to the requested page. Forbidden requests get a page that explains the reason.
 */
export const redirectToSignIn = (site: Site): RenderError => {
  const wrong = makeRenderError(
    site,
    (request) => request.method !== "GET" && site.isForeign(request) ? "foreign" : "owners"
  )
  return (failure, context) => {
    if (failure.status !== 401) return wrong(failure, context)
    const { pathname, search } = new URL(context.request.url)
    // Searching for `/dashboard` also works if the host has not stripped the mount path.
    const path = pathname.slice(Math.max(0, pathname.indexOf("/dashboard"))) + search
    return seeOther(withNext(site.link("/sign-in"), context.request.method === "GET" ? path : null))
  }
}
