/** Several rounds with one outfitter whose guests want more places than are available. */
import { setTimeout as sleep } from "node:timers/promises"
import { line } from "./ask.ts"
import { audit } from "./audit.ts"
import type { Counter } from "./Counter.ts"
import type { Dice } from "./dice.ts"
import type { Fault } from "./fault.ts"
import { type Findings, joinFindings, noFindings } from "./Findings.ts"
import type { Fleet } from "./Fleet.ts"
import { follow, type Follower } from "./follow.ts"
import { type Guest, guest, type Observer } from "./guest.ts"
import { outfitter } from "./outfitter.ts"
import { createOrg } from "./ServerProcess.ts"
import { readSnapshot, type Target } from "./Target.ts"

const guests = 32
const followers = 3

/** Longer than the minute after which a guest stops retrying, so that a missing response is reported first. */
const backWithinMillis = 70_000

export interface Season {
  readonly orgId: string
  readonly guests: ReadonlyArray<Guest>
  readonly followers: ReadonlyArray<Follower>
  sizes: { readonly bookings: number; readonly events: number }
}

/**
 * Opens a season. Holds last for a day, so they expire only if the servers' clocks differ by more than a day
 * (`holdsEnd`).
 */
export const open = async (
  target: Target,
  fleet: Fleet,
  chance: Dice,
  observer: Observer,
  holdsEnd = false
): Promise<Season> => {
  const { key, orgId } = await createOrg(target.url)
  const openLine = (who: string) => line(fleet.urls, key, chance.for(`line of ${who}`))
  const wares = await outfitter(openLine("the outfitter"))
  return {
    orgId,
    guests: makeIndexes(guests).map((at) =>
      guest(openLine(`guest ${at}`), wares, chance.for(`guest ${at}`), observer, holdsEnd)
    ),
    followers: makeIndexes(followers).map((at) => follow(openLine(`follower ${at}`), chance.for(`follower ${at}`))),
    sizes: { bookings: 0, events: 0 }
  }
}

/** Plays one round and returns the milliseconds from the fault until a new request was acknowledged. */
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
  // Without this pause, the fault would always come right after a response.
  await sleep(chance.between(0, 60))
  const back = counter.blow()
  await fault.strike(fleet, chance)
  const deadline = sleep(backWithinMillis, backWithinMillis, { ref: false })
  const backMillis = await Promise.race([back, deadline])
  await Promise.race([counter.acknowledgedMore(20), deadline])
  isOver = true
  await booking
  return backMillis
}

export const check = async (season: Season, target: Target): Promise<Findings> => {
  const ledger = await readSnapshot(target, season.orgId)
  season.sizes = { bookings: ledger.records.length, events: ledger.events.length }
  return audit({
    orders: season.guests.flatMap(({ orders }) => orders),
    feeds: season.followers.map(({ seen }) => seen),
    stored: ledger
  })
}

/** Stops the followers once they have read all events. */
export const close = async ({ followers, sizes }: Season): Promise<void> => {
  await Promise.all(followers.map((follower) => follower.until(sizes.events)))
}

/** Waits until the feed serves the newest events, then checks that every follower received all of them. */
export const end = async (season: Season, target: Target): Promise<Findings> => {
  const last = season.sizes.events
  await close(season)
  const behind = season.followers.flatMap(({ seen }, at) =>
    seen.length >= last ? [] : [`follower ${at} received ${seen.length} of ${last} events`]
  )
  return joinFindings(await check(season, target), { ...noFindings, holes: behind })
}

const makeIndexes = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, at) => at)
