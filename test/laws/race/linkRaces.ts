/** Tests links that several servers open concurrently. */
import { notFound } from "@trailbook/core"
import { type Grant, toApplicationActor } from "@trailbook/core/oauth"
import { origin } from "@trailbook/testkit/generator/moment"
import { newStaffMember } from "@trailbook/testkit/law/sampleRows"
import { newId } from "@trailbook/testkit/law/seedOrg"
import * as Store from "@trailbook/testkit/law/Store"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { race, runConcurrently } from "./TwoServerFixture.ts"

export const linkRaces = [
  race(
    "races/sign-in-link",
    "signs in a staff member once if a sign-in link is opened several times concurrently",
    function*({ logins: [here, there], orgId, staff: [staff] }, round) {
      const { id: staffId } = yield* staff.add({ orgId, email: "ann@a.co", by: { _tag: "Operator" } })
      const secret = yield* here.link({ orgId, staffId })
      const spend = (logins: typeof here) => logins.spend({ secret, device: "" })
      const outcome = yield* runConcurrently(round, [spend(here), spend(there), spend(here)])
      assert.deepStrictEqual(outcome.codes, ["unauthorized", "unauthorized"])
      assert.strictEqual((yield* here.list(orgId)).length, 1)
    }
  ),

  race(
    "races/export-link",
    "opens an export link once if several servers open it concurrently",
    function*({ exportLinks: [here, there], orgId }, round) {
      const owner = { ...newStaffMember(orgId), role: "owner" as const }
      const grant: Grant = {
        id: newId(),
        orgId,
        clientId: newId(),
        name: "Assistant",
        staffId: owner.id,
        scopes: ["admin"],
        personal: true,
        createdAt: origin,
        lastUsedAt: null,
        withdrawnAt: null
      }
      yield* Store.staff.put(owner)
      yield* Store.grants.put(grant)
      const actor = toApplicationActor(grant, grant.scopes)
      const link = yield* here.create(actor)
      const open = ({ open, use }: typeof here) =>
        open(link.path.replace("/exports/", "")).pipe(
          Effect.tap(use),
          Effect.mapError(({ message }) => notFound("link", message))
        )
      const outcome = yield* runConcurrently(round, [open(here), open(there), open(here)])
      assert.deepStrictEqual(outcome.won, [{ ...actor, exportLink: link.path.slice(-40) }])
    }
  )
]
