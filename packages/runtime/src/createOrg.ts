import type { Orgs } from "@trailbook/core/org"
import type { Org } from "@trailbook/core/org/Org"
import { UnitOfWork } from "@trailbook/core/port"
import { ApiKeyManagement, type StaffMembers } from "@trailbook/core/staff"
import * as Effect from "effect/Effect"
import { type NewOutfitter, openOrg } from "./openOrg.ts"

/** Creates an org with its first API key. This is the only time that the full key is returned. */
export const createOrg = (
  details: Omit<NewOutfitter, "by">
): Effect.Effect<
  { readonly org: Org; readonly token: string },
  never,
  ApiKeyManagement | Orgs | StaffMembers | UnitOfWork
> =>
  Effect.gen(function*() {
    const keys = yield* ApiKeyManagement
    const { run } = yield* UnitOfWork
    // Use one transaction, because a failure between the two writes would leave an org without a key.
    return yield* run(Effect.gen(function*() {
      const org = yield* openOrg({ ...details, by })
      const { token } = yield* Effect.orDie(keys.create({ orgId: org.id, name: "First key", by }))
      return { org, token }
    }))
  })

const by = { _tag: "Operator" } as const
