/**
 * A program that `twoProcesses.long.test.ts` runs. Each input line contains a file and a time. The program opens the
 * file at that time and stores an org.
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
  // Busy-wait, because the processes' timers would fire milliseconds apart.
  while (Date.now() < Number(at));
  const putOrg = Effect.flatMap(OrgStore, ({ put }) => put(org(name)))
  await Effect.runPromise(Effect.provide(putOrg, layer({ filename })))
  process.stdout.write("stored\n")
}
