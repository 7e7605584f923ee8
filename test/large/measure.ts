/**
 * Runs every operation on a stored outfitter in this separate process. Measures the duration, the longest time that the
 * event loop was blocked, and the peak memory, and sends them to the parent in one message.
 */
import { Actor, makeHostActor } from "@trailbook/core/actor"
import { Registry } from "@trailbook/core/operation"
import * as Instant from "@trailbook/core/time/Instant"
import { engineLayer } from "@trailbook/runtime/engineLayer"
import { loadAdapter } from "@trailbook/runtime/loadAdapter"
import * as NodeIds from "@trailbook/runtime/NodeIds"
import { databaseUrl } from "@trailbook/runtime/setting/databaseUrl"
import { FakeDrafter, FakeSecrets, FakeWebhookSender } from "@trailbook/testkit/fakes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type IntervalHistogram, monitorEventLoopDelay } from "node:perf_hooks"
import { type Case, cases } from "./cases.ts"
import { outfitter, type Size } from "./outfitter.ts"

export interface MeasureOptions {
  readonly url: string
  readonly orgId: string
  readonly now: number
  readonly size: Size
  readonly turns: number
}

export interface Cost {
  readonly name: string
  readonly isLong: boolean
  /** The median and the maximum over the turns, in milliseconds. */
  readonly median: number
  readonly longest: number
  /** The longest time that the event loop was blocked, in milliseconds. */
  readonly stalled: number
  /** The error code and message if a turn failed. */
  readonly refused: string | undefined
}

export interface Costs {
  readonly costs: ReadonlyArray<Cost>
  /** Operations that have no case. */
  readonly left: ReadonlyArray<string>
  /** The process's peak memory, and its value before the first case. */
  readonly megabytes: number
  readonly megabytesBefore: number
}

const readMegabytes = () => process.resourceUsage().maxRSS / 1024

/** Waits for two more histogram samples, because the histogram records a blocked event loop only in the next turn. */
const awaitSamples = (delay: IntervalHistogram) =>
  Effect.suspend(() => {
    const countBefore = delay.count
    return Effect.repeat(Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1))), {
      until: () => delay.count > countBefore + 1
    })
  })

const measure = ({ now: at, orgId, size, turns }: MeasureOptions) =>
  Effect.gen(function*() {
    const { operations, run } = yield* Registry
    const ask = (name: string, input: object) =>
      Effect.provideService(run(name, input), Actor, makeHostActor({ orgId }))
    const now = Instant.make(at)
    const fixture = outfitter(orgId, now, size)
    const offering = fixture.offerings[3]?.id ?? ""
    const free = yield* ask("availability.get", { id: offering })
    const starts = (free as { data: ReadonlyArray<{ starts_at: string }> }).data.map(({ starts_at }) => starts_at)
    const webhooks = yield* Effect.forEach(Array.from({ length: 3 }, (_, at) => at), (at) =>
      Effect.map(
        ask("webhooks.create", { url: `https://example.com/${at}` }),
        (hook) => (hook as { id: string }).id
      ))
    const replies = yield* Effect.forEach(Array.from({ length: 12 }, (_, at) => at), (at) =>
      Effect.map(
        ask("saved_replies.create", { title: `Parking ${at}`, body: "Behind the boathouse, {first_name}." }),
        (reply) => (reply as { id: string }).id
      ))
    const megabytesBefore = readMegabytes()
    const delay = monitorEventLoopDelay({ resolution: 5 })
    const measureCost = (one: Case) =>
      Effect.gen(function*() {
        const times: Array<number> = []
        let refusal: string | undefined
        delay.reset()
        delay.enable()
        yield* awaitSamples(delay)
        // Run each case once before measuring, to compile code and plan queries. Cases that have only one turn skip
        // this run.
        const first = one.turns === 1 ? 0 : -1
        for (let turn = first; turn < Math.min(turns, (one.turns ?? turns) + first); turn++) {
          const startMs = performance.now()
          const answer = yield* Effect.either(ask(one.name.split(":")[0] ?? "", one.input(turn - first)))
          if (answer._tag === "Left") refusal = `${answer.left.code}: ${answer.left.message}`
          if (turn >= 0) times.push(performance.now() - startMs)
          yield* Effect.promise(() => new Promise(setImmediate))
        }
        yield* awaitSamples(delay)
        delay.disable()
        times.sort((a, b) => a - b)
        const cost: Cost = {
          name: one.name,
          isLong: one.isLong ?? false,
          median: times[Math.floor(times.length / 2)] ?? 0,
          longest: times.at(-1) ?? 0,
          stalled: delay.max / 1e6,
          refused: refusal
        }
        return cost
      }).pipe(
        Effect.catchAllDefect((defect) =>
          Effect.succeed<Cost>({
            name: one.name,
            isLong: one.isLong ?? false,
            median: Infinity,
            longest: Infinity,
            stalled: delay.max / 1e6,
            refused: String(defect)
          })
        )
      )
    const all = cases({ outfitter: fixture, now, free: { offering, starts }, replies, webhooks })
    const costs = yield* Effect.forEach(all, measureCost)
    const measuredNames = new Set(all.map(({ name }) => name.split(":")[0]))
    const unmeasured = operations.map(({ name }) => name).filter((name) => !measuredNames.has(name))
    const result: Costs = { costs, left: unmeasured, megabytes: readMegabytes(), megabytesBefore }
    return result
  })

const makeDomain = (url: string) => {
  const reading = databaseUrl.read(url)
  if (!("value" in reading)) throw new Error(`${url}: ${reading.must}`)
  return Layer.unwrapEffect(Effect.map(loadAdapter(reading.value), (backend) =>
    Layer.provideMerge(
      engineLayer(NodeIds.layer, backend.batches, {
        webhooks: Layer.merge(FakeSecrets.makeFakeSecretsLayer(), FakeWebhookSender.layer),
        drafter: FakeDrafter.layer
      }),
      backend.storage
    )))
}

process.once("message", (message: MeasureOptions) => {
  void Effect.runPromise(Effect.provide(
    Effect.tap(measure(message), (costs) => Effect.sync(() => process.send?.(costs, () => process.disconnect()))),
    makeDomain(message.url)
  ))
})
