import { ApiKeys } from "@trailbook/core/actor/ApiKeys"
import { Orgs } from "@trailbook/core/org/Orgs"
import { OrgStore } from "@trailbook/core/org/OrgStore"
import { orgView } from "@trailbook/core/org/OrgView"
import { invalid } from "@trailbook/core/Refusal"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import { keyView } from "../command/keyView.ts"
import { detailsOf, keyDetailsOf } from "./detailsOf.ts"
import type { Door, Lifecycle } from "./Lifecycle.ts"
import { orgOf } from "./orgIdOf.ts"
import type { Trailbook } from "./Trailbook.ts"

/**
 * Outfitters and keys, for whoever runs the service.
 *
 * @category constructors
 */
export const accountsOf = (
  lifecycle: Lifecycle,
  /** The id of the org with a slug or an id; of the program's own without one. */
  orgId: (slugOrId: string | undefined, door: Door) => Promise<string>
): Pick<Trailbook, "keys" | "orgs"> => ({
  orgs: {
    create: (given) =>
      lifecycle.run(
        Effect.flatMap(detailsOf(given), (details) =>
          Effect.flatMap(Orgs, ({ create }) => Effect.map(create(details), orgView)))
      ),
    get: (slugOrId) => lifecycle.run(Effect.map(orgOf(slugOrId), orgView)),
    list: () => lifecycle.run(Effect.flatMap(OrgStore, ({ all }) => Effect.map(all, (orgs) => orgs.map(orgView))))
  },
  keys: {
    create: (given) =>
      lifecycle.during(async (door) => {
        const id = await orgId(given.org, door)
        return door.run(Effect.gen(function*() {
          const { expires_at: expiresAt, name, scopes, test } = yield* keyDetailsOf(given)
          if (expiresAt !== undefined && expiresAt <= (yield* moment)) {
            return yield* invalid("expires_at: must lie in the future, or the key would open nothing")
          }
          const { key, token } = yield* (yield* ApiKeys).create({
            orgId: id,
            name,
            mode: test === true ? "test" : "live",
            ...(scopes === undefined ? {} : { scopes }),
            ...(expiresAt === undefined ? {} : { expiresAt })
          })
          return { ...keyView(key), api_key: token }
        }))
      }),
    list: (given) =>
      lifecycle.during(async (door) => {
        const id = await orgId(given?.org, door)
        return door.run(Effect.flatMap(ApiKeys, ({ list }) => Effect.map(list(id), (keys) => keys.map(keyView))))
      }),
    revoke: async ({ id, org }) =>
      lifecycle.during(async (door) => {
        const owner = await orgId(org, door)
        return door.run(Effect.flatMap(ApiKeys, ({ revoke }) => Effect.map(revoke(owner, id), keyView)))
      })
  }
})
