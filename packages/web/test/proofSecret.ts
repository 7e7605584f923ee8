import { makeProofSecret } from "@trailbook/core/customer/EmailProof"
import { OrgStore } from "@trailbook/core/org"
import { Ids } from "@trailbook/core/port"
import { currentTime } from "@trailbook/core/time/currentTime"
import { MemoryDatabase } from "@trailbook/memory/MemoryDatabase"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"

/** Returns the secret in the emailed link that verifies a known guest's address. */
export const proofSecret = (orgId: string, email: string) =>
  Effect.gen(function*() {
    const { customers } = yield* Effect.flatMap(MemoryDatabase, ({ read }) => read((tables) => tables))
    const customer = Array.from(HashMap.values(customers.rows)).find((row) =>
      row.orgId === orgId && row.email === email
    )
    const org = yield* Effect.flatten((yield* OrgStore).find(orgId))
    const { id } = yield* Effect.orDie(Effect.fromNullable(customer))
    return makeProofSecret(yield* Ids, org, id, yield* currentTime)
  })
