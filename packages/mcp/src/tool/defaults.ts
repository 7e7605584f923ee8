/**
 * What an assistant's call means where it says nothing: a program goes through
 * all of a list, an assistant looks at its beginning.
 */
import type { Operation } from "@trailbook/core/operation/Operation"
import { eventsList } from "@trailbook/core/org/orgOperations"
import type { Data } from "./compactResult.ts"
import type { JsonObject } from "./schemas.ts"

/** The rows of a list. */
export const defaultLimit = 20

export const withDefaults = ({ input: { fields }, name }: Operation.Any, given: Data): Data => ({
  ..."limit" in fields ? { limit: defaultLimit } : {},
  // Who follows the feed says after which event.
  ...(name === eventsList.name && given.after === undefined ? { order: "desc" } : {}),
  ...given
})

/** What the schemas of fields say otherwise to an assistant. */
export const schemaOverrides = ({ name }: Operation.Any): Readonly<Record<string, JsonObject>> => ({
  limit: { description: `how many at most; ${defaultLimit} when left out`, default: defaultLimit },
  ...(name === eventsList.name
    ? { order: { description: "default: desc (newest first) without after" } }
    : {})
})
