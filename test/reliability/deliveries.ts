/** Deliveries to all kinds of receivers while workers are killed or paused, some for longer than a lease. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Strike } from "../webhooks/checkDeliveries.ts"
import { deliveryRun, type Outcome } from "../webhooks/deliveryRun.ts"
import type { Workers } from "../webhooks/Workers.ts"
import type { Dice } from "./dice.ts"
import type { Print } from "./parts.ts"
import type { Report } from "./report.ts"
import { postgres, sqlite, type Target } from "./Target.ts"

const columns: ReadonlyArray<readonly [title: string, of: (outcome: Outcome) => number | string]> = [
  ["endpoints", ({ endpoints }) => endpoints],
  ["events", ({ events }) => events],
  ["requests accepted by receivers", ({ taken }) => taken],
  ["requests not accepted by receivers", ({ failed }) => failed],
  ["kills and suspensions", ({ strikes }) => strikes],
  ["missing events", ({ verdict }) => verdict.missing.length],
  ["out-of-order events", ({ verdict }) => verdict.outOfOrder.length],
  ["concurrent events", ({ verdict }) => verdict.overlapping.length],
  ["events repeated without a kill", ({ verdict }) => verdict.repeated.length],
  ["altered events", ({ verdict }) => verdict.altered.length],
  ["events repeated after a kill", ({ duplicates }) => duplicates],
  [
    "delay of the neighbor's events in ms, p50 / p99",
    ({ delayMillis }) => `${computePercentile(delayMillis, 0.5)} / ${computeP99(delayMillis)}`
  ],
  [
    "time in s from the last kill until all events were delivered",
    ({ caughtUpMillis }) => Math.round(caughtUpMillis / 1000)
  ]
]

/** The maximum p99 delay for a healthy receiver while other outfitters' receivers hang. */
const promptMillis = 1000

/** Longer than the 30-second lease. */
const frozenMillis = 33_000

/** Kills some workers and suspends two, one of them for longer than its lease, so that another worker takes over. */
async function* strikeWithKillsAndStops(workers: Workers, dice: Dice): AsyncGenerator<Strike> {
  for (let kills = 0; kills < 4; kills++) {
    yield await workers.kill(dice)
    await sleep(dice.between(500, 5000))
  }
  yield await workers.stall(dice, dice.between(1000, 4500))
  yield await workers.stall(dice, frozenMillis)
  yield await workers.kill(dice)
}

async function* strikeWithKills(workers: Workers, dice: Dice): AsyncGenerator<Strike> {
  for (let kills = 0; kills < 3; kills++) {
    yield await workers.kill(dice)
    await sleep(dice.between(500, 5000))
  }
}

export const deliveries = async (seed: string, print: Print): Promise<Report> => {
  const runSeason = async (
    name: string,
    make: () => Promise<Target>,
    workers: number,
    strikes: typeof strikeWithKills
  ) => {
    const target = await make()
    const onStrike = (description: string) => print(`deliveries: ${name}, ${description}`)
    try {
      const outcome = await deliveryRun({
        target,
        workers,
        seed,
        everyMillis: 300,
        quietSeconds: 15,
        strikes,
        onStrike
      })
      return { name, outcome }
    } finally {
      await target.close()
    }
  }
  const runs = [
    await runSeason("Postgres, a server and 3 workers", postgres, 3, strikeWithKillsAndStops),
    await runSeason("SQLite, a server with a built-in worker", sqlite, 0, strikeWithKills)
  ]
  return {
    titles: ["run", ...columns.map(([title]) => title)],
    rows: runs.map(({ name, outcome }) => [name, ...columns.map(([, of]) => String(of(outcome)))]),
    findings: runs.flatMap(({ name, outcome: { delayMillis, verdict } }) => [
      ...Object.entries(verdict).flatMap(([kind, sentences]) =>
        sentences.map((sentence: string) => `${name}: ${kind}: ${sentence}`)
      ),
      ...(computeP99(delayMillis) <= promptMillis
        ? []
        : [`${name}: receivers next to hanging ones waited ${computeP99(delayMillis)} ms`])
    ])
  }
}

const computePercentile = (values: ReadonlyArray<number>, share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Infinity

const computeP99 = (values: ReadonlyArray<number>): number => computePercentile(values, 0.99)
