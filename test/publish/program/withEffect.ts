/** Runs an effect from core in a program with its own copy of Effect. */
import { makeCursors } from "@trailbook/core/wire"
import * as Effect from "effect/Effect"

const code = Effect.map(Effect.flip(makeCursors("bookings").read("no cursor")), ({ code }) => code)
process.stdout.write(`${await Effect.runPromise(code)}\n`)
