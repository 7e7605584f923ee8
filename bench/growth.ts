/**
 * What grows with the past: every operation with 10,000, 100,000 and 500,000 bookings
 * of one outfitter, of whom as much is to come each time. Medians of a few turns, in
 * the server's own process; with each size goes what an operation may cost more than
 * with the smallest.
 */
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { largeOutfitter } from "../test/large/largeOutfitter.ts"
import type { Costs } from "../test/large/measure.ts"
import { freshPostgres } from "./FreshPostgres.ts"
import type { Line } from "./report.ts"

const sizes = [10_000, 100_000, 500_000] as const
const turns = 9

/** An operation may cost so many times as much as with the smallest, */
const times = 3
/** or this much, in milliseconds: what takes one is as good as nothing, and of such small ones machines are unsure. */
const nothing = 5
/** And none that is about a page or one thing may take more than this with the largest, in milliseconds. */
const most = 20

/** What a search goes through grows with how many have its words, up to a bound: that it is soon over is its only promise. */
const isSearch = (name: string): boolean => name.includes("searched by")

type Run = (size: (typeof sizes)[number]) => Promise<Costs>

const onSqlite = (folder: string): Run => async (bookings) => {
  const own = join(folder, `growth-${bookings}`)
  await mkdir(own)
  try {
    return await largeOutfitter(`sqlite:${join(own, "growth.sqlite")}`, sizeOf(bookings), turns)
  } finally {
    await rm(own, { recursive: true })
  }
}

const onPostgres: Run = async (bookings) => {
  const postgres = await freshPostgres()
  try {
    return await largeOutfitter(postgres.url, sizeOf(bookings), turns)
  } finally {
    await postgres.stop()
  }
}

/** Guests come with the past, trips do not. */
const sizeOf = (bookings: number) => ({ bookings, offerings: 60, guests: bookings / 5 })

/** What was refused costs nothing, whatever is behind it. */
const answered = (costs: Costs): Costs => {
  const refused = costs.costs.find(({ refused }) => refused !== undefined)
  if (refused !== undefined) throw new Error(`${refused.name} was refused: ${refused.refused}`)
  return costs
}

const linesOf = async (database: string, run: Run): Promise<ReadonlyArray<Line>> => {
  const all: Array<Costs> = []
  for (const size of sizes) all.push(answered(await run(size)))
  const medians = (name: string) =>
    all.map(({ costs }) => costs.find((cost) => cost.name === name)?.median ?? Number.NaN)
  return (all[0]?.costs ?? []).filter(({ isLong }) => !isLong).map(({ name }) => {
    const [small = Number.NaN, ...larger] = medians(name)
    const large = larger.at(-1) ?? Number.NaN
    const figure = [small, ...larger].map((ms) => ms.toFixed(1)).join(" → ") + " ms"
    const isSoon = large <= most
    const isFlat = large <= Math.max(times * small, nothing)
    return {
      what: `${database}: ${name}`,
      figure,
      promise: isSearch(name)
        ? { text: `at most ${most} ms`, kept: isSoon }
        : { text: `at most ${times} times or ${nothing} ms, and ${most} ms`, kept: isFlat && isSoon }
    }
  })
}

export const growth = async (folder: string): Promise<ReadonlyArray<Line>> => [
  ...await linesOf("SQLite", onSqlite(folder)),
  ...await linesOf("Postgres", onPostgres)
]
