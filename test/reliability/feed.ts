/**
 * Reads the feed for longer than the other tests do. A control run with IDs from a plain sequence must lose events. If
 * it loses none, the load was too low for a meaningful result.
 */
import * as Layer from "effect/Layer"
import { type FeedRun, feedRun, type Outcome } from "../feed/feedRun.ts"
import * as PlainSequence from "../feed/plainSequence.ts"
import type { Print } from "./parts.ts"
import type { Report } from "./report.ts"
import { postgres, sqlite, type Target } from "./Target.ts"

const columns: ReadonlyArray<readonly [title: string, of: (outcome: Outcome) => number]> = [
  ["events", ({ events }) => events],
  ["pages read", ({ pages }) => pages],
  ["transactions paused before the commit", ({ stalledMillis }) => stalledMillis.length],
  ["clock changes", ({ jumps }) => jumps],
  ["lost", ({ verdict }) => verdict.lost.length],
  ["twice", ({ verdict }) => verdict.twice.length],
  ["early", ({ verdict }) => verdict.early.length],
  ["other findings", ({ verdict }) => verdict.wrong.length]
]

export const feed = async (seed: string, print: Print): Promise<Report> => {
  const runFeed = async (
    name: string,
    make: () => Promise<Target>,
    plan: Omit<FeedRun, "storage" | "seed">,
    wrap: (target: Target) => Target["storage"] = ({ storage }) => storage
  ) => {
    const target = await make()
    try {
      const outcome = await feedRun({ ...plan, seed, storage: wrap(target) })
      print(`feed: ${name}, ${outcome.events} events`)
      return { name, outcome }
    } finally {
      await target.close()
    }
  }
  const stalling = { seconds: 30, stalls: true }
  const jumping = { seconds: 10, clocksJump: true }
  // Run both concurrently, because each has its own database and mostly waits.
  const [stalled, control] = await Promise.all([
    runFeed("Postgres, transactions pause", postgres, stalling),
    runFeed(
      "control with a plain sequence and a delay",
      postgres,
      stalling,
      ({ storage }) => PlainSequence.layer.pipe(Layer.provideMerge(storage))
    )
  ])
  const jumped = await Promise.all([
    runFeed("Postgres, clocks jump", postgres, jumping),
    runFeed("SQLite, clocks jump", sqlite, jumping)
  ])
  const runs = [stalled, ...jumped]
  return {
    titles: ["run", ...columns.map(([title]) => title)],
    rows: [...runs, control].map(({ name, outcome }) => [name, ...columns.map(([, of]) => String(of(outcome)))]),
    findings: [
      ...runs.flatMap(({ name, outcome: { verdict } }) =>
        Object.entries(verdict).flatMap(([kind, sentences]) =>
          sentences.map((sentence: string) => `${name}: ${kind}: ${sentence}`)
        )
      ),
      ...(control.outcome.verdict.lost.length === 0
        ? ["the control lost no events, so the load was too low to prove anything"]
        : [])
    ]
  }
}
