import type { RenderError } from "@trailbook/http/Route"
import { makeRenderError } from "../renderError.ts"
import { seeOther } from "../seeOther.ts"
import type { Site } from "../Site.ts"
import { withNext } from "./nextPath.ts"

/**
 * How pages say what went wrong to whoever should be signed in: who is not does that first,
 * and comes back to what a GET asked for; who may not open something is told who may.
 */
export const redirectToSignIn = (site: Site): RenderError => {
  const wrong = makeRenderError(
    site,
    (request) => request.method !== "GET" && site.isForeign(request) ? "foreign" : "owners"
  )
  return (failure, said) => {
    if (failure.status !== 401) return wrong(failure, said)
    const { pathname, search } = new URL(said.request.url)
    // Whether or not a host took the path off that it mounted us at.
    const path = pathname.slice(Math.max(0, pathname.indexOf("/dashboard"))) + search
    return seeOther(withNext(site.link("/sign-in"), said.request.method === "GET" ? path : null))
  }
}
