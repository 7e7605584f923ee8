import * as Context from "effect/Context"

/** The public URL for guests, without a trailing slash. If the URL is empty, links are relative. */
export class PublicUrl extends Context.Reference<PublicUrl>()("@trailbook/core/PublicUrl", {
  defaultValue: () => ""
}) {}
