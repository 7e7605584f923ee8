import * as Context from "effect/Context"

/**
 * The address that the service has for guests, without a slash at its end. Where it
 * is not known, links begin with their path.
 *
 * @category references
 */
export class PublicUrl extends Context.Reference<PublicUrl>()("@trailbook/core/PublicUrl", {
  defaultValue: () => ""
}) {}
