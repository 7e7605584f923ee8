import { invalid } from "@trailbook/core"
import type { BodyKind } from "../Route.ts"
import { isPresent } from "./body.ts"

/** The body type for requests without a body. */
export const noBody: BodyKind<undefined> = {
  within: (request, use) =>
    isPresent(request) ? invalid(`A ${request.method} request cannot have a body.`) : use(undefined)
}
