import type { ClaimedErrand, Outbox } from "@trailbook/core/port/Outbox"
import { moment } from "@trailbook/core/time/moment"
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Journal } from "../Journal.ts"
import { claimed, isClaimOf, isFree, unclaimed } from "../Lease.ts"
import { page } from "../page.ts"
import { type QueuedErrand, within } from "../Rows.ts"
import { type Change, get, inGroup, type State } from "../State.ts"

export const outbox = ({ read, unitOfWork, write }: Journal): Outbox["Type"] => ({
  add: (errands) => write(() => errands.map((errand) => put({ ...errand, ...unclaimed }))),
  // Units run one after the other, so what this one has read is still free when it writes.
  claim: ({ kinds, leaseMs, limit, now }) =>
    unitOfWork.run(Effect.gen(function*() {
      const at = yield* moment
      const due = yield* read(({ errands }) =>
        inGroup(errands, "all").filter((errand) =>
          errand.dueAt <= now && kinds.includes(errand.kind) && isFree(errand, at)
        )
      )
      const next = page(due, ({ dueAt, id, orgId }) => ({ at: dueAt, id: within(orgId, id) }), { limit })
      const taken = next.map((errand) => claimed(errand, at, leaseMs))
      yield* write(() => taken.map(put))
      return taken.map((errand) => Struct.omit(errand, "leaseUntil"))
    })),
  done: (claims) =>
    write((state) =>
      claims.flatMap((claim) => queued(state, claim)).map((row): Change => ({ table: "errands", row, gone: true }))
    ),
  postpone: (claim) => write((state) => queued(state, claim).map((row) => put({ ...row, ...claim, leaseUntil: null }))),
  release: (claims) =>
    write((state) => claims.flatMap((claim) => queued(state, claim)).map((row) => put({ ...row, leaseUntil: null })))
})

const put = (row: QueuedErrand): Change => ({ table: "errands", row })

/** The row that is claimed, unless the claim is void. */
const queued = ({ errands }: State, claim: ClaimedErrand): ReadonlyArray<QueuedErrand> => {
  const row = get(errands, within(claim.orgId, claim.id))
  return row !== undefined && isClaimOf(claim, row) ? [row] : []
}
