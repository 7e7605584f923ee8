import { HttpFailure } from "@trailbook/http/HttpFailure"
import { noBody } from "@trailbook/http/request/noBody"
import type { Reply } from "@trailbook/http/response/Reply"
import type { AcceptedCallers, AnyRoute, BodyKind, Route } from "@trailbook/http/Route"
import type { Site } from "./Site.ts"

/** Options shared by a group of routes: authentication, rate limits, and error rendering. */
type RouteDefaults<Who extends AcceptedCallers> = Pick<
  Route<Who>,
  "caller" | "renderError" | "limits" | "refuse"
>

/** Defines a GET route. `name` identifies the route in the log. */
export const get = <Who extends AcceptedCallers>(
  defaults: RouteDefaults<Who>,
  path: `/${string}`,
  name: string,
  answer: Route<Who, undefined>["answer"]
): AnyRoute => ({ ...defaults, method: "GET", path, name, body: noBody, answer })

/** Defines a POST route. */
export const post = <Who extends AcceptedCallers, Body>(
  defaults: RouteDefaults<Who> & { readonly body: BodyKind<Body> },
  path: `/${string}`,
  name: string,
  answer: Route<Who, Body>["answer"]
): AnyRoute => ({ ...defaults, method: "POST", path, name, answer })

/**
 * Rejects forms submitted from pages on other origins, because the browser sends the visitor's cookies along with them.
 */
export const checkFormOrigin = (site: Site) => (request: Request): HttpFailure | undefined =>
  site.isForeign(request)
    ? new HttpFailure({ code: "forbidden", message: "Requests from other sites are not allowed." })
    : undefined

/** Redirects after a POST, so reloading the page does not submit the form again. */
export const redirectAfterPost = (address: string): Reply => ({
  status: 303,
  body: null,
  headers: { location: address }
})

/** Redirects to a page on this site with a GET request (303). */
export const seeOther = (location: string, headers: Readonly<Record<string, string>> = {}): Reply => ({
  status: 303,
  body: null,
  headers: { location, "cache-control": "no-store", "referrer-policy": "no-referrer", ...headers }
})
