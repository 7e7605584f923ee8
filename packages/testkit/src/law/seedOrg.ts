import type { OrgStore } from "@trailbook/core/org"
import * as Org from "@trailbook/core/org/Org"
import type { Storage } from "@trailbook/core/storage"
import * as Effect from "effect/Effect"
import { withStatus } from "../generator/booking.ts"
import { origin } from "../generator/moment.ts"
import type { OrgData } from "../generator/orgData.ts"
import * as Store from "./Store.ts"

let idCount = 0

/** Returns an ID that is unique in this process. */
export const newId = (): string => `00000000-0000-7000-8000-${(++idCount).toString(16).padStart(12, "0")}`

/** Creates an empty org. */
export const createEmptyOrg: Effect.Effect<Org.Org, never, OrgStore> = Effect.gen(function*() {
  const id = newId()
  const org = Org.make({ id, name: "Town", slug: `town-${id}`, timezone: "America/Denver", createdAt: origin })
  yield* Store.orgs.put(org)
  return org
})

/** A generated org that has been stored. */
export interface SeededOrg extends OrgData {
  readonly orgId: string
  /**
   * Another org, whose rows have the same IDs but different contents. If a result contains any of these rows, data has
   * leaked between orgs.
   */
  readonly twinId: string
}

const withOrg = <Row>(orgId: string, rows: ReadonlyArray<Row>): ReadonlyArray<Row> =>
  rows.map((row) => ({ ...row, orgId }))

const toOrgRows = (orgId: string, org: OrgData): OrgData => ({
  offerings: withOrg(orgId, org.offerings),
  sessions: withOrg(orgId, org.sessions),
  customers: withOrg(orgId, org.customers),
  bookings: withOrg(orgId, org.bookings).map((booking) => ({
    ...booking,
    handle: `${booking.handle}-${orgId}`,
    checkInToken: `${booking.checkInToken}-${orgId}`
  }))
})

/** Derives the twin, in which all names differ and every booking is confirmed with a quantity of 1000. */
const toTwin = (org: OrgData): OrgData => ({
  offerings: org.offerings.map((offering) => ({ ...offering, name: "Twin" })),
  sessions: org.sessions.map((session) => ({ ...session, capacity: 9999 })),
  customers: org.customers.map((customer) => ({ ...customer, name: "Twin", phone: "Twin" })),
  bookings: org.bookings.map((booking) => ({ ...withStatus(booking, { status: "confirmed" }), quantity: 1000 }))
})

/** Stores a generated org and its twin. */
export const seedOrg = (org: OrgData): Effect.Effect<SeededOrg, never, Storage> =>
  Effect.gen(function*() {
    const [{ id: orgId }, { id: twinId }] = yield* Effect.all([createEmptyOrg, createEmptyOrg])
    const seededRows = toOrgRows(orgId, org)
    for (const rows of [seededRows, toOrgRows(twinId, toTwin(org))]) {
      yield* Store.run(Effect.gen(function*() {
        yield* Store.offerings.put(rows.offerings)
        yield* Store.customers.put(rows.customers)
        if (rows.sessions.length > 0) yield* Store.sessions.put(rows.sessions)
        if (rows.bookings.length > 0) yield* Store.bookings.put(rows.bookings)
      }))
    }
    return { ...seededRows, orgId, twinId }
  })
