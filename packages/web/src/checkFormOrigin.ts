import { HttpFailure } from "@trailbook/http/HttpFailure"
import type { Site } from "./Site.ts"

/**
 * Rejects forms submitted from pages on other origins, because the browser sends the visitor's cookies along with them.
 */
export const checkFormOrigin = (site: Site) => (request: Request): HttpFailure | undefined =>
  site.isForeign(request)
    ? new HttpFailure({ code: "forbidden", message: "Requests from other sites are not allowed." })
    : undefined
