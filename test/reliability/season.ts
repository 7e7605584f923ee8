/** Some rounds with one outfitter, who has little to sell and many guests who want it. */
import { setTimeout as sleep } from "node:timers/promises"
import { line } from "./ask.ts"
import { audit } from "./audit.ts"
import type { Counter } from "./Counter.ts"
import type { Dice } from "./dice.ts"
import type { Fault } from "./fault.ts"
import { type Findings, joined, none } from "./Findings.ts"
import type { Fleet } from "./Fleet.ts"
import { follow, type Follower } from "./follow.ts"
import { type Guest, guest, type Heard } from "./guest.ts"
import { outfitter } from "./outfitter.ts"
import { createOrg } from "./ServerProcess.ts"
import { stored, type Target } from "./Target.ts"

const guests = 32
const followers = 3

/** Longer than guests wait for an answer: they complain about what is not back by then. */
const backWithinMillis = 70_000

export interface Season {
  readonly orgId: string
  readonly guests: ReadonlyArray<Guest>
  readonly followers: ReadonlyArray<Follower>
  sizes: { readonly bookings: number; readonly events: number }
}

/** Holds last for a day, so they end only where clocks differ by more. */
export const open = async (
  target: Target,
  fleet: Fleet,
  chance: Dice,
  heard: Heard,
  holdsEnd = false
): Promise<Season> => {
  const { key, orgId } = await createOrg(target.url)
  const lineFor = (who: string) => line(fleet.urls, key, chance.for(`line of ${who}`))
  const wares = await outfitter(lineFor("the outfitter"))
  return {
    orgId,
    guests: numbered(guests).map((at) =>
      guest(lineFor(`guest ${at}`), wares, chance.for(`guest ${at}`), heard, holdsEnd)
    ),
    followers: numbered(followers).map((at) => follow(lineFor(`follower ${at}`), chance.for(`follower ${at}`))),
    sizes: { bookings: 0, events: 0 }
  }
}

/** Says how long it took until the service was back. */
export const play = async (
  season: Season,
  fleet: Fleet,
  fault: Fault,
  chance: Dice,
  counter: Counter
): Promise<number> => {
  let isOver = false
  const booking = Promise.all(season.guests.map((guest) => guest.go(() => isOver)))
  await counter.acknowledgedMore(chance.between(30, 120))
  // Or else it would always come just after an answer.
  await sleep(chance.between(0, 60))
  const back = counter.blow()
  await fault.strike(fleet, chance)
  const waited = sleep(backWithinMillis, backWithinMillis, { ref: false })
  const backMillis = await Promise.race([back, waited])
  await Promise.race([counter.acknowledgedMore(20), waited])
  isOver = true
  await booking
  return backMillis
}

export const check = async (season: Season, target: Target): Promise<Findings> => {
  const ledger = await stored(target, season.orgId)
  season.sizes = { bookings: ledger.records.length, events: ledger.events.length }
  return audit({
    orders: season.guests.flatMap(({ orders }) => orders),
    feeds: season.followers.map(({ seen }) => seen),
    stored: ledger
  })
}

/** Followers follow no longer. */
export const close = async ({ followers, sizes }: Season): Promise<void> => {
  await Promise.all(followers.map((follower) => follower.until(sizes.events)))
}

/** Followers get what was too young to be served; then they have to have seen everything. */
export const end = async (season: Season, target: Target): Promise<Findings> => {
  const last = season.sizes.events
  await close(season)
  const behind = season.followers.flatMap(({ seen }, at) =>
    seen.length >= last ? [] : [`follower ${at} was told of ${seen.length} of ${last} events`]
  )
  return joined(await check(season, target), { ...none, holes: behind })
}

const numbered = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, at) => at)
