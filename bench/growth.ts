/**
 * Measures how costs grow with the amount of past data. Runs every operation for one outfitter with 10,000, 100,000,
 * and 500,000 bookings. The number of upcoming bookings is the same for each size. Takes the median of a few runs in
 * the server's own process and compares it with the cost at the smallest size.
 */
import { mkdir, rm } from "node:fs/promises"
import { join } from "node:path"
import { largeOutfitter } from "../test/large/largeOutfitter.ts"
import type { Costs } from "../test/large/measure.ts"
import { freshPostgres } from "./FreshPostgres.ts"
import { formatCount, type Line } from "./report.ts"

const sizes = [10_000, 100_000, 500_000] as const
const turns = 9

/** The maximum cost of an operation, as a multiple of its cost at the smallest size. */
const times = 3
/** An operation that takes no more than this many milliseconds is not compared, because shorter times are too noisy. */
const negligibleMs = 5
/** An operation on a page or a single resource may take at most this many milliseconds at the largest size. */
const maxMs = 20

/**
 * Whether the operation is a search. A search's cost grows with the number of matches, up to a bound, so only its
 * absolute time is checked.
 */
const isSearch = (name: string): boolean => name.includes(": search ")

/** Returns a label for a case, with its variant in parentheses. */
const formatLabel = (name: string): string => {
  const [operation, variant] = name.split(": ")
  const call = variant === undefined ? operation : `${operation} (${variant})`
  const [small, medium, large] = sizes.map(formatCount)
  return `time of ${call} with ${small}, ${medium}, and ${large} past bookings`
}

type Run = (size: (typeof sizes)[number]) => Promise<Costs>

const measureSqlite = (folder: string): Run => async (bookings) => {
  const subfolder = join(folder, `growth-${bookings}`)
  await mkdir(subfolder)
  try {
    return await largeOutfitter(`sqlite:${join(subfolder, "growth.sqlite")}`, makeSize(bookings), turns)
  } finally {
    await rm(subfolder, { recursive: true })
  }
}

const measurePostgres: Run = async (bookings) => {
  const postgres = await freshPostgres()
  try {
    return await largeOutfitter(postgres.url, makeSize(bookings), turns)
  } finally {
    await postgres.stop()
  }
}

/**
 * Returns an outfitter's size: how many bookings, offerings, and guests it has. The number of guests grows with past
 * bookings, but the number of offerings does not.
 */
const makeSize = (bookings: number) => ({ bookings, offerings: 60, guests: bookings / 5 })

/** Fails if an operation was rejected, because a rejection is cheap at any size. */
const requireSuccess = (costs: Costs): Costs => {
  const refusal = costs.costs.find(({ refused }) => refused !== undefined)
  if (refusal !== undefined) throw new Error(`${refusal.name} was refused: ${refusal.refused}`)
  return costs
}

const formatLines = async (database: string, run: Run): Promise<ReadonlyArray<Line>> => {
  const all: Array<Costs> = []
  for (const size of sizes) all.push(requireSuccess(await run(size)))
  const computeMedians = (name: string) =>
    all.map(({ costs }) => costs.find((cost) => cost.name === name)?.median ?? Number.NaN)
  return (all[0]?.costs ?? []).filter(({ isLong }) => !isLong).map(({ name }) => {
    const [small = Number.NaN, ...larger] = computeMedians(name)
    const large = larger.at(-1) ?? Number.NaN
    const figure = [small, ...larger].map((ms) => ms.toFixed(1)).join(" → ") + " ms"
    const isSoon = large <= maxMs
    const isFlat = large <= Math.max(times * small, negligibleMs)
    return {
      what: `${database}: ${formatLabel(name)}`,
      figure,
      promise: isSearch(name)
        ? { text: `at most ${maxMs} ms`, kept: isSoon }
        : {
          text: `at most ${maxMs} ms, and above ${negligibleMs} ms at most ${times} times the first figure`,
          kept: isFlat && isSoon
        }
    }
  })
}

export const growth = async (folder: string): Promise<ReadonlyArray<Line>> => [
  ...await formatLines("SQLite", measureSqlite(folder)),
  ...await formatLines("Postgres", measurePostgres)
]
