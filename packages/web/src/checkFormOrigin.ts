import { Failure } from "@trailbook/http/Failure"
import type { Site } from "./Site.ts"

/** Rejects forms submitted by pages of other origins, which would carry the visitor's cookies. */
export const checkFormOrigin = (site: Site) => (request: Request): Failure | undefined =>
  site.isForeign(request)
    ? new Failure({ code: "forbidden", message: "Requests from other sites are not allowed." })
    : undefined
