import { Failure } from "@trailbook/http/Failure"
import type { Site } from "./Site.ts"

/**
 * Rejects forms that pages on other origins submit, because the browser attaches the visitor's cookies to these forms.
 */
export const checkFormOrigin = (site: Site) => (request: Request): Failure | undefined =>
  site.isForeign(request)
    ? new Failure({ code: "forbidden", message: "Requests from other sites are not allowed." })
    : undefined
