import { maxNextPathLength } from "@trailbook/core/staff"
import type { RenderError } from "@trailbook/http/Route"
import { seeOther } from "../defineRoute.ts"
import { makeRenderError } from "../renderPages.ts"
import type { Site } from "../Site.ts"

/**
 * Renders errors for staff pages. Unauthenticated requests are redirected to the sign-in page. If the request was a
 * GET, signing in returns the user to the requested page. Forbidden requests get a page that explains the reason.
 */
export const makeStaffRenderError = (site: Site): RenderError => {
  const wrong = makeRenderError(
    site,
    (request) => request.method !== "GET" && site.isForeign(request) ? "foreign" : "owners"
  )
  return (failure, context) => {
    if (failure.status !== 401) return wrong(failure, context)
    const { pathname, search } = new URL(context.request.url)
    // Searching for `/dashboard` also works if the host has not stripped the mount path.
    const path = pathname.slice(Math.max(0, pathname.indexOf("/dashboard"))) + search
    return seeOther(addNextParameter(site.link("/sign-in"), context.request.method === "GET" ? path : null))
  }
}

/**
 * Parses the path to open after sign-in. Returns null if the path is not a page on this site, because anyone can craft
 * a sign-in URL.
 */
export const parseNextPath = (text: string | null | undefined): `/${string}` | null =>
  typeof text === "string" && text.length <= maxNextPathLength &&
    /^\/(?:dashboard(?:[/?]|$)|authorize\?)[\x21-\x7e]*$/.test(text) &&
    !text.includes("\\") && !text.includes("//", 1)
    ? text as `/${string}`
    : null

/** Adds the `next` parameter to a URL. */
export const addNextParameter = (address: string, next: string | null): string =>
  next === null ? address : `${address}?${new URLSearchParams({ next }).toString()}`
