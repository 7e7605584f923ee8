/**
 * Run by `twoProcesses.long.test.ts`. Each input line names a file and a time. Opens the file at that time and stores
 * an org in it.
 */
import { OrgStore } from "@trailbook/core/org"
import { layer } from "@trailbook/sqlite"
import * as Effect from "effect/Effect"
import { createInterface } from "node:readline"
import { org } from "./sample.ts"

const [name = ""] = process.argv.slice(2)
process.stdout.write("ready\n")
for await (const line of createInterface(process.stdin)) {
  const [at = "", filename = ""] = line.split(" ")
  // Busy-waits, because the processes' timers would fire milliseconds apart.
  while (Date.now() < Number(at));
  const stored = Effect.flatMap(OrgStore, ({ put }) => put(org(name)))
  await Effect.runPromise(Effect.provide(stored, layer({ filename })))
  process.stdout.write("stored\n")
}
