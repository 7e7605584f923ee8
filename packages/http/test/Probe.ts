/** A registry of operations that produce every possible outcome and block for as long as a test needs. */
import { Refusal, type RefusalCode } from "@trailbook/core"
import * as Operation from "@trailbook/core/operation/Operation"
import * as Registry from "@trailbook/core/operation/Registry"
import * as Field from "@trailbook/core/wire/Field"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

export const codes = [
  "invalid_request",
  "unauthorized",
  "forbidden",
  "not_found",
  "slot_full",
  "resend_limited",
  "unavailable"
] as const satisfies ReadonlyArray<RefusalCode>

class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{ readonly cause: unknown }> {}

const Done = Schema.Struct({ done: Schema.Literal(true) })
const doneReply = { done: true } as const

const tool = { title: "Probe", toolset: "admin", description: "Probes." } as const

const refuse = Operation.make("probe.refuse", {
  route: ["GET", "/probe/refuse"],
  summary: "Refuses with a code.",
  input: Schema.Struct({ code: Field.oneOf(...codes), after: Field.optional(Field.integer(0, 100)) }),
  output: Done,
  refusals: codes,
  tool
})
const breakDown = Operation.make("probe.break", {
  route: ["GET", "/probe/break"],
  summary: "Dies.",
  input: Schema.Struct({ unavailable: Field.optional(Field.boolean) }),
  output: Done,
  tool
})
const read = Operation.make("probe.read", {
  route: ["GET", "/probe/read"],
  summary: "Waits, then answers.",
  input: Schema.Struct({}),
  output: Done,
  light: true,
  tool
})
const write = Operation.make("probe.write", {
  route: ["POST", "/probe/write"],
  summary: "Waits, then answers.",
  input: Schema.Struct({ text: Field.optional(Field.text({ max: 10 })) }),
  output: Done,
  status: 201,
  light: true,
  maxBodyBytes: 1024 * 1024,
  tool
})

/** A gate that blocks `read` and `write`, and records their outcomes. */
export interface Gate {
  arrived: number
  passed: number
  interrupted: number
  readonly open: () => void
  readonly until: (condition: () => boolean) => Promise<void>
}

const makeGate = () => {
  let waiters: ReadonlyArray<() => void> = []
  let isOpen = false
  const gate: Gate = {
    arrived: 0,
    passed: 0,
    interrupted: 0,
    open: () => {
      isOpen = true
      for (const go of waiters) go()
      waiters = []
    },
    until: async (condition) => {
      while (!condition()) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const pass = Effect.async<void>((resume) => {
    gate.arrived++
    const go = () => {
      gate.passed++
      resume(Effect.void)
    }
    if (isOpen) return go()
    waiters = [...waiters, go]
    return Effect.sync(() => {
      gate.interrupted++
      waiters = waiters.filter((other) => other !== go)
    })
  })
  return { gate, pass }
}

export const make = () => {
  const { gate, pass } = makeGate()
  const layer = Registry.layer(
    [refuse, breakDown, read, write],
    Effect.succeed({
      "probe.refuse": ({ after, code }) =>
        new Refusal<typeof code>({
          code,
          message: "As asked.",
          ...(after === undefined ? {} : { retryAfterSeconds: after })
        }),
      "probe.break": ({ unavailable }) =>
        unavailable === true
          ? Effect.die(new DatabaseUnavailable({ cause: "locked" }))
          : Effect.die(new Error("The boiler burst.")),
      "probe.read": () => Effect.as(pass, doneReply),
      "probe.write": () => Effect.as(pass, doneReply)
    })
  )
  return { gate, layer }
}
