/**
 * Runs rounds of booking, each with an injected fault, and compares the responses with the database after each round.
 *
 * A season is five rounds with one outfitter. Its event feed spans several kills, and there is little data to check
 * after each round. After the last round, every season is checked again.
 */
import { type Counts, makeCounter } from "./Counter.ts"
import { dice } from "./dice.ts"
import type { Fault } from "./fault.ts"
import { type Findings, isNone, joinFindings, noFindings } from "./Findings.ts"
import { startFleet } from "./Fleet.ts"
import { check, close, end, open, play, type Season } from "./season.ts"
import type { ServerOptions } from "./ServerProcess.ts"
import type { Target } from "./Target.ts"

export interface Campaign {
  readonly name: string
  readonly target: Target
  readonly servers: number
  readonly options?: ServerOptions
  /** Each server's clock offset. */
  readonly clocksOffMillis?: ReadonlyArray<number>
  readonly rounds: number
  readonly seed: string
  /** The faults, injected round-robin, one per round. */
  readonly faults: ReadonlyArray<Fault>
  readonly onRound?: (line: string) => void
}

export interface Result {
  readonly name: string
  readonly counts: Counts
  readonly bookings: number
  readonly events: number
  readonly rounds: number
  /** For each round, how long it took after the fault until a new request was acknowledged. */
  readonly backMillis: ReadonlyArray<number>
  /** Each server's startup time. The first startup includes creating the schema. */
  readonly readyMillis: ReadonlyArray<number>
  readonly findings: Findings
}

const roundsInSeason = 5

/** Stops at the first round with findings, so that the report remains readable. */
export const run = async (campaign: Campaign): Promise<Result> => {
  const { clocksOffMillis, faults, name, onRound, options, rounds, seed, servers, target } = campaign
  const fleet = await startFleet(target.url, target.folder, servers, options, clocksOffMillis)
  const counter = makeCounter()
  const seasons: Array<Season> = []
  const backMillis: Array<number> = []
  let findings: Findings = noFindings
  try {
    for (let round = 0; round < rounds && isNone(findings); round++) {
      const chance = dice(`${seed}/${name}/${round}`)
      if (round % roundsInSeason === 0) {
        seasons.push(await open(target, fleet, chance, counter, clocksOffMillis !== undefined))
      }
      const season = seasons.at(-1)
      const fault = faults[round % faults.length]
      if (season === undefined || fault === undefined) {
        throw new Error("A campaign needs at least one round and one fault.")
      }
      backMillis.push(await play(season, fleet, fault, chance, counter))
      findings = await check(season, target)
      if (round + 1 === rounds || (round + 1) % roundsInSeason === 0) {
        findings = joinFindings(findings, await end(season, target))
      }
      onRound?.(`${name}, round ${round + 1}: ${fault.name}, recovered after ${Math.round(backMillis.at(-1) ?? 0)} ms`)
    }
    for (const season of seasons) findings = joinFindings(findings, await check(season, target))
  } finally {
    await Promise.all(seasons.map(close))
    await fleet.stop()
  }
  return {
    name,
    rounds: backMillis.length,
    counts: counter.counts,
    bookings: sum(seasons.map(({ sizes }) => sizes.bookings)),
    events: sum(seasons.map(({ sizes }) => sizes.events)),
    backMillis,
    readyMillis: fleet.readyMillis,
    findings
  }
}

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)
