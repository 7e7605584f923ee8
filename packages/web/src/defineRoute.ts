import { noBody } from "@trailbook/http/noBody"
import type { AnyRoute, BodyKind, Caller, Route } from "@trailbook/http/Route"

/** What several routes have in common: who may ask, how often, and how they say what went wrong. */
export type RouteDefaults<Who extends Caller> = Pick<Route<Who>, "caller" | "failed" | "limits" | "refuse">

/** `name` is what the log calls it. */
export const get = <Who extends Caller>(
  shared: RouteDefaults<Who>,
  path: `/${string}`,
  name: string,
  answer: Route<Who, undefined>["answer"]
): AnyRoute => ({ ...shared, method: "GET", path, name, body: noBody, answer })

/** The same with something that is sent. */
export const post = <Who extends Caller, Body>(
  shared: RouteDefaults<Who> & { readonly body: BodyKind<Body> },
  path: `/${string}`,
  name: string,
  answer: Route<Who, Body>["answer"]
): AnyRoute => ({ ...shared, method: "POST", path, name, answer })
