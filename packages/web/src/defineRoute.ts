import { noBody } from "@trailbook/http/request/noBody"
import type { AcceptedCallers, AnyRoute, BodyKind, Route } from "@trailbook/http/Route"

/** Options shared by a group of routes: authentication, rate limits, and error rendering. */
export type RouteDefaults<Who extends AcceptedCallers> = Pick<
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
